"""What Discord demands of a message, sent or edited (discord-facts §2 and §4). It raises the refusal and
changes nothing; permissions and existence are checked where the message is sent.
"""

from dataclasses import dataclass

from sandbox.forms import Form
from sandbox.refusals import Faults, refuse
from sandbox.rules_components import ATTACHED, ComponentRules, Part, check_url
from sandbox.wire import JsonObject, as_id, as_list, objects_in, utf16_length
from sandbox.world import (
    COMPONENTS_V2,
    EPHEMERAL,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    VOICE_MESSAGE,
    Message,
)

MOST_CONTENT = 2000
MOST_EMBED_TEXT = 6000
MOST_FILES = 10
PICTURES = ("jpg", "jpeg", "png", "webp", "gif")

MOST_FLAGS = 2**31 - 1
SENT_FLAGS = SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS | VOICE_MESSAGE | COMPONENTS_V2
ANSWER_FLAGS = SENT_FLAGS | EPHEMERAL
EDIT_FLAGS = SUPPRESS_EMBEDS | COMPONENTS_V2


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a message form comes from: which flags it may set, the files uploaded with it, the message it edits."""

    flags: int
    uploads: dict[int, str]
    current: Message | None = None


def check_message(data: JsonObject, setting: Setting, path: tuple[str, ...] = ()) -> None:
    """Examine a message form; raises 50035, 50006 or the 500 for too many bytes of V2 text."""
    faults = Faults()
    form = Form(data, faults, path)
    current = setting.current
    form.text("content", most=MOST_CONTENT)
    form.boolean("tts")
    form.boolean("enforce_nonce")
    _nonce(form)
    form.items("sticker_ids", most=3)
    v2 = _flags(form, setting)
    files = _attachments(form, setting)
    _embeds(form, files)
    _mentions(form)
    _poll(form)
    rules = ComponentRules(v2, files)
    rules.check(form)
    if v2:
        _only_components(form, current)
    faults.check()
    rules.check_bytes()
    if _is_empty(data, setting, files):
        raise refuse(50006)


def _nonce(form: Form) -> None:
    nonce = form.data.get("nonce")
    if nonce is not None and not isinstance(nonce, (str, int)):
        form.fault("nonce", "STRING_TYPE_CONVERT", "Must be a text or a number.")
    elif nonce is not None and len(str(nonce)) > 25:
        form.fault("nonce", "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")


def _flags(form: Form, setting: Setting) -> bool:
    flags = form.integer("flags", 0, MOST_FLAGS)
    current = setting.current
    if flags is not None and flags & ~setting.flags and current is None:
        form.fault("flags", "MESSAGE_FLAGS_INVALID", "These flags cannot be set here")
    if current is not None and current.is_v2:
        if flags is not None and not flags & COMPONENTS_V2:
            form.fault(
                "flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", "IS_COMPONENTS_V2 cannot be removed"
            )
        return True
    return bool((flags or 0) & COMPONENTS_V2)


def _only_components(form: Form, current: Message | None) -> None:
    left = {
        "content": current.content if current else "",
        "embeds": current.embeds if current else [],
        "poll": current.poll if current else None,
    }
    for name in ("content", "embeds", "sticker_ids", "poll"):
        value = form.data[name] if name in form.data else left.get(name)
        if value:
            form.fault(
                name,
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _attachments(form: Form, setting: Setting) -> set[str]:
    names: set[str] = set()
    kept = {file.id: file.filename for file in setting.current.attachments} if setting.current else {}
    listed = form.children("attachments", most=MOST_FILES)
    given_names: dict[int, str] = {}
    for entry in listed:
        number = entry.snowflake("id", required=True)
        name = entry.text("filename", most=1024)
        entry.text("description", most=1024)
        if number is None:
            continue
        if number in setting.uploads:
            given_names[number] = name or setting.uploads[number]
        elif number in kept:
            names.add(kept[number])
        else:
            entry.fault(
                "id",
                "ATTACHMENT_NOT_FOUND",
                "There is neither an upload nor a file of the message with this id",
            )
    if "attachments" not in form.data:
        names |= set(kept.values())
    if len(names) + len(setting.uploads) > MOST_FILES:
        raise refuse(30015)
    names |= {given_names.get(index, name) for index, name in setting.uploads.items()}
    if any(index >= MOST_FILES for index in setting.uploads):
        form.fault("attachments", "BASE_TYPE_MAX_LENGTH", f"Files are numbered from 0 to {MOST_FILES - 1}.")
    return names


def _embeds(form: Form, files: set[str]) -> None:
    total = 0
    for embed in form.children("embeds", most=10):
        texts = [embed.text("title", most=256), embed.text("description", most=4096)]
        if footer := embed.child("footer"):
            texts.append(footer.text("text", most=2048, least=1, required=True))
        if author := embed.child("author"):
            texts.append(author.text("name", most=256, least=1, required=True))
        for field in embed.children("fields", most=25):
            texts.append(field.text("name", most=256, least=1, required=True))
            texts.append(field.text("value", most=1024, least=1, required=True))
        url = embed.text("url", most=2048)
        check_url(embed, "url", url, ("http://", "https://"))
        pictures = [_picture(embed, name, files) for name in ("image", "thumbnail")]
        total += sum(utf16_length(text.strip()) for text in texts if text)
        if not any(texts) and not any(pictures):
            embed.fault("description", "BASE_TYPE_REQUIRED", "This field is required")
    if total > MOST_EMBED_TEXT:
        form.fault(
            "embeds", "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {MOST_EMBED_TEXT}"
        )


def _picture(embed: Form, name: str, files: set[str]) -> bool:
    picture = embed.child(name)
    url = picture.text("url", most=2048) if picture else None
    if picture is None or not url:
        return False
    if url.startswith(ATTACHED):
        filename = url.removeprefix(ATTACHED)
        if filename not in files or filename.rpartition(".")[2].lower() not in PICTURES:
            picture.fault("url", "ATTACHMENT_NOT_FOUND", f"There is no picture for {url}")
    else:
        check_url(picture, "url", url, ("http://", "https://"))
    return True


def _mentions(form: Form) -> None:
    allowed = form.child("allowed_mentions")
    if allowed is None:
        return
    parse = allowed.items("parse", most=3)
    for index, kind in enumerate(parse):
        if kind not in ("roles", "users", "everyone"):
            allowed.faults.add(
                (*allowed.path, "parse", str(index)),
                "BASE_TYPE_CHOICES",
                "Value must be one of ('roles', 'users', 'everyone').",
            )
    allowed.boolean("replied_user")
    for name in ("users", "roles"):
        listed = allowed.items(name, most=100)
        if any(as_id(value) is None for value in listed):
            allowed.fault(name, "NUMBER_TYPE_COERCE", "Must be a list of snowflakes.")
        if listed and name in parse:
            allowed.fault(
                name,
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f"parse:['{name}'] and {name}: [ids...] are mutually exclusive.",
            )


def _poll(form: Form) -> None:
    poll = form.child("poll")
    if poll is None:
        return
    if question := poll.child("question", required=True):
        question.text("text", most=300, least=1, required=True)
    for answer in poll.children("answers", most=10, least=1, required=True):
        if media := answer.child("poll_media", required=True):
            media.text("text", most=55, least=1, required=True)
    poll.integer("duration", 1, 768)
    poll.boolean("allow_multiselect")


def _is_empty(data: JsonObject, setting: Setting, files: set[str]) -> bool:
    current = setting.current
    if files or data.get("sticker_ids") or data.get("poll"):
        return False
    content = data.get("content", current.content if current else None)
    embeds = data.get("embeds", current.embeds if current else None)
    components = data.get("components", current.components if current else None)
    poll = data.get("poll", current.poll if current else None)
    return not ((isinstance(content, str) and content.strip()) or embeds or components or poll)


def texts_of(components: object) -> list[str]:
    """List the Text Displays of a message, in order."""
    found: list[str] = []
    for part in objects_in(components):
        if part.get("type") == Part.TEXT and isinstance(part.get("content"), str):
            found.append(part["content"])
        if as_list(part.get("components")) is not None:
            found += texts_of(part["components"])
    return found
