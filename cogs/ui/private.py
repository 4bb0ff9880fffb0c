"""The cards only one member sees: receipts, answers, their own result and their mistakes.

Pure, as all drawing. What a member may be told was decided before a card was made; nothing is held back here.
"""

from collections.abc import Collection

import discord
from discord import ui

from bot.core.cards import (
    AnswerCard,
    ChoiceCard,
    Face,
    LateCard,
    MistakeCard,
    MyResultCard,
    Outcome,
    Receipt,
    ResultRow,
    Shown,
)
from bot.core.scoring import FULL
from bot.i18n import Words
from cogs.ui import parts
from cogs.ui.ids import Press, make
from cogs.ui.parts import Item

LABEL = 94
"""Units of an option's text in the select, whose labels hold 100 with the letter."""


def receipt(card: Receipt, words: Words) -> list[Item]:
    """Draw what a press did; where several answers are right, above the select that changes them."""
    line = _outcome(card, words)
    if card.shown.version.takes_several:
        return _marking(card.shown, card.answer, line, words)
    return [parts.text(line)]


def _outcome(card: Receipt, words: Words) -> str:
    shown = card.shown
    places = shown.places_shown(card.answer)
    now = parts.letters(places, words)
    several = shown.version.takes_several
    match card.outcome:
        case Outcome.SAVED if several:
            return words.gettext("Saved: {letters}", letters=now)
        case Outcome.SAVED:
            option = parts.emphasised(parts.option_words(shown, places[0], words))
            return words.gettext(
                "Saved: {letter}, {option}. You can change it until the close.", letter=now, option=option
            )
        case Outcome.SAME:
            return words.gettext("Still {letters} ✔", letters=now)
        case Outcome.CHANGED:
            before = parts.letters(shown.places_shown(card.before or frozenset()), words)
            return words.gettext("Changed: {before} → {letters}", before=before, letters=now)
        case Outcome.KEPT:
            return words.gettext("Still {letters}", letters=now)


def choice(card: ChoiceCard, words: Words) -> list[Item]:
    """Draw the options of a question with several right answers, and the select that marks them."""
    line = parts.heading(card.shown, words)
    if card.closes_at is not None:
        line += f" · ⏱ {parts.instant(card.closes_at, 'R')}"
    return _marking(card.shown, card.answer, line, words)


def _marking(shown: Shown, answer: frozenset[int] | None, line: str, words: Words) -> list[Item]:
    drawn = parts.wording(shown, words)
    marked = shown.places_shown(answer or frozenset())
    options = [
        discord.SelectOption(label=_label(shown, place, words), value=str(place), default=place in marked)
        for place in range(len(shown.order))
    ]
    select = ui.Select[ui.LayoutView](
        custom_id=make(Press.MARK, shown.token, shown.number),
        placeholder=words.gettext("Mark every right answer"),
        max_values=len(options),
        options=options,
    )
    return [parts.text(line, parts.option_lines(drawn.options, words)), ui.ActionRow(select)]


def _label(shown: Shown, place: int, words: Words) -> str:
    typed = parts.option_text(shown.version, shown.order[place], words)
    return f"{words.letter(place)} · {parts.cut(typed, LABEL)}"


def late(card: LateCard, words: Words) -> list[Item]:
    """Draw the reply to a press that came after the close."""
    at = parts.instant(card.closed_at, "t")
    items: list[Item] = [parts.text(words.gettext("Time was up ({time}): not counted.", time=at))]
    row = ui.ActionRow[ui.LayoutView]()
    if card.revealed:
        custom_id = make(Press.SHOW_ANSWER, card.token, card.number)
        row.add_item(parts.button(words.gettext("Show the answer"), custom_id))
    if card.current_link:
        row.add_item(ui.Button(label=words.gettext("Go to the current question"), url=card.current_link))
    if row.children:
        items.append(row)
    return items


def answer(card: AnswerCard, words: Words) -> list[Item]:
    """Draw a revealed question with its explanation.

    Where all of it does not fit, stem and options are left out, since they stand in the channel.
    """
    shown = card.shown
    drawn = parts.wording(shown, words)
    heading = f"### {parts.heading(shown, words)}"
    why = _why(shown, card.key, card.answer, words)
    whole = [heading, drawn.stem, _marked_options(shown, card.key, card.answer, words), why]
    if parts.fits(whole):
        return [parts.container(*whole)]
    return [parts.container(heading, _named_answers(shown, card.key, card.answer, words), why)]


def _marked_options(
    shown: Shown, key: Collection[int] | None, chosen: frozenset[int] | None, words: Words
) -> str:
    right = key or frozenset[int]()
    marks: list[str] = []
    for written in shown.order:
        facts = [parts.right_mark(len(right), words)] if written in right else []
        if chosen and written in chosen:
            mine = words.gettext("your answer")
            facts.append(mine if written in right or key is None else f"✖ {mine}")
        marks.append(" · ".join(facts))
    drawn = parts.wording(shown, words)
    lines = [parts.option_lines(drawn.options, words, marks), parts.key_line(shown, key, words)]
    return "\n".join(filter(None, lines))


def _named_answers(
    shown: Shown, key: frozenset[int] | None, chosen: frozenset[int] | None, words: Words
) -> str:
    if key is None:
        lines = [parts.key_line(shown, key, words)]
    elif len(key) > 1:
        lines = [words.gettext("Right answers: {letters}", letters=_named(shown, key, words))]
    else:
        lines = [words.gettext("Right answer: {letter}", letter=_named(shown, key, words))]
    if chosen:
        lines.append(words.gettext("Your answer: {letters}", letters=_named(shown, chosen, words)))
    return "\n".join(lines)


def _named(shown: Shown, chosen: frozenset[int], words: Words) -> str:
    places = shown.places_shown(chosen)
    if len(places) != 1:
        return parts.letters(places, words)
    return f"{words.letter(places[0])}, {parts.emphasised(parts.option_words(shown, places[0], words))}"


def _why(shown: Shown, key: Collection[int] | None, chosen: frozenset[int] | None, words: Words) -> str:
    """Return explanation, source, and what the author says to the first wrong option chosen."""
    drawn = parts.wording(shown, words)
    lines: list[str] = []
    if key is not None and chosen:
        for place in shown.places_shown(chosen - frozenset(key)):
            if said := parts.feedback(shown.version, shown.order[place], words):
                title = words.gettext("Why not {letter}?", letter=words.letter(place))
                lines += [f"**{title}**", said]
                break
    lines.append(parts.why(drawn.explanation, drawn.source, words))
    return "\n".join(filter(None, lines))


def my_result(card: MyResultCard, words: Words) -> list[Item]:
    """Draw a member's own points and rank, and one line for each question."""
    heading = f"## {parts.titles(card.titles, words)}"
    if card.rank is None:
        return [parts.container(heading, words.gettext("You did not take part in this one."))]
    points = words.gettext(
        "Your points: {points} of {best}", points=words.points(card.points), best=card.best
    )
    rank = words.gettext(
        "your rank: {rank} of {members}", rank=words.number(card.rank), members=words.number(card.took_part)
    )
    container = parts.container(
        "\n".join([heading, f"{points} · {rank}"]), "\n".join(_row(row, words) for row in card.rows)
    )
    if any(row.points is not None and row.points < FULL and not row.sealed for row in card.rows):
        custom_id = make(Press.MISTAKES, card.token, 0, 0)
        container.add_item(ui.ActionRow(parts.button(words.gettext("Review my mistakes"), custom_id)))
    return [container]


def _row(row: ResultRow, words: Words) -> str:
    return f"**{row.number}** {_verdict(row, words)} · {parts.stem_words(row.version, words)}"


def _verdict(row: ResultRow, words: Words) -> str:
    if row.sealed:
        return "🔒 " + words.gettext("being asked again")
    if row.answer is None:
        return "– " + words.gettext("no answer")
    if row.points is None:
        return "– " + words.gettext("not scored")
    if row.points >= FULL:
        return "✅ " + words.pgettext("answer", "right")
    if row.points > 0:
        return "🔸 " + words.gettext("partly right: {points}", points=words.points(row.points))
    return "✖ " + words.pgettext("answer", "wrong")


def mistake(card: MistakeCard, words: Words) -> list[Item]:
    """Draw one page of a member's mistakes: the question, or why its answer is right."""
    shown = card.shown
    page = words.gettext("Mistake {number} of {total}", number=card.page + 1, total=card.pages)
    heading = f"### {page} · {parts.heading(shown, words)}"
    why = _why(shown, card.key, card.answer, words)
    if card.face is Face.WHY:
        nothing = words.gettext("No explanation has been written for this question.")
        container = parts.container(
            heading, _named_answers(shown, card.key, card.answer, words), why or nothing
        )
        turn = parts.button(
            words.gettext("Back to the question"), make(Press.MISTAKES, card.token, card.page, 0)
        )
    else:
        drawn = parts.wording(shown, words)
        mine = "" if card.answer else words.gettext("You gave no answer.")
        options = _marked_options(shown, card.key, card.answer, words)
        container = parts.container(heading, drawn.stem, "\n".join(filter(None, [options, mine])))
        turn = parts.button(
            words.gettext("Why?"),
            make(Press.MISTAKES, card.token, card.page, 1),
            strong=True,
            disabled=not why,
        )
    row = ui.ActionRow[ui.LayoutView](turn)
    for one in parts.pager(
        card.page, card.pages, lambda page: make(Press.MISTAKES, card.token, page, 0), words
    ):
        row.add_item(one)
    container.add_item(row)
    return [container]
