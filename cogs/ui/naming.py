"""Names and descriptions of commands, in every language from the same catalogues as all other texts.

Discord sends the default names whatever the member's language, so code knows only those. Turkish names are
constants of the catalogue, never made with `.lower()`.
"""

from discord import Locale
from discord.app_commands import TranslationContextTypes, Translator, locale_str

from bot.i18n import languages, words_for


def localised(context: str, message: str) -> locale_str:
    """Mark a command's text for the catalogues, where `context` says what it is."""
    return locale_str(message, context=context)


class CatalogueTranslator(Translator):
    """Answers discord.py with our catalogues."""

    async def translate(
        self, string: locale_str, locale: Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return a text in a locale of Discord's; None where there is no catalogue for it, or nothing to add."""
        where = string.extras.get("context")
        base = locale.value.partition("-")[0]
        known = {locale.value, base} & set(languages())
        if where is None or not known:
            return None
        # English is named too: without en-US, Discord would give Americans the en-GB text.
        return words_for(locale.value).pgettext(str(where), string.message)
