"""Cards: what one message shows, as facts, without text or language.

Services hand cards to the messenger or return them to a cog; `cogs/ui/render` turns a card and a language into a
view. Author texts ride along in the version, in all their languages. Points are integer thousandths everywhere.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.core.quiz import Text, Version


@dataclass(frozen=True, slots=True)
class Shown:
    """A turn's question as its round shows it.

    `number` counts from 1 of `total`; `order[i]` is the place, as written in the version, of the option shown at
    place i, so that letters and custom_ids count places shown and answers count places written.
    """

    token: str
    number: int
    total: int
    version: Version
    order: tuple[int, ...]

    def places_shown(self, answer: frozenset[int]) -> tuple[int, ...]:
        """Return where the options of an answer stand as shown, ascending."""
        return tuple(shown for shown, written in enumerate(self.order) if written in answer)


@dataclass(frozen=True, slots=True)
class QuestionCard:
    """An open turn. `away` says that an outage has given it 15 more seconds."""

    shown: Shown
    closes_at: datetime
    answered: int = 0
    away: bool = False


@dataclass(frozen=True, slots=True)
class RevealCard:
    """A turn whose answer is public.

    `key` is the key as ruled now (None: missing); `tally[i]` counts the answers that hold the option written at
    place i; `right` counts those with full points. `reposted` says that the open message had been deleted.
    """

    shown: Shown
    key: frozenset[int] | None
    tally: tuple[int, ...]
    answered: int
    right: int
    reposted: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """One member's place in a round. `name` is None for a hidden member."""

    rank: int
    name: str | None
    points: int


@dataclass(frozen=True, slots=True)
class ResultCard:
    """The public end of a round: never a lower rank, a zero, or anybody who is not on the podium.

    `questions` counts those that were scored, `asked` those that were revealed; `average` is points per member.
    Where more than 20 names would stand on the podium, `podium` is empty and `crowd` says how many they are.
    """

    token: str
    titles: tuple[Text, ...]
    asked: int
    questions: int
    took_part: int
    average: int
    podium: tuple[Standing, ...]
    crowd: int = 0
    stopped: bool = False
    unscored: int = 0


class Outcome(StrEnum):
    """What became of a press that was recorded or, for `KEPT`, was older than what is recorded."""

    SAVED = "saved"
    SAME = "same"
    CHANGED = "changed"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The private confirmation that a response is stored. `answer` is what holds now."""

    shown: Shown
    outcome: Outcome
    answer: frozenset[int]
    before: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class LateCard:
    """The private reply to a press that came too late: not counted.

    `revealed` allows "show the answer"; `current_link` leads to the round's open question, if there is one.
    """

    token: str
    number: int
    closed_at: datetime
    revealed: bool
    current_link: str | None = None


@dataclass(frozen=True, slots=True)
class ChoiceCard:
    """The private select of a question with several right answers; `answer` is what is marked so far."""

    shown: Shown
    closes_at: datetime | None
    answer: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class AnswerCard:
    """A revealed question with its explanation, shown privately: to who came late, or where it did not fit."""

    shown: Shown
    key: frozenset[int] | None
    answer: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One question of a member's own result.

    `points` is None where it was not scored, `answer` where none was given; of a `sealed` question, which is being
    asked again elsewhere in the server, neither is told.
    """

    number: int
    version: Version
    answer: frozenset[int] | None
    points: int | None
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class MyResultCard:
    """A member's own result, private. `best` counts the scored questions; `rank` is None for who did not take part."""

    token: str
    titles: tuple[Text, ...]
    rows: tuple[ResultRow, ...]
    points: int
    best: int
    rank: int | None
    took_part: int


class Face(StrEnum):
    """The two sides of a review page."""

    QUESTION = "question"
    WHY = "why"


@dataclass(frozen=True, slots=True)
class MistakeCard:
    """One page of a member's mistakes: `page` of `pages`, counted from 0; the answer is what they chose, or None."""

    token: str
    page: int
    pages: int
    face: Face
    shown: Shown
    key: frozenset[int]
    answer: frozenset[int] | None


@dataclass(frozen=True, slots=True)
class QuizRow:
    """One quiz of the list. `id` is the store's, short enough for a custom_id."""

    id: int
    ref: str
    title: Text
    description: Text
    questions: int
    languages: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuizListCard:
    """A page of the quizzes a member can see here: ten rows a page, `page` counted from 0."""

    rows: tuple[QuizRow, ...]
    page: int
    pages: int
    search: str = ""


@dataclass(frozen=True, slots=True)
class QuizCard:
    """One quiz, opened from the list; `may_start` adds the button that starts a round here."""

    quiz: QuizRow
    keyless: int
    may_start: bool


Card = QuestionCard | RevealCard | ResultCard
"""The public cards, each a row of `messages`."""
