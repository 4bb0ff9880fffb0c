"""Words: every text a person sees, in their language, with numbers and lists as that language writes them.

A catalogue is one `.po` file in `locales/`, read when its language is first asked for; the message id is the
English text, so a missing translation falls back to English by itself. Which language to use
is never decided here.
"""

import gettext
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

FALLBACK = "en"
LOCALES = Path(__file__).with_name("locales")


def N_(message: str) -> str:  # noqa: N802 - the name translators' tools look for
    """Mark a message that is translated later, where its language is known."""
    return message


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages there are catalogues for."""
    return tuple(sorted(path.stem for path in LOCALES.glob("*.po")))


def words_for(language: str) -> "Words":
    """Return the words of a language, of its base where a region is unknown ("en-GB"), or else English."""
    code = language.replace("_", "-")
    known = (name for name in (code, code.partition("-")[0]) if name in languages())
    return _words(next(known, FALLBACK))


class Words:
    """One language's texts, numbers and lists."""

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue
        self._locale = _conventions(language)

    def gettext(self, message: str, /, **facts: object) -> str:
        """Return a message with its facts filled in."""
        return self._catalogue.gettext(message).format_map(facts)

    def pgettext(self, context: str, message: str, /, **facts: object) -> str:
        """Return a message whose translation depends on where it stands."""
        return self._catalogue.pgettext(context, message).format_map(facts)

    def ngettext(self, one: str, many: str, count: int, /, **facts: object) -> str:
        """Return the form of a message for a count, which it names as `{count}`."""
        form = self._catalogue.ngettext(one, many, count)
        return form.format_map({"count": self.number(count), **facts})

    def percent(self, share: float) -> str:
        """Return a share between 0 and 1 as a whole percentage."""
        return format_percent(share, locale=self._locale)

    def number(self, value: float, digits: int = 1) -> str:
        """Return a number with at most so many decimals and no trailing zeros."""
        return format_decimal(value, format="#,##0." + "#" * digits, locale=self._locale)

    def points(self, thousandths: int) -> str:
        """Return points, which are kept in thousandths, with at most two decimals."""
        return self.number(thousandths / 1000, digits=2)

    def letter(self, place: int) -> str:
        """Return the letter of the option shown at a place, counted from 0."""
        return self.pgettext("option letters", "ABCDEFGHIJ")[place]

    def listing(self, items: Sequence[str]) -> str:
        """Return items as a sentence lists them ("A, B, and C")."""
        return format_list(items, locale=self._locale)

    def isolate(self, text: str) -> str:
        """Return text from data marked so that its direction does not disturb the sentence around it."""
        return f"\u2068{text}\u2069"


@cache
def _words(language: str) -> Words:
    path = LOCALES / f"{language}.po"
    with path.open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Words(language, gettext.GNUTranslations(compiled))


def _conventions(language: str) -> Locale:
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale.parse(FALLBACK)
