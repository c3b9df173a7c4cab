"""The ways in which a book could leak, what closes each, and the tests that hold it closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Channel:
    """One leak channel of the design. ``later`` says what of it belongs to work that is not here yet."""

    number: int
    name: str
    closed_by: str
    tests: tuple[str, ...]
    later: str = ""


MASTER: Final = "test_every_surface_is_the_same_for_twins"
"""Noninterference: it covers every channel that ends in something shown."""

CHANNELS: Final = (
    Channel(
        1,
        "a passage past the boundary",
        "the door, row-level security under it, and Evidence",
        (
            MASTER,
            "test_at_every_boundary_exactly_what_is_revealed_is_admitted",
            "test_everything_that_is_admitted_is_revealed_by_the_boundary",
            "test_the_answering_role_reads_only_the_relations_on_the_list",
            "test_a_function_that_forgets_its_where_shows_only_what_is_revealed",
            "test_a_function_that_opens_no_boundary_raises",
            "test_a_store_that_ignores_the_boundary_is_caught_by_evidence",
            "test_evidence_holds_exactly_what_is_revealed_by_its_boundary",
            "test_the_passage_that_straddles_the_boundary_is_scored_on_its_read_sentences_alone",
            "test_nothing_is_found_past_the_boundary",
        ),
    ),
    Channel(
        2,
        "the chapter being read counted as read",
        "half-open offsets, positions rounded down, a plain number that counts as the smaller until it is explained",
        (
            "test_what_is_revealed_at_the_boundary_is_admitted_and_nothing_later",
            "test_a_plain_number_counts_as_still_in_it_until_the_member_says_otherwise",
            "test_a_percentage_never_reaches_past_itself",
            "test_words_quoted_in_part_give_no_more_than_what_was_read",
            "test_an_ambiguous_statement_keeps_the_smallest_place",
        ),
    ),
    Channel(
        3,
        "chapter numbers that drift",
        "the chapter map is built with care, and numbers that restart are offered and never guessed",
        (
            "test_sections_partition_the_text_and_chapters_count_from_one",
            "test_a_number_that_restarts_gives_every_candidate_and_the_smallest_offset",
            "test_a_number_the_book_does_not_print_counts_from_the_start_and_is_not_certain",
            "test_a_printed_contents_list_makes_no_chapters",
            "test_places_are_named_by_number",
        ),
        later="an admin confirms the map once books are added in a chat",
    ),
    Channel(
        4,
        "the model's own memory",
        "every sentence shown is a quote that stands verbatim in admitted evidence",
        (
            "test_a_quote_that_does_not_stand_there_is_refused",
            "test_a_claim_without_its_citation_is_refused",
            "test_every_quote_stands_in_the_read_part_in_its_chapter_in_story_order",
        ),
        later="no model writes answers yet; the support check and prompts without title and author come with it",
    ),
    Channel(
        5,
        "alias and identity",
        "a name is revealed where it is first met, and an unknown one behaves as any unknown word",
        (
            "test_names_met_are_the_same_however_the_book_goes_on",
            "test_names_are_met_in_the_order_in_which_they_stand",
            "test_a_name_that_comes_later_is_as_one_that_never_comes",
            "test_the_names_of_a_footnote_hang_on_nothing_after_its_chapter",
        ),
        later="dated links between names come with character cards",
    ),
    Channel(
        6,
        "summaries and cards",
        "there are none: everything derived is a function of what stands before its revealed_at",
        ("test_what_is_revealed_is_the_same_however_the_book_goes_on",),
        later="summaries and cards themselves, each with its revealed_at",
    ),
    Channel(
        7,
        "statistics over the whole book",
        "idf, means, deviations, ranks and names met are of the read part alone",
        (
            MASTER,
            "test_a_search_is_the_same_for_books_equal_up_to_the_boundary",
            "test_only_words_that_stand_nowhere_in_the_read_part_are_corrected",
            "test_nothing_is_close_when_no_name_has_been_met",
            "test_what_stands_too_far_ahead_does_not_make_a_run_less_unique",
        ),
    ),
    Channel(
        8,
        "chapter titles and contents lists",
        "chapters go by numbers; a title is met at the end of its heading and matches only in reached chapters",
        (
            MASTER,
            "test_a_title_is_met_at_the_end_of_its_heading",
            "test_the_title_of_a_chapter_not_reached_reads_as_any_words",
            "test_a_title_is_found_only_in_chapters_that_were_reached",
            "test_the_chapter_map_has_every_chapter_and_no_title",
            "test_no_title_is_offered_that_the_speaker_has_not_met",
            "test_no_title_is_in_progress_before_the_announcement",
            "test_nobody_else_is_told_of_a_book_until_it_is_announced",
            "test_a_file_is_added_alike_whatever_its_book_goes_on_with",
            "test_a_page_of_links_is_a_contents_page_whatever_it_is_called",
            "test_what_hangs_on_the_words_of_the_book_is_no_limit",
        ),
    ),
    Channel(
        9,
        "introductions, afterwords, cast lists, notes, previews, blurb and file name",
        "what is not proven to be body is sealed to the end of the body, previews for ever",
        (
            "test_everything_but_body_is_sealed_and_a_preview_is_never_revealed",
            "test_a_footnote_opens_at_the_end_of_the_chapter_of_its_marker",
            "test_a_note_without_a_proven_marker_is_sealed",
            "test_labelled_matter_around_the_story_is_sealed",
            "test_everything_from_a_preview_on_belongs_to_the_preview",
            "test_sealed_matter_is_quoted_once_the_story_is_finished",
            "test_the_sealed_matter_opens_for_who_has_finished_and_for_nobody_else",
            "test_sealed_matter_has_no_say",
            "test_quoted_words_are_not_found_in_sealed_matter",
            "test_the_name_of_a_file_is_nowhere_a_room_can_look",
            "test_the_answering_role_sees_nothing_of_a_file",
            "test_log_lines_hold_numbers_and_codes_alone",
        ),
        later="no metadata in prompts: there are no prompts yet",
    ),
    Channel(
        10,
        '"the answer comes later"',
        "one fixed refusal, the same whether the answer comes later, never, or was cut",
        (
            "test_the_refusal_is_the_same_whether_the_answer_comes_later_or_never",
            "test_who_has_read_nothing_always_gets_the_refusal",
            "test_a_refusal_is_the_fixed_sentence_alone",
            "test_a_match_too_far_ahead_reads_the_same_as_a_miss",
            "test_the_refusals_are_fixed",
        ),
        later="looking ahead, as an explicit private choice",
    ),
    Channel(
        11,
        "earlier messages used as context",
        "no message is context: a question is answered from its own words under the boundary of its moment",
        ("test_when_a_position_changes_meanwhile_the_search_is_made_again_under_the_new_one",),
        later="context that carries its boundary comes with a model",
    ),
    Channel(
        12,
        "the wrong audience",
        "the audience is read where positions are, and an answer is refused for any other than it was made for",
        (
            "test_the_boundary_is_the_lowest_position_of_the_audience",
            "test_a_larger_audience_never_raises_the_boundary",
            "test_who_joined_and_has_not_said_where_they_are_counts_as_nothing_read",
            "test_an_answer_made_for_another_audience_is_not_shown",
            "test_evidence_found_for_a_room_is_refused_in_a_private_answer",
            "test_a_boundary_does_not_hold_for_another_audience",
            "test_when_the_room_changes_meanwhile_the_search_is_made_again_for_who_is_there",
            "test_a_boundary_does_not_hold_once_the_room_has_changed",
            "test_who_joins_does_not_go_unnoticed_when_they_have_read_further",
            "test_who_joins_while_an_answer_is_made_is_counted_before_it_is_sent",
            "test_who_left_is_shown_no_title_and_no_answer",
            "test_a_place_is_told_to_its_member_alone_and_the_clubs_by_chapter",
            "test_more_members_never_raise_the_boundary_of_a_room_that_has_any",
            "test_who_comes_to_see_a_room_never_raises_its_boundary",
            "test_a_strict_club_counts_a_viewer_nobody_knows_as_nothing_read",
            "test_who_was_set_aside_counts_in_a_book_in_which_they_have_a_place",
            "test_who_asks_counts_for_the_reply_though_aside_away_or_out_of_sight",
            "test_who_cannot_be_told_goes_on_counting_and_is_tried_once",
            "test_members_are_listed_with_whole_chapters_of_those_who_show_them",
            "test_who_left_gets_nothing_of_the_clubs_books_by_any_command",
            "test_who_goes_loses_the_clubs_books_at_once",
            "test_a_rooms_limit_only_narrows",
            "test_a_limit_is_gone_when_the_room_reads_another_book",
            "test_a_room_is_of_one_club_alone",
            "test_a_paused_room_hears_nothing_and_private_use_goes_on",
        ),
        later="threads and sharing an answer come with the chats",
    ),
    Channel(
        13,
        "delivery: notifications, embeds, code blocks, inner bars, entities, edits",
        "at the keyboard an answer is covered line by line, under a first line that tells nothing",
        (
            "test_a_covered_line_has_bars_at_its_ends_alone_and_is_one_line",
            "test_a_line_in_clear_never_opens_or_ends_a_cover",
            "test_a_block_looks_the_same_whatever_it_covers",
            "test_each_quote_is_one_line_with_single_spaces",
            "test_nothing_that_is_shown_can_steer_a_terminal",
            "test_nothing_in_a_title_turns_the_line_around",
        ),
        later="one renderer for each chat platform",
    ),
    Channel(
        14,
        "stale state: caches, going back, races",
        "positions are only appended and read in the transaction that retrieves, and again before sending",
        (
            "test_when_a_position_changes_meanwhile_the_search_is_made_again_under_the_new_one",
            "test_positions_that_never_rest_make_the_search_give_up",
            "test_a_boundary_holds_until_somebody_goes_back",
            "test_an_answer_that_was_under_way_when_the_room_was_paused_is_not_said_there",
            "test_going_back_lowers_the_place_at_once",
            "test_going_back_after_finishing_lowers_the_boundary_and_tells_nobody_again",
            "test_the_history_is_only_appended_to",
            "test_what_a_member_was_offered_is_gone_once_they_cannot_see_the_club",
            "test_a_sign_of_life_makes_a_member_count_at_once_and_is_told_once",
            "test_who_gives_a_sign_while_being_told_is_not_away",
            "test_a_pending_member_is_set_aside_and_told_and_a_place_ends_it",
            "test_being_forgotten_and_joining_again_gives_no_new_tries_with_quoted_words",
            "test_a_wider_second_boundary_in_one_transaction_is_a_leak",
            "test_a_boundary_does_not_outlive_its_transaction_on_a_pooled_connection",
            "test_a_boundary_cannot_be_stored_or_loaded",
            "test_a_changed_copy_of_a_boundary_cannot_be_made",
        ),
    ),
    Channel(
        15,
        "the question itself",
        "names that the audience has not met make the reply private; the question is never confirmed or corrected",
        (
            "test_a_capitalised_word_that_was_never_met_is_a_name",
            "test_a_name_that_comes_later_is_as_one_that_never_comes",
            "test_a_name_met_in_the_passage_being_read_is_met",
            "test_a_question_that_is_none_or_too_long_is_refused_in_a_sentence",
        ),
    ),
)
