"""What Discord demands of the components of a message, classic and V2 (discord-facts §3 and §4). It notes
faults in the form; only the size limit that Discord answers with a 500 is raised at once.
"""

from collections.abc import Callable
from enum import IntEnum

from sandbox.forms import Form
from sandbox.refusals import server_error
from sandbox.wire import as_id, as_object, utf16_length

MOST_COMPONENTS = 40
MOST_TEXT = 4000
MOST_BYTES = 10_170
BYTES_EACH_TEXT = 12
INT32 = 2**31 - 1
ATTACHED = "attachment://"


class Part(IntEnum):
    """Discord's component types."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    UPLOAD = 19
    RADIO = 21
    CHECKBOXES = 22
    CHECKBOX = 23


SELECTS = (
    Part.STRING_SELECT,
    Part.USER_SELECT,
    Part.ROLE_SELECT,
    Part.MENTIONABLE_SELECT,
    Part.CHANNEL_SELECT,
)
IN_CONTAINER = (Part.ROW, Part.SECTION, Part.TEXT, Part.GALLERY, Part.FILE, Part.SEPARATOR)
TOP_V2 = (*IN_CONTAINER, Part.CONTAINER)
LINK, PREMIUM = 5, 6


class ComponentRules:
    """Examines the components of one message; `files` are the names that attachment:// may use."""

    def __init__(self, v2: bool, files: set[str]) -> None:
        self._v2 = v2
        self._files = files
        self._count = 0
        self._custom_ids: set[str] = set()
        self._ids: set[int] = set()
        self._texts: list[str] = []
        self._checks: dict[int, Callable[[Form], None]] = {
            Part.ROW: self._row,
            Part.SECTION: self._section,
            Part.TEXT: self._text,
            Part.GALLERY: self._gallery,
            Part.FILE: self._file,
            Part.SEPARATOR: self._separator,
            Part.CONTAINER: self._container,
        }

    def check(self, form: Form, name: str = "components") -> None:
        """Examine the whole list in a field of the form."""
        top = form.children(name, most=MOST_COMPONENTS if self._v2 else 5)
        for part in top:
            self._part(part, TOP_V2 if self._v2 else (Part.ROW,))
        if self._count > MOST_COMPONENTS:
            form.fault(
                name,
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"The maximum is {MOST_COMPONENTS} components",
            )
        if sum(utf16_length(text) for text in self._texts) > MOST_TEXT:
            form.fault(
                name,
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                f"The total displayable text size exceeds {MOST_TEXT} characters",
            )

    def check_bytes(self) -> None:
        """Break as Discord does when V2 texts are too long in bytes; call it when the form has no fault."""
        weight = sum(len(text.encode()) for text in self._texts) + BYTES_EACH_TEXT * len(self._texts)
        if weight > MOST_BYTES:
            raise server_error()

    def _part(self, form: Form, allowed: tuple[Part, ...]) -> None:
        kind = form.choice("type", allowed, required=True)
        if kind is None:
            return
        self._note(form)
        self._checks[kind](form)

    def _note(self, form: Form) -> None:
        self._count += 1
        number = form.integer("id", 0, INT32)
        if number:
            if number in self._ids:
                form.fault("id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            self._ids.add(number)

    def _custom_id(self, form: Form) -> None:
        custom_id = form.text("custom_id", most=100, least=1, required=True)
        if custom_id is None:
            return
        if custom_id in self._custom_ids:
            form.fault(
                "custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
            )
        self._custom_ids.add(custom_id)

    def _row(self, form: Form) -> None:
        parts = form.children("components", most=5, least=1, required=True)
        kinds = [part.data.get("type") for part in parts]
        if any(kind in SELECTS for kind in kinds) and len(kinds) > 1:
            form.fault(
                "components",
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )
        for part in parts:
            kind = part.choice("type", (Part.BUTTON, *SELECTS), required=True)
            if kind is None:
                continue
            self._note(part)
            if kind == Part.BUTTON:
                self._button(part)
            else:
                self._custom_id(part)
                check_select(part, kind)

    def _button(self, form: Form) -> None:
        style = form.choice("style", range(1, 7), required=True)
        form.text("label", most=80)
        form.boolean("disabled")
        check_emoji(form)
        if style is None:
            return
        if style == PREMIUM:
            form.snowflake("sku_id", required=True)
            form.forbid(
                ("custom_id", "url", "label", "emoji"), "BUTTON_COMPONENT_PREMIUM", "Not on a premium button"
            )
            return
        if style == LINK:
            url = form.text("url", most=512, least=1, required=True)
            check_url(form, "url", url, ("http://", "https://", "discord://"))
            if form.has("custom_id"):
                form.fault(
                    "custom_id",
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        else:
            self._custom_id(form)
            if form.has("url"):
                form.fault(
                    "url",
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        if not form.data.get("label") and not form.has("emoji"):
            form.fault("label", "BASE_TYPE_REQUIRED", "A button needs a label or an emoji")

    def _section(self, form: Form) -> None:
        for part in form.children("components", most=3, least=1, required=True):
            self._part(part, (Part.TEXT,))
        accessory = form.child("accessory", required=True)
        if accessory is None:
            return
        kind = accessory.choice("type", (Part.BUTTON, Part.THUMBNAIL), required=True)
        if kind is None:
            return
        self._note(accessory)
        if kind == Part.BUTTON:
            self._button(accessory)
        else:
            accessory.text("description", most=1024)
            accessory.boolean("spoiler")
            self._media(accessory, "media")

    def _text(self, form: Form) -> None:
        content = form.text("content", most=MOST_TEXT, least=1, required=True)
        if content is not None:
            self._texts.append(content)

    def _gallery(self, form: Form) -> None:
        for item in form.children("items", most=10, least=1, required=True):
            item.text("description", most=1024)
            item.boolean("spoiler")
            self._media(item, "media")

    def _file(self, form: Form) -> None:
        form.boolean("spoiler")
        media = form.child("file", required=True)
        url = media.text("url", most=2048, least=1, required=True) if media else None
        if media and url and self._is_attachment(media, url) is False:
            media.fault("url", "URL_TYPE_INVALID_SCHEME", 'Scheme must be one of ("attachment").')

    def _separator(self, form: Form) -> None:
        form.boolean("divider")
        form.choice("spacing", (1, 2))

    def _container(self, form: Form) -> None:
        form.integer("accent_color", 0, 0xFFFFFF)
        form.boolean("spoiler")
        for part in form.children("components", most=MOST_COMPONENTS, least=1, required=True):
            self._part(part, IN_CONTAINER)

    def _media(self, form: Form, name: str) -> None:
        media = form.child(name, required=True)
        url = media.text("url", most=2048, least=1, required=True) if media else None
        if media and url and not self._is_attachment(media, url):
            check_url(media, "url", url, ("http://", "https://"))

    def _is_attachment(self, media: Form, url: str) -> bool:
        if not url.startswith(ATTACHED):
            return False
        if url.removeprefix(ATTACHED) not in self._files:
            media.fault(
                "url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", f"There is no file for {url}"
            )
        return True


def check_url(form: Form, name: str, url: str | None, schemes: tuple[str, ...]) -> None:
    """Demand that an address begins with one of a few schemes."""
    if url and not url.startswith(schemes):
        listed = ", ".join(f"'{scheme.removesuffix('://')}'" for scheme in schemes)
        form.fault(name, "URL_TYPE_INVALID_SCHEME", f"Scheme must be one of ({listed}).")


def check_emoji(form: Form) -> None:
    """Examine the emoji of a button or option."""
    emoji = form.child("emoji")
    if emoji is None:
        return
    name = emoji.text("name", most=32)
    number = emoji.snowflake("id")
    if not name and number is None:
        emoji.fault("name", "BASE_TYPE_REQUIRED", "This field is required")
    elif name and number is None and name.isascii():
        emoji.fault("name", "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")


def check_select(form: Form, kind: int, in_modal: bool = False) -> None:
    """Examine a select of any kind."""
    form.text("placeholder", most=150)
    least = form.integer("min_values", 0, 25)
    most = form.integer("max_values", 1, 25)
    form.boolean("disabled")
    if in_modal and form.data.get("disabled"):
        form.fault("disabled", "COMPONENT_DISABLED_IN_MODAL", "A select in a modal cannot be disabled")
    check_bounds(form, "min_values", least, most)
    if kind == Part.STRING_SELECT:
        options = form.children("options", most=25, least=1, required=True)
        defaults = check_options(options)
        # An absent max_values means 1, an absent min_values means 1.
        if (1 if most is None else most) > len(options):
            form.fault("max_values", "SELECT_COMPONENT_MAX_VALUES", "More values than options")
        if defaults > (1 if most is None else most):
            form.fault(
                "options", "SELECT_COMPONENT_DEFAULTS", "More options are preselected than may be chosen"
            )
        return
    for index, value in enumerate(form.items("default_values", most=25)):
        entry = as_object(value)
        if (
            entry is None
            or as_id(entry.get("id")) is None
            or entry.get("type") not in ("user", "role", "channel")
        ):
            form.faults.add(
                (*form.path, "default_values", str(index)), "BASE_TYPE_REQUIRED", "An id and a type"
            )


def check_options(options: list[Form]) -> int:
    """Examine the options of a select or group; returns how many are preselected."""
    values: set[str] = set()
    defaults = 0
    for option in options:
        option.text("label", most=100, least=1, required=True)
        option.text("description", most=100)
        value = option.text("value", most=100, least=1, required=True)
        check_emoji(option)
        defaults += option.boolean("default") is True
        if value is not None and value in values:
            option.fault(
                "value",
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
        values.add(value or "")
    return defaults


def check_bounds(form: Form, name: str, least: int | None, most: int | None) -> None:
    """Demand that a lower bound is not above its upper bound."""
    if least is not None and most is not None and least > most:
        form.fault(name, "BASE_TYPE_MAX", "The least must not be more than the most")
