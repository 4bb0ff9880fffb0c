"""What the drawings of all cards share: an author's texts in the reader's language, their first words, option
letters, marks, and what one message may hold. Pure; nothing here decides what a card may tell.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import discord
from discord import ui

from bot.content.escape import escape, units
from bot.core.cards import Shown
from bot.core.quiz import TRUE, Kind, Text, Version, in_language
from bot.i18n import Words

Item = ui.Item[Any]

MOST_UNITS = 4000
"""UTF-16 units that all texts of one message may have together."""

MOST_BYTES = 9500
"""UTF-8 bytes of the same, each text counted with 12 more; Discord fails without a word somewhat above."""

QUOTE = 40
"""About how many units of an option or a stem are quoted where it stands elsewhere in full."""

NAMED_SINGLY = 3
"""Up to so many right answers each carry the word; more carry the mark, and one line names the letters."""


def finished(items: Iterable[Item]) -> ui.LayoutView:
    """Return the items as a stopped view: the library draws it and keeps nothing of it."""
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def text(*lines: str) -> ui.TextDisplay[Any]:
    """Return one text of those lines that say something."""
    return ui.TextDisplay("\n".join(line for line in lines if line))


def container(*texts: str, colour: int | None = None) -> ui.Container[Any]:
    """Return a container that holds those of the texts that say something, each as a text of its own."""
    return ui.Container(*(text(one) for one in texts if one), accent_colour=colour)


def button(label: str, custom_id: str, *, strong: bool = False, disabled: bool = False) -> ui.Button[Any]:
    """Return a button; a card has at most one strong one."""
    style = discord.ButtonStyle.primary if strong else discord.ButtonStyle.secondary
    return ui.Button(label=label, custom_id=custom_id, style=style, disabled=disabled)


def pager(page: int, pages: int, custom_id: Callable[[int], str], words: Words) -> list[ui.Button[Any]]:
    """Return the two buttons that turn pages, counted from 0; none where there is one page.

    At the ends they are disabled, and still have an id of their own, since a message may not have one twice.
    """
    if pages <= 1:
        return []
    return [
        button(words.gettext("◀ Previous"), custom_id(page - 1), disabled=page <= 0),
        button(words.gettext("Next ▶"), custom_id(page + 1), disabled=page >= pages - 1),
    ]


def fits(texts: Iterable[str], most_units: int = MOST_UNITS) -> bool:
    """Tell whether these texts may stand in one message."""
    drawn = [one for one in texts if one]
    weight = sum(len(one.encode()) + 12 for one in drawn)
    return sum(units(one) for one in drawn) <= most_units and weight <= MOST_BYTES


def instant(at: datetime, style: str) -> str:
    """Return a timestamp that each reader sees in their own language and time zone."""
    return f"<t:{int(at.timestamp())}:{style}>"


def heading(shown: Shown, words: Words) -> str:
    """Return what a question is called in its round."""
    return words.gettext("Question {number} of {total}", number=shown.number, total=shown.total)


@dataclass(frozen=True, slots=True)
class Wording:
    """A question's texts, escaped, in the one language its reader sees; options stand in the order shown."""

    stem: str
    options: tuple[str, ...]
    explanation: str
    source: str


def wording(shown: Shown, words: Words) -> Wording:
    """Return a question's texts as its reader sees them."""
    version = shown.version
    return Wording(
        stem=_escaped(version, version.stem, words),
        options=tuple(
            escape(option_text(version, written, words), markdown=version.markdown) for written in shown.order
        ),
        explanation=_escaped(version, version.explanation, words),
        source=_one_line(_escaped(version, version.source, words)),
    )


def feedback(version: Version, written: int, words: Words) -> str:
    """Return what the author says to who chose this option; "" where nothing."""
    return _escaped(version, version.options[written].feedback, words)


def option_text(version: Version, written: int, words: Words) -> str:
    """Return an option as its author typed it; the words of true/false questions come from the catalogue."""
    if version.kind is Kind.TRUE_FALSE:
        return words.pgettext("option", "True") if written == TRUE else words.pgettext("option", "False")
    return version.options[written].text[version.language_for(words.language)]


def stem_words(version: Version, words: Words) -> str:
    """Return the first words of a stem, escaped, as one line."""
    return first_words(version.stem[version.language_for(words.language)])


def option_words(shown: Shown, place: int, words: Words) -> str:
    """Return the first words of the option shown at a place, escaped, as one line."""
    return first_words(option_text(shown.version, shown.order[place], words))


def title(text: Text, words: Words) -> str:
    """Return the title of a quiz, escaped, as one line."""
    return plain(in_language(text, words.language))


def plain(typed: str) -> str:
    """Return a name or title as one line in which nothing is markdown, not even code."""
    return r"\`".join(escape(part) for part in _one_line(typed).split("`"))


def titles(texts: Sequence[Text], words: Words) -> str:
    """Return the titles of the quizzes a round was played from: three of them, and how many more."""
    named = [title(one, words) for one in texts[:3]]
    if rest := len(texts) - len(named):
        named.append(words.ngettext("{count} more quiz", "{count} more quizzes", rest))
    return words.listing(named)


def letters(places: Iterable[int], words: Words) -> str:
    """Return the letters of options shown, as a receipt lists them."""
    return ", ".join(words.letter(place) for place in places)


def option_line(place: int, option: str, words: Words) -> str:
    """Return an option with its letter; fenced code needs a line of its own."""
    letter = f"**{words.letter(place)}**"
    return f"{letter}\n{option}" if option.lstrip().startswith("```") else f"{letter} · {option}"


def option_lines(options: Sequence[str], words: Words, marks: Sequence[str] = ()) -> str:
    """Return options as one text: letter, full text, and behind it what there is to say of the option."""
    lines: list[str] = []
    for place, option in enumerate(options):
        line = option_line(place, option, words)
        if marks and marks[place]:
            line += ("\n" if line.endswith("```") else " · ") + marks[place]
        lines.append(line)
    return "\n".join(lines)


def right_mark(right: int, words: Words) -> str:
    """Return what marks an option as right, where so many of its question are."""
    return "✅" if right > NAMED_SINGLY else "✅ " + words.gettext("right answer")


def key_line(shown: Shown, key: Collection[int] | None, words: Words) -> str:
    """Return the line a key needs besides the marks: that it is missing, or the letters of many."""
    if key is None:
        return words.gettext("No right answer has been entered: not scored")
    if len(key) <= NAMED_SINGLY:
        return ""
    named = [words.letter(place) for place in shown.places_shown(frozenset(key))]
    return words.gettext("Right answers: {letters}", letters=words.listing(named))


def why(explanation: str, source: str, words: Words) -> str:
    """Return explanation and source as one text; "" where the author wrote neither."""
    lines: list[str] = []
    if explanation:
        lines += ["**" + words.gettext("Explanation") + "**", explanation]
    if source:
        lines.append("-# " + words.gettext("Source: {source}", source=source))
    return "\n".join(lines)


def emphasised(quote: str) -> str:
    """Return quoted words in italics; code stands out by itself, and a `*` in it would end the italics."""
    return quote if "`" in quote else f"*{quote}*"


def first_words(typed: str, most: int = QUOTE) -> str:
    """Return the beginning of what an author typed, escaped, as one line of about so many units."""
    return escape(cut(typed, most))


_FENCE = re.compile(r"```(?:[\w+#.-]*\n)?(.+?)```", re.DOTALL)
_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_WORD = re.compile(r"(?:(`+)(?!`).+?(?<!`)\1(?!`)|\S)+")


def cut(typed: str, most: int) -> str:
    """Return the beginning of what an author typed as one line of at most so many units, not escaped.

    It ends with "…" where anything is left out, after a whole word and never within code, unless the first is
    longer than the line.
    """
    line = _one_line(_FENCE.sub(_as_span, typed))
    if units(line) <= most:
        return line
    kept = ""
    for word in _WORD.finditer(line):
        if units(line[: word.end()]) >= most:
            break
        kept = line[: word.end()]
    return (kept or _cut_word(line, most - 1)) + "…"


def _cut_word(line: str, most: int) -> str:
    end = _end_within(line, most)
    for span in _SPAN.finditer(line):
        if span.start() < end < span.end():
            if span.start():
                return line[: span.start()].rstrip() or line[:end]
            ticks = span.group(1)
            inner = span.group(2)
            return ticks + inner[: _end_within(inner, most - 2 * len(ticks))].rstrip("`") + ticks
    return line[:end]


def _end_within(line: str, most: int) -> int:
    end = min(len(line), max(most, 0))
    while units(line[:end]) > most or unicodedata.category(line[end : end + 1] or " ").startswith("M"):
        end -= 1
    return end


def _as_span(fence: re.Match[str]) -> str:
    code = _one_line(fence.group(1))
    return f"`{code}`" if "`" not in code else code


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _escaped(version: Version, typed: Text, words: Words) -> str:
    return escape(typed.get(version.language_for(words.language), ""), markdown=version.markdown)
