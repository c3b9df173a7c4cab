"""The door: every way in which the answering role can reach anything that was written in a book.

Functions with ``_boundary`` run as the guard, under row-level security, and open the boundary first. Functions without
it run as the locator and return offsets and numbers only. All have a fixed search path and a version in their names.
"""

from __future__ import annotations

from typing import NamedTuple

from alembic import op

revision = "0002"
down_revision = "0001"

OPENING = """create function dogear.boundary_opened_v1(_book bigint, _boundary int) returns void
language plpgsql volatile strict set search_path = dogear, pg_temp as $$
declare
    _opened jsonb := coalesce(nullif(current_setting('dogear.opened', true), ''), '{}')::jsonb;
    _before int := (_opened ->> _book::text)::int;
begin
    if _boundary < 0 or _boundary > (select body_end from book where id = _book) then
        raise exception 'book %: % is no boundary', _book, _boundary using errcode = 'DG001';
    end if;
    if _before is not null and _boundary > _before then
        raise exception 'book %: a boundary at % is open, % is wider', _book, _before, _boundary
            using errcode = 'DG001';
    end if;
    perform set_config('dogear.opened', (_opened || jsonb_build_object(_book::text, _boundary))::text, true);
    perform set_config('dogear.book', _book::text, true);
    perform set_config('dogear.boundary', _boundary::text, true);
end $$"""


class Door(NamedTuple):
    """One function: its arguments, what it returns, and its body."""

    name: str
    arguments: tuple[str, ...]
    returns: str
    body: str
    declare: str = ""

    @property
    def signature(self) -> str:
        """The name with the argument types only."""
        return f"dogear.{self.name}({', '.join(a.split(' ', 1)[1] for a in self.arguments)})"


GUARDED = (
    # Every admitted passage in text order: numbers only, one array a column.
    Door(
        "passages_admitted_v1",
        ("_book bigint", "_boundary int"),
        "table (ordinals int[], sections int[], chapters int[], bodies boolean[], starts int[], ends int[], "
        "revealed int[], lengths int[])",
        """
        return query select array_agg(p.ordinal), array_agg(p.section), array_agg(coalesce(p.chapter, 0)),
                array_agg(p.body), array_agg(p.start), array_agg(p."end"), array_agg(p.revealed_at),
                array_agg(p.length)
            from (select * from passage x
                  where x.book_id = _book and x.revealed_at <= _boundary order by x.ordinal) p;""",
    ),
    # Exact similarity of every admitted passage that has vectors: the closest of its pieces. No index is used: every
    # admitted row is computed, so that unread rows cannot influence the result. It is computed before anything is
    # sorted: a sort that carries the vectors spills to disk.
    Door(
        "passages_nearest_v1",
        ("_book bigint", "_boundary int", "_question {ext}.halfvec"),
        "table (ordinals int[], similarities real[])",
        """
        return query select array_agg(s.passage), array_agg(s.similarity) from (
            select v.passage, max(v.similarity)::real as similarity
            from (select x.passage, -(x.embedding <#> _question) as similarity from passage_vector x
                  where x.book_id = _book and x.revealed_at <= _boundary offset 0) v
            group by v.passage order by v.passage) s;""",
    ),
    # How often each term of the question stands in each admitted passage. The unit vectors are made once, not a row.
    Door(
        "passages_matching_v1",
        ("_book bigint", "_boundary int", "_terms int[]"),
        "table (term int, ordinals int[], counts real[])",
        """
        return query with unit as materialized (
                select u.term, ('{' || u.term || ':1}/1000000000')::sparsevec as vector from unnest(_terms) as u(term))
            select c.term, array_agg(c.ordinal), array_agg(c.n) from (
                select t.term, p.ordinal, (-(p.terms <#> t.vector))::real as n
                from (select x.ordinal, x.terms from passage x
                      where x.book_id = _book and x.revealed_at <= _boundary offset 0) p
                cross join unit t
                order by p.ordinal) c
            where c.n > 0 group by c.term;""",
    ),
    # The text of the admitted sentences of the passages asked for, passage by passage: a new book, of which the
    # planner has no statistics yet, would else be read whole.
    Door(
        "passages_read_v1",
        ("_book bigint", "_boundary int", "_ordinals int[]"),
        'table (passage int, section int, chapter int, sentence int, start int, "end" int, revealed_at int, '
        "paragraph_start boolean, lead text, text text)",
        """
        return query select s.passage, s.section, s.chapter, s.ordinal, s.start, s."end", s.revealed_at,
                s.paragraph_start, s.lead, s.text
            from (select distinct u.ordinal from unnest(_ordinals) as u(ordinal)) o
            cross join lateral (select * from sentence x
                where x.book_id = _book and x.passage = o.ordinal and x.revealed_at <= _boundary offset 0) s
            order by s.ordinal;""",
    ),
    # The ordinal of the passage that straddles the boundary: it has admitted sentences and is itself not admitted.
    Door(
        "passage_straddling_v1",
        ("_book bigint", "_boundary int"),
        "int",
        """
        select s.passage into _passage from sentence s
            where s.book_id = _book and s.revealed_at <= _boundary and s.start < _boundary
            order by s.revealed_at desc, s.ordinal desc limit 1;
        if exists (select from passage p where p.book_id = _book and p.ordinal = _passage) then
            return null;
        end if;
        return _passage;""",
        "declare _passage int;",
    ),
    Door(
        "names_met_v1",
        ("_book bigint", "_boundary int"),
        "table (name text, revealed_at int)",
        """
        return query select n.name, n.revealed_at from name n
            where n.book_id = _book and n.revealed_at <= _boundary order by n.revealed_at, n.name;""",
    ),
    Door(
        "titles_met_v1",
        ("_book bigint", "_boundary int"),
        "table (section int, chapter int, title text, part_titles text[], revealed_at int)",
        """
        return query select t.section, t.chapter, t.title, t.part_titles, t.revealed_at from title t
            where t.book_id = _book and t.revealed_at <= _boundary order by t.section;""",
    ),
)

LOCATING = (
    Door(
        "chapter_map_v1",
        ("_book bigint",),
        'table (chapter int, printed_number int, part_numbers int[], start int, "end" int)',
        """
        select s.chapter, s.printed_number, s.part_numbers, s.start, s."end"
        from section s where s.book_id = _book and s.chapter is not null order by s.chapter""",
    ),
    Door(
        "page_offsets_v1",
        ("_book bigint", "_label text"),
        "table (start int)",
        """
        select p.start from page p where p.book_id = _book and lower(p.label) = lower(_label) order by p.start""",
    ),
    Door(
        "pages_counted_v1",
        ("_book bigint",),
        "int",
        "select count(*)::int from page p where p.book_id = _book",
    ),
    # Ordinals of the reached chapters that bear this title. What is not reached is as if it were not there.
    Door(
        "title_chapters_v1",
        ("_book bigint", "_reached int", "_folded text"),
        "table (chapter int)",
        """
        select t.chapter from title t where t.book_id = _book and t.chapter is not null
            and t.revealed_at <= _reached and _folded = any (t.folded) order by t.chapter""",
    ),
    # Where runs of folded words (letters and digits only) stand in the body, at most two places a run: the start of the
    # first sentence of which something lies past the match, so that nothing unread is included. "is true" has the
    # sections looked up in a hash: the planner, knowing nothing of a new book, would compare each sentence with each.
    Door(
        "quote_offsets_v1",
        ("_book bigint", "_runs text[]"),
        "table (run int, read_to int)",
        """
        with body as (
            select s.ordinal, s.start, s."end", s.folded,
                   sum(length(s.folded)) over (order by s.ordinal) as folded_end,
                   lead(s.start) over (order by s.ordinal) as next_start
            from sentence s where s.book_id = _book and (s.section in (
                select c.ordinal from section c where c.book_id = _book and c.kind = 'body')) is true),
        stream as (select string_agg(b.folded, '' order by b.ordinal) as letters from body b),
        first as (
            select u.run, u.folded, strpos(s.letters, u.folded) as at, s.letters
            from stream s cross join unnest(_runs) with ordinality as u(folded, run) where u.folded <> ''),
        second as (
            select f.run, f.folded, f.at, strpos(substr(f.letters, f.at + 1), f.folded) as more
            from first f where f.at > 0),
        places as (
            select s.run, s.at - 1 + length(s.folded) as match_end from second s
            union all
            select s.run, s.at + s.more - 1 + length(s.folded) from second s where s.more > 0)
        select m.run::int, (
            select max(case when b.folded_end <= m.match_end then coalesce(b.next_start, b."end") else b.start end)
            from body b where b.folded_end - length(b.folded) <= m.match_end and b.folded <> '')
        from places m order by 1, 2""",
    ),
)


def _extension_schema() -> str:
    row = op.get_bind().exec_driver_sql(
        "select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace "
        "where e.extname = 'vector'"
    )
    return str(row.scalar_one())


def _create(door: Door, ext: str, owner: str) -> None:
    head = f"security definer strict set search_path = dogear, {ext}, pg_temp"
    if owner == "dogear_guard":
        language, body = (
            "plpgsql volatile",
            (
                f"#variable_conflict use_column\n{door.declare}\n"
                f"begin\n        perform boundary_opened_v1(_book, _boundary);{door.body}\nend"
            ),
        )
    else:
        language, body = "sql stable", door.body
    run = op.get_bind().exec_driver_sql
    arguments = ", ".join(door.arguments).replace("{ext}", ext)
    signature = door.signature.replace("{ext}", ext)
    run(
        f"create function dogear.{door.name}({arguments}) returns {door.returns} language {language} {head} as "
        f"$door${body}$door$"
    )
    run(f"revoke all on function {signature} from public")
    run(f"grant execute on function {signature} to dogear_app")
    run(f"alter function {signature} owner to {owner}")


def upgrade() -> None:
    ext = _extension_schema()
    run = op.get_bind().exec_driver_sql
    run("grant create on schema dogear to dogear_guard, dogear_locator")
    run(OPENING)
    run("revoke all on function dogear.boundary_opened_v1(bigint, int) from public")
    run("alter function dogear.boundary_opened_v1(bigint, int) owner to dogear_guard")
    for door in GUARDED:
        _create(door, ext, "dogear_guard")
    for door in LOCATING:
        _create(door, ext, "dogear_locator")
    run("revoke create on schema dogear from dogear_guard, dogear_locator")


def downgrade() -> None:
    ext = _extension_schema()
    run = op.get_bind().exec_driver_sql
    for door in (*GUARDED, *LOCATING):
        run(f"drop function {door.signature.replace('{ext}', ext)}")
    run("drop function dogear.boundary_opened_v1(bigint, int)")
