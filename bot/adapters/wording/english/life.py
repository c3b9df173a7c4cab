"""Welcome, finishing a book, and choosing the next."""

from __future__ import annotations

LINES: dict[str, str] = {
    "greeting": "Hello. Ask about the book you read together, with /ask: answers come with quotes, from what everyone "
    "here has read, and from nothing beyond it. /help shows every command.",
    "greeting_book": "The club reads {title}.",
    "greeting_covered": "Who sees this room and has not joined is not counted: answers are covered, and say how far "
    "one has to have read.",
    "greeting_strict": "Who sees this room and has not joined counts as someone who has read nothing.",
    "step_join": "Join",
    "step_set_place": "Set my place",
    "step_what_is_kept": "What this bot keeps and never shows",
    "step_add_book": "Add the book",
    "step_talk_room": "A room to talk about the whole book",
    "step_nominate": "Nominate the next book",
    "step_vote": "Vote for the next book",
    "finished_own": "You have finished {title}: congratulations! Whatever stands around the story, such as an "
    "introduction, an afterword or notes, is open to you now: ask about it privately.",
    "club_finished": "Everyone here has finished {title}: congratulations, all of you!",
    "club_done": "The club is done with {title}. Whoever still reads it keeps their place, and answers keep to it.",
    "club_done_already": "The club has finished {title} already.",
    "stays_on_shelf": "It stays on the shelf, and can be asked about at any time.",
    "nominate_how": "Say which book: /club nominate TITLE, or the number of one on the club's shelf.",
    "nominated": "{name} nominated {title} (number {n}).",
    "nominated_already": "{title} is nominated already (number {n}).",
    "no_ballot": "Nothing is nominated yet: /club nominate TITLE.",
    "ballot_head": "Which book is next?",
    "ballot_row": "  {n}  {title}",
    "ballot_row_shelf": "  {n}  {title} (on the shelf)",
    "vote_how": "Vote for every book you would gladly read, such as /club vote 1 3, or /club vote none. The book with "
    "the most votes is next. You can vote anew until it is closed.",
    "voters": "{count} member has voted. | {count} members have voted.",
    "ballot_until": "The vote closes at the end of {day}.",
    "voted": "Your vote: {titles}.",
    "voted_none": "Your vote: none of them.",
    "not_voted": "You have not voted yet.",
    "ballot_won": "The vote is closed. The next book is {title}, with {count} vote. | "
    "The vote is closed. The next book is {title}, with {count} votes.",
    "ballot_tied": "The vote is closed. It is a tie, with {count} vote each: {titles}. | "
    "The vote is closed. It is a tie, with {count} votes each: {titles}.",
    "ballot_nobody": "The vote is closed. Nobody voted for any of them: {titles}.",
    "ballot_decide": "An admin chooses: /club vote close N.",
    "ballot_decided": "The next book is {title}.",
    "next_on_shelf": "Read it now",
    "next_to_add": "Add its file",
}
