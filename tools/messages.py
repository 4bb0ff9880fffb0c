"""Bring the catalogues up to date with the sources: `make messages`.

Messages stand in the order in which the sources name them, with the file but no line, so that a catalogue
changes only where its texts change. Nothing is guessed (no fuzzy entries), nothing unused is kept, and the
header is the translator's. `en.po` holds only what a message id does not say by itself: plurals, and words
that differ by place.
"""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.i18n import FALLBACK, LOCALES

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("bot", "cogs")
KEYWORDS = {name: DEFAULT_KEYWORDS[name] for name in ("gettext", "ngettext", "pgettext", "N_")}
KEYWORDS["localised"] = DEFAULT_KEYWORDS["pgettext"]  # names and descriptions of commands


def extract() -> Catalog:
    """Return every message of the sources, with the comments meant for translators."""
    messages = Catalog(fuzzy=False)
    for folder in SOURCES:
        found = extract_from_dir(
            ROOT / folder,
            [("**.py", "python")],
            keywords=KEYWORDS,
            comment_tags=["Translators:"],
            strip_comment_tags=True,
        )
        for file, _line, text, comments, context in sorted(found, key=lambda message: message[:2]):
            messages.add(text, locations=[(f"{folder}/{file}", 0)], auto_comments=comments, context=context)
    return messages


def update(path: Path, template: Catalog) -> None:
    """Rewrite a catalogue: the template's messages with the translations it has."""
    text = path.read_text("utf-8")
    header = text.partition("\n\n")[0].rstrip()
    if path.stem == FALLBACK:
        catalogue = _english(template)
    else:
        catalogue = read_po(BytesIO(text.encode()), abort_invalid=True)
        catalogue.update(template, no_fuzzy_matching=True)
    body = BytesIO()
    write_po(body, catalogue, width=100, omit_header=True, ignore_obsolete=True, include_lineno=False)
    path.write_text(f"{header}\n\n{body.getvalue().decode()}".rstrip() + "\n", "utf-8")
    print(f"{path.name}: {len(catalogue)} messages, {sum(1 for _ in untranslated(catalogue))} not translated")


def untranslated(catalogue: Catalog) -> Iterator[Message]:
    """Yield the messages that have no translation, or not in every plural form."""
    for message in catalogue:
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id and not (forms and all(forms)):
            yield message


def _english(template: Catalog) -> Catalog:
    english = Catalog(FALLBACK, fuzzy=False)
    for message in template:
        if message.id and (message.pluralizable or message.context):
            english.add(
                message.id,
                message.id,
                locations=message.locations,
                auto_comments=message.auto_comments,
                context=message.context,
            )
    return english


def main() -> None:
    """Update every catalogue."""
    template = extract()
    for path in sorted(LOCALES.glob("*.po")):
        update(path, template)


if __name__ == "__main__":
    main()
