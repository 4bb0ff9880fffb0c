"""Card and language → view: the one entry point, and the three cards a channel sees.

Pure: no I/O, no state, no clock, and the same card always draws the same. Before the reveal nothing here
reads a key: a question is drawn from its texts and its order alone.
"""

from discord import ui

from bot.core.cards import (
    AnswerCard,
    Card,
    ChoiceCard,
    LateCard,
    MistakeCard,
    MyResultCard,
    QuestionCard,
    QuizCard,
    QuizListCard,
    Receipt,
    ResultCard,
    RevealCard,
    Shown,
    Standing,
)
from bot.i18n import Words
from cogs.ui import parts, private, quizzes
from cogs.ui.ids import Press, make
from cogs.ui.parts import Item

PrivateCard = (
    Receipt | LateCard | ChoiceCard | AnswerCard | MyResultCard | MistakeCard | QuizListCard | QuizCard
)
"""The cards that answer one member's press or command."""

OPEN, REVEALED, RESULT = 0x5865F2, 0x248046, 0xF0B232
"""The colours of the three cards' edges; each card also says in words what it is."""

REVEAL_UNITS = 3900
"""Up to so many units a reveal has its explanation in place; a longer one opens from a button."""

SHARES_FROM = 3
"""Below so many answers no shares are shown, so that nobody's answer can be guessed from them."""

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def render(card: Card | PrivateCard, words: Words) -> ui.LayoutView:
    """Draw a card in a language, as a view that is already stopped."""
    return parts.finished(_items(card, words))


def _items(card: Card | PrivateCard, words: Words) -> list[Item]:
    match card:
        case QuestionCard():
            return _question(card, words)
        case RevealCard():
            return _reveal(card, words)
        case ResultCard():
            return _result(card, words)
        case Receipt():
            return private.receipt(card, words)
        case LateCard():
            return private.late(card, words)
        case ChoiceCard():
            return private.choice(card, words)
        case AnswerCard():
            return private.answer(card, words)
        case MyResultCard():
            return private.my_result(card, words)
        case MistakeCard():
            return private.mistake(card, words)
        case QuizListCard():
            return quizzes.quiz_list(card, words)
        case QuizCard():
            return quizzes.quiz(card, words)


def _question(card: QuestionCard, words: Words) -> list[Item]:
    shown = card.shown
    drawn = parts.wording(shown, words)
    heading = f"### {parts.heading(shown, words)} · ⏱ {parts.instant(card.closes_at, 'R')}"
    container = parts.container(heading, drawn.stem, colour=OPEN)
    if shown.version.takes_several:
        several = "-# " + words.gettext("More than one answer may be right.")
        container.add_item(parts.text(parts.option_lines(drawn.options, words), several))
        choose = make(Press.CHOOSE, shown.token, shown.number)
        container.add_item(ui.ActionRow(parts.button(words.gettext("Choose answers"), choose, strong=True)))
    else:
        for place, option in enumerate(drawn.options):
            container.add_item(_section(shown, place, option, words))
    container.add_item(parts.text(*_progress(card, words)))
    return [container]


def _section(shown: Shown, place: int, option: str, words: Words) -> Item:
    custom_id = make(Press.ANSWER, shown.token, shown.number, place)
    line = parts.option_line(place, option, words)
    return ui.Section(parts.text(line), accessory=parts.button(words.letter(place), custom_id))


def _progress(card: QuestionCard, words: Words) -> list[str]:
    lines = [words.gettext("The bot was away: 15 seconds more")] if card.away else []
    if card.answered:
        answered = words.ngettext("{count} has answered", "{count} have answered", card.answered)
    else:
        answered = words.gettext("No answers yet")
    return [*lines, f"-# {answered}"]


def _reveal(card: RevealCard, words: Words) -> list[Item]:
    shown = card.shown
    drawn = parts.wording(shown, words)
    texts = [
        f"### {parts.heading(shown, words)}",
        drawn.stem,
        parts.option_lines(drawn.options, words, _marks(card, words)),
        _summary(card, words),
    ]
    why = parts.why(drawn.explanation, drawn.source, words)
    in_place = parts.fits([*texts, why], REVEAL_UNITS)
    container = parts.container(*texts, why if in_place else "", colour=REVEALED)
    if card.reposted or not in_place:
        label = words.gettext("My answer") if in_place else words.gettext("Explanation")
        custom_id = make(Press.SHOW_ANSWER, shown.token, shown.number)
        container.add_item(ui.ActionRow(parts.button(label, custom_id)))
    return [container]


def _marks(card: RevealCard, words: Words) -> list[str]:
    key = card.key or frozenset[int]()
    marks: list[str] = []
    for written in card.shown.order:
        right = parts.right_mark(len(key), words) if written in key else ""
        count = card.tally[written]
        share = f"{words.percent(count / card.answered)} ({count})" if card.answered >= SHARES_FROM else ""
        marks.append(" · ".join(filter(None, [right, share])))
    return marks


def _summary(card: RevealCard, words: Words) -> str:
    lines = [parts.key_line(card.shown, card.key, words)]
    if card.answered == 0:
        lines.append(words.gettext("Nobody answered this one."))
    elif card.key is not None and card.right == 0:
        lines.append(words.gettext("Nobody had this one: a good one to remember."))
    elif card.key is not None:
        right, answered = words.number(card.right), words.number(card.answered)
        lines.append(words.gettext("Right: {count} of {answered}", count=right, answered=answered))
    if card.reposted:
        lines.append(
            "-# " + words.gettext("The message of this question was deleted. All answers were kept.")
        )
    return "\n".join(filter(None, lines))


def _result(card: ResultCard, words: Words) -> list[Item]:
    heading = f"## 🏁 {parts.titles(card.titles, words)}\n{_turnout(card, words)}"
    notes = "\n".join(_notes(card, words))
    container = parts.container(heading.rstrip(), "\n".join(_podium(card, words)), notes, colour=RESULT)
    container.add_item(
        ui.ActionRow(
            parts.button(words.gettext("My result"), make(Press.MY_RESULT, card.token), strong=True),
            parts.button(words.gettext("Review my mistakes"), make(Press.MISTAKES, card.token, 0, 0)),
        )
    )
    return [container]


def _turnout(card: ResultCard, words: Words) -> str:
    if not card.took_part:
        return ""
    facts = [words.ngettext("{count} took part", "{count} took part", card.took_part)]
    if card.questions:
        mean = words.points(card.average)
        facts.append(words.gettext("average {points} of {best}", points=mean, best=card.questions))
    return " · ".join(facts)


def _podium(card: ResultCard, words: Words) -> list[str]:
    if card.crowd:
        crowd = words.ngettext(
            "{count} member is on the podium. Well done!",
            "{count} members are on the podium. Well done!",
            card.crowd,
        )
        return [f"🥇 {crowd}"]
    if card.podium:
        title = "**" + words.gettext("Podium") + "**"
        return [title, *(_standing(one, card.questions, words) for one in card.podium)]
    if not card.took_part:
        return [words.gettext("Nobody took part this time.")]
    if not card.questions:
        return [words.gettext("Nothing was scored this time.")]
    return [words.gettext("No podium this time: these questions are worth a second look.")]


def _standing(one: Standing, best: int, words: Words) -> str:
    place = MEDALS.get(one.rank, f"**{one.rank}**")
    shown_name = one.name and words.isolate(parts.plain(one.name))
    name = shown_name or words.pgettext("podium", "someone")
    reached = words.gettext("{points} of {best}", points=words.points(one.points), best=best)
    return f"{place} {name} · {reached}"


def _notes(card: ResultCard, words: Words) -> list[str]:
    notes: list[str] = []
    if card.stopped:
        stopped = words.ngettext(
            "The quiz was stopped early, after {count} question.",
            "The quiz was stopped early, after {count} questions.",
            card.asked,
        )
        notes.append(f"-# {stopped}")
    if card.unscored:
        unscored = words.ngettext(
            "{count} question was not scored.", "{count} questions were not scored.", card.unscored
        )
        notes.append(f"-# {unscored}")
    return notes
