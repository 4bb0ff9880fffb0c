"""The catalogues, held to what gettext does not check, and the words made from them."""

import re
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.i18n import LOCALES, N_, languages, words_for
from tools.messages import extract, untranslated, update

TRANSLATIONS = [language for language in languages() if language != "en"]


def catalogue(language: str) -> Catalog:
    return read_po(BytesIO((LOCALES / f"{language}.po").read_bytes()), abort_invalid=True)


def texts(message: Message) -> list[str]:
    return list(message.string) if isinstance(message.string, tuple) else [message.string]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_english_and_turkish_are_there() -> None:
    assert {"en", "tr"} <= set(languages())


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_message_of_the_code_is_translated(language: str) -> None:
    known = catalogue(language)
    new = [
        message.id for message in extract() if message.id and known.get(message.id, message.context) is None
    ]
    assert not new, f"not in {language}.po (make messages): {new}"
    open_ones = [message.id for message in untranslated(known)]
    assert not open_ones, f"not translated in {language}.po: {open_ones}"


@pytest.mark.parametrize("language", languages())
def test_no_entry_is_fuzzy_or_left_over(language: str) -> None:
    known, template = catalogue(language), extract()
    assert not [message.id for message in known if message.id and message.fuzzy]
    assert not known.obsolete
    assert not [m.id for m in known if m.id and template.get(m.id, m.context) is None], "run make messages"


@pytest.mark.parametrize("language", languages())
def test_translations_have_the_same_placeholders(language: str) -> None:
    for message in catalogue(language):
        if message.id:
            one, *more = message.id if isinstance(message.id, tuple) else (message.id,)
            for text in filter(None, texts(message)):
                assert placeholders(text) in [placeholders(english) for english in (one, *more)], message.id


def test_turkish_has_no_plural_after_a_number() -> None:
    turkish = catalogue("tr")
    for message in turkish:
        if message.pluralizable:
            assert len(set(texts(message))) == 1, message.id
    assert words_for("tr").ngettext("{count} x", "{count} x", 1) == "1 x"


def test_turkish_attaches_no_suffix_to_what_comes_from_data() -> None:
    attached = re.compile(r"\}[*_`”\"»]*['’]?[a-zçğıöşü]", re.IGNORECASE)
    for message in catalogue("tr"):
        for text in texts(message):
            assert not message.id or not attached.search(text or ""), text


def test_the_english_catalogue_repeats_the_message_ids() -> None:
    for message in catalogue("en"):
        assert not message.id or message.string == message.id


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("tr", "tr"),
        ("tr-TR", "tr"),
        ("en-GB", "en"),
        ("en_US", "en"),
        ("sv-SE", "en"),
        ("", "en"),
        ("../tr", "en"),
    ],
)
def test_a_region_falls_back_to_its_language_and_a_stranger_to_english(asked: str, given: str) -> None:
    assert words_for(asked).language == given


def test_a_text_without_translation_is_english() -> None:
    words = words_for("tr")
    assert words.gettext("A text nobody translated: {name}", name="Işık") == "A text nobody translated: Işık"
    assert words.pgettext("nowhere", "Nor this") == "Nor this"
    assert (
        words.ngettext("{count} thing of {who}", "{count} things of {who}", 2, who="Ada") == "2 things of Ada"
    )
    assert N_("marked") == "marked"


def test_numbers_and_lists_are_written_as_the_language_writes_them() -> None:
    english, turkish = words_for("en"), words_for("tr")
    assert (english.percent(0.62), turkish.percent(0.62)) == ("62%", "%62")
    assert (english.number(4.5), turkish.number(4.5), turkish.number(4.0)) == ("4.5", "4,5", "4")
    assert (english.number(10_000), turkish.number(10_000)) == ("10,000", "10.000")
    assert (english.points(2500), turkish.points(2333), english.points(3000)) == ("2.5", "2,33", "3")
    assert (english.listing(["A", "C"]), turkish.listing(["A", "C"])) == ("A and C", "A ve C")
    assert english.ngettext("{count} answer", "{count} answers", 1200) == "1,200 answers"
    assert english.ngettext("{count} answer", "{count} answers", 1) == "1 answer"


def test_names_are_kept_apart_from_the_direction_of_the_sentence() -> None:
    assert words_for("en").isolate("עדה") == "\u2068עדה\u2069"


@pytest.mark.parametrize("language", languages())
def test_every_language_has_ten_different_option_letters(language: str) -> None:
    letters = [words_for(language).letter(place) for place in range(10)]
    assert len(set(letters)) == 10


def test_an_update_keeps_translations_and_header_and_drops_what_is_unused(tmp_path: Path) -> None:
    template = Catalog(fuzzy=False)
    template.add("Save", locations=[("cogs/a.py", 0)])
    template.add("Saved", locations=[("cogs/a.py", 0)])
    path = tmp_path / "de.po"
    header = '# German.\nmsgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=utf-8\\n"'
    path.write_text(f'{header}\n\nmsgid "Gone"\nmsgstr "Weg"\n\nmsgid "Save"\nmsgstr "Speichern"\n', "utf-8")
    update(path, template)
    once = path.read_text("utf-8")
    entries = once.split("\n\n")
    assert entries[0] == header
    assert entries[1:] == [
        '#: cogs/a.py\nmsgid "Save"\nmsgstr "Speichern"',
        '#: cogs/a.py\nmsgid "Saved"\nmsgstr ""\n',
    ]
    update(path, template)
    assert path.read_text("utf-8") == once
