"""The limits that keep every question within what one Discord message holds, counted on texts as rendered.

They are checked where a quiz is written or imported, so that nothing is ever cut when it is drawn. Lengths
are UTF-16 units after escaping, unless the name says bytes.
"""

from collections.abc import Iterable

from bot.content.escape import escape, units

MIN_OPTIONS = 2
MAX_OPTIONS = 10
MAX_QUESTIONS = 1_000
MAX_TAGS = 10

TITLE = 80
DESCRIPTION = 300
TAG = 40
STEM = 1_500
OPTION = 300
EXPLANATION = 2_000
FEEDBACK = 500
SOURCE = 200

TOGETHER = 3_200
"""Stem and options of one question, in one language."""

TOGETHER_BYTES = 8_000
"""The same in UTF-8 bytes: three-byte letters reach Discord's limit long before its 4,000 characters."""


def rendered(text: str, *, markdown: bool = False) -> int:
    """Return a text's length as rendered."""
    raw = units(text)
    # Escaping never shortens; so what is hopelessly long is not escaped first.
    return raw if raw > TOGETHER_BYTES else units(escape(text, markdown=markdown))


def together(texts: Iterable[str], *, markdown: bool = False) -> tuple[int, int]:
    """Return the length and the UTF-8 bytes of several texts as rendered."""
    drawn = [escape(text, markdown=markdown) for text in texts]
    return sum(map(units, drawn)), sum(len(text.encode()) for text in drawn)
