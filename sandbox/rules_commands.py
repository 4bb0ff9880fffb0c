"""What Discord demands of an application command (discord-facts §6). It notes faults in the form and never
registers.
"""

import unicodedata
from collections.abc import Iterator

from sandbox.forms import Form
from sandbox.wire import JsonObject, as_object, objects_in, utf16_length

SLASH, USER_MENU, MESSAGE_MENU = 1, 2, 3
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN = 1, 2, 3, 4, 5
USER_OPTION, CHANNEL_OPTION, ROLE_OPTION, MENTIONABLE_OPTION, NUMBER, FILE_OPTION = 6, 7, 8, 9, 10, 11
WITH_CHOICES = (STRING, INTEGER, NUMBER)
MOST_TOTAL = 8000
SAFE_INTEGER = 2**53 - 1

LOCALES = frozenset(
    (
        *(
            "id",
            "da",
            "de",
            "en-GB",
            "en-US",
            "es-ES",
            "es-419",
            "fr",
            "hr",
            "it",
            "lt",
            "hu",
            "nl",
            "no",
            "pl",
        ),
        *("pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja"),
        *("zh-TW", "ko"),
    )
)


def check_command(form: Form, in_guild: bool) -> None:
    """Examine one command."""
    kind = form.choice("type", (SLASH, USER_MENU, MESSAGE_MENU)) or SLASH
    menu = kind != SLASH
    _name(form, menu)
    if menu:
        form.forbid(
            ("description",), "APPLICATION_COMMAND_MENU_DESCRIPTION", "Context menus have no description"
        )
        form.forbid(("options",), "APPLICATION_COMMAND_MENU_OPTIONS", "Context menus have no options")
    else:
        _described(form)
        _options(form, depth=0)
    _permissions(form)
    _contexts(form, in_guild)
    if not menu and total_text(form.data) > MOST_TOTAL:
        form.fault(None, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MOST_TOTAL})")


def is_command_name(name: str) -> bool:
    """Say whether a text is a slash command's or option's name, in any language."""
    return 1 <= len(name) <= 32 and all(
        _fits(character) and character == character.lower() for character in name
    )


def _fits(character: str) -> bool:
    code = ord(character)
    scripts = 0x0900 <= code <= 0x097F or 0xA8E0 <= code <= 0xA8FF or 0x0E00 <= code <= 0x0E7F
    return character in "-_'" or scripts or unicodedata.category(character)[0] in "LN"


def _name(form: Form, menu: bool) -> None:
    name = form.text("name", most=32, least=1, required=True)
    if name and not menu and not is_command_name(name):
        form.fault("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    for locale, text in _localised(form, "name_localizations", 32):
        if not menu and not is_command_name(text):
            path = (*form.path, "name_localizations", locale)
            form.faults.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _described(form: Form) -> None:
    form.text("description", most=100, least=1, required=True)
    for _ in _localised(form, "description_localizations", 100):
        pass


def _localised(form: Form, field: str, most: int) -> Iterator[tuple[str, str]]:
    entries = form.child(field)
    for locale in entries.data if entries else ():
        if entries is None:
            return
        if locale not in LOCALES:
            entries.fault(locale, "BASE_TYPE_CHOICES", "There is no such locale.")
        elif text := entries.text(locale, most=most, least=1, required=entries.data[locale] is not None):
            yield locale, text


def _options(form: Form, depth: int) -> None:
    options = form.children("options", most=25)
    allowed = range(1, 12) if depth == 0 else (SUBCOMMAND, *range(3, 12)) if depth == 1 else range(3, 12)
    names: set[str] = set()
    optional_seen = False
    kinds: set[bool] = set()
    for option in options:
        kind = option.choice("type", allowed, required=True)
        _name(option, menu=False)
        _described(option)
        name = str(option.data.get("name"))
        if name in names:
            option.fault(
                "name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists"
            )
        names.add(name)
        if kind is None:
            continue
        nested = kind in (SUBCOMMAND, GROUP)
        kinds.add(nested)
        if nested:
            # A group holds only subcommands; a subcommand holds only values.
            _options(option, 1 if kind == GROUP else 2)
            continue
        required = option.boolean("required")
        if required and optional_seen:
            option.fault(
                "required",
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional_seen = optional_seen or not required
        _value_option(option, kind)
    if len(kinds) == 2:
        form.fault(
            "options",
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    _option_names_differ(form, options)


def _option_names_differ(form: Form, options: list[Form]) -> None:
    defaults = {str(option.data.get("name")) for option in options}
    used: set[tuple[str, str]] = set()
    for option in options:
        for locale, text in (as_object(option.data.get("name_localizations")) or {}).items():
            taken = str(text) in defaults and text != option.data.get("name")
            if text is not None and (taken or (locale, str(text)) in used):
                path = (*option.path, "name_localizations", locale)
                form.faults.add(
                    path, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists"
                )
            used.add((locale, str(text)))


def _value_option(option: Form, kind: int) -> None:
    automatic = option.boolean("autocomplete")
    choices = option.children("choices", most=25)
    if choices and kind not in WITH_CHOICES:
        option.fault("choices", "APPLICATION_COMMAND_OPTION_CHOICES_INVALID", "This type has no choices")
    if automatic and (choices or kind not in WITH_CHOICES):
        option.fault(
            "autocomplete",
            "APPLICATION_COMMAND_OPTION_AUTOCOMPLETE_INVALID",
            "Autocomplete needs a text or number option without choices",
        )
    names: set[str] = set()
    for choice in choices:
        check_choice(choice, kind)
        if (name := str(choice.data.get("name"))) in names:
            choice.fault(
                "name", "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", "Option choice name exists"
            )
        names.add(name)
    if kind == STRING:
        least, most = option.integer("min_length", 0, 6000), option.integer("max_length", 1, 6000)
        if least is not None and most is not None and least > most:
            option.fault("min_length", "BASE_TYPE_MAX", "The least must not be more than the most")
    if kind == CHANNEL_OPTION:
        option.items("channel_types", most=20)


def check_choice(choice: Form, kind: int) -> None:
    """Examine a choice of an option, or one that autocomplete offers."""
    choice.text("name", most=100, least=1, required=True)
    for _ in _localised(choice, "name_localizations", 100):
        pass
    if kind == STRING:
        choice.text("value", most=100, required=choice.data.get("value") != "")
    elif kind == INTEGER:
        choice.integer("value", -SAFE_INTEGER, SAFE_INTEGER, required=True)
    elif not isinstance(choice.data.get("value"), (int, float)):
        choice.fault("value", "NUMBER_TYPE_COERCE", "Must be a number.")


def _permissions(form: Form) -> None:
    value = form.data.get("default_member_permissions")
    if value is None:
        return
    if isinstance(value, bool) or not (
        isinstance(value, int) or (isinstance(value, str) and value.isdigit())
    ):
        form.fault("default_member_permissions", "NUMBER_TYPE_COERCE", "Must be permission bits.")


def _contexts(form: Form, in_guild: bool) -> None:
    contexts = form.items("contexts", most=3, least=1)
    installs = form.items("integration_types", most=2, least=1)
    if in_guild:
        form.forbid(
            ("contexts", "integration_types"), "GUILD_COMMAND_CONTEXTS", "Only global commands have these"
        )
        return
    for name, values, known in (("contexts", contexts, (0, 1, 2)), ("integration_types", installs, (0, 1))):
        for index, value in enumerate(values):
            if value not in known:
                form.faults.add(
                    (*form.path, name, str(index)), "BASE_TYPE_CHOICES", "There is no such value."
                )
    if 2 in contexts and 1 not in installs:
        form.fault("contexts", "PRIVATE_CHANNEL_NEEDS_USER_INSTALL", "Private channels need the user install")


def total_text(data: JsonObject) -> int:
    """Count a command's text as Discord limits it: each field by the longest of its languages, with all options."""
    total = _longest(data, "name") + _longest(data, "description")
    value = data.get("value")
    total += utf16_length(value) if isinstance(value, str) else 0
    for part in ("options", "choices"):
        total += sum(total_text(one) for one in objects_in(data.get(part)))
    return total


def _longest(data: JsonObject, field: str) -> int:
    texts = [data.get(field), *(as_object(data.get(f"{field}_localizations")) or {}).values()]
    return max((utf16_length(text) for text in texts if isinstance(text, str)), default=0)
