"""The bot's routes for application commands, global ones and those of a guild."""

from collections import Counter
from datetime import datetime, timedelta

from sandbox import access, payloads
from sandbox.events import WorldChanged
from sandbox.forms import Form
from sandbox.http import NO_CONTENT, Answer, Call, Route
from sandbox.hub import Hub
from sandbox.refusals import Faults, Refusal, refuse
from sandbox.rules_commands import MESSAGE_MENU, SLASH, USER_MENU, check_command
from sandbox.wire import JsonObject, as_list, as_object, objects_in
from sandbox.world import Command

MOST_OF_KIND = {SLASH: 100, USER_MENU: 15, MESSAGE_MENU: 15}
CREATES_A_DAY = 200
_KEPT_FIELDS = (
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "options",
    "default_member_permissions",
    "contexts",
    "integration_types",
    "nsfw",
    "dm_permission",
)


async def list_commands(call: Call) -> Answer:
    """List the commands."""
    scope = _scope(call)
    localised = call.flag("with_localizations")
    return Answer([payloads.command(call.hub, one, localised) for one in _commands(call.hub, scope)])


async def get_command(call: Call) -> Answer:
    """Show a command."""
    return Answer(payloads.command(call.hub, _command(call, _scope(call))))


async def overwrite_commands(call: Call) -> Answer:
    """Replace all commands by a list; what is not in it is deleted."""
    hub, scope = call.hub, _scope(call)
    listed = as_list(call.body)
    if listed is None:
        raise Refusal(
            400, 50035, "Invalid Form Body", {"_errors": [{"code": "LIST_TYPE_CONVERT", "message": "A list"}]}
        )
    faults = Faults()
    forms = [Form(as_object(one) or {}, faults, (str(index),)) for index, one in enumerate(listed)]
    seen: set[tuple[int, str]] = set()
    for form in forms:
        check_command(form, scope is not None)
        key = _key(form.data)
        if key in seen:
            form.fault(
                "name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
        seen.add(key)
    faults.check()
    kinds = Counter(kind for kind, _ in seen)
    if any(count > MOST_OF_KIND[kind] for kind, count in kinds.items()):
        raise refuse(30032)
    existing = {_key(one.data): one for one in _commands(hub, scope)}
    _count_creates(hub, scope, sum(key not in existing for key in seen))
    for command in existing.values():
        del hub.world.commands[command.id]
    made = [_register(hub, scope, form.data, existing.get(_key(form.data))) for form in forms]
    hub.feed.publish(WorldChanged())
    return Answer([payloads.command(hub, one) for one in made])


async def create_command(call: Call) -> Answer:
    """Add a command; one of the same name and kind is replaced."""
    hub, scope = call.hub, _scope(call)
    data = _checked(call.form(), scope)
    existing = {_key(one.data): one for one in _commands(hub, scope)}
    earlier = existing.get(_key(data))
    if earlier is None:
        kind = _key(data)[0]
        if sum(key[0] == kind for key in existing) >= MOST_OF_KIND[kind]:
            raise refuse(30032)
        _count_creates(hub, scope, 1)
    command = _register(hub, scope, data, earlier)
    hub.feed.publish(WorldChanged())
    return Answer(payloads.command(hub, command), 200 if earlier else 201)


async def edit_command(call: Call) -> Answer:
    """Change some fields of a command."""
    scope = _scope(call)
    command = _command(call, scope)
    data = _checked({**command.data, **call.form(), "type": command.data["type"]}, scope)
    changed = _register(call.hub, scope, data, command)
    call.hub.feed.publish(WorldChanged())
    return Answer(payloads.command(call.hub, changed))


async def delete_command(call: Call) -> Answer:
    """Delete a command."""
    command = _command(call, _scope(call))
    del call.hub.world.commands[command.id]
    call.hub.feed.publish(WorldChanged())
    return NO_CONTENT


def _scope(call: Call) -> int | None:
    if call.id("application") != call.hub.world.bot_id:
        raise refuse(10002)
    return access.guild(call.hub, call.id("guild")).id if "guild" in call.params else None


def _commands(hub: Hub, scope: int | None) -> list[Command]:
    return [one for one in hub.world.commands.values() if one.guild_id == scope]


def _command(call: Call, scope: int | None) -> Command:
    command = call.hub.world.commands.get(call.id("command"))
    if command is None or command.guild_id != scope:
        raise refuse(10063)
    return command


def _key(data: JsonObject) -> tuple[int, str]:
    kind = data.get("type")
    return kind if isinstance(kind, int) and kind in MOST_OF_KIND else SLASH, str(data.get("name"))


def _checked(data: JsonObject, scope: int | None) -> JsonObject:
    faults = Faults()
    check_command(Form(data, faults), scope is not None)
    faults.check()
    return data


def _register(hub: Hub, scope: int | None, form: JsonObject, earlier: Command | None) -> Command:
    data = _tidy(form)
    if earlier and earlier.data == data:
        command = earlier
    else:
        command = Command(
            earlier.id if earlier else hub.clock.snowflake(), hub.clock.snowflake(), scope, data
        )
    hub.world.commands[command.id] = command
    return command


def _tidy(form: JsonObject) -> JsonObject:
    data: JsonObject = {"type": _key(form)[0]}
    data |= {name: form[name] for name in _KEPT_FIELDS if name in form}
    data.setdefault("description", "")
    data.setdefault("nsfw", False)
    bits = form.get("default_member_permissions")
    data["default_member_permissions"] = None if bits is None else str(bits)
    return _drop_same_as_default(data)


def _drop_same_as_default(data: JsonObject) -> JsonObject:
    tidy = dict(data)
    for name in ("name", "description"):
        texts = as_object(tidy.get(f"{name}_localizations"))
        if texts is not None:
            different = {key: text for key, text in texts.items() if text not in (None, tidy.get(name))}
            tidy[f"{name}_localizations"] = different or None
    for name in ("options", "choices"):
        if name in tidy:
            tidy[name] = [_drop_same_as_default(one) for one in objects_in(tidy[name])]
    return tidy


def _count_creates(hub: Hub, scope: int | None, count: int) -> None:
    now: datetime = hub.clock.now()
    created = hub.command_creates.setdefault(scope, [])
    created[:] = [at for at in created if at > now - timedelta(days=1)]
    if len(created) + count > CREATES_A_DAY:
        raise refuse(30034)
    created += [now] * count


_GLOBAL = "/applications/{application}/commands"
_GUILD = "/applications/{application}/guilds/{guild}/commands"
ROUTES = [
    Route(method, path + tail, handler)
    for path in (_GLOBAL, _GUILD)
    for method, tail, handler in (
        ("GET", "", list_commands),
        ("PUT", "", overwrite_commands),
        ("POST", "", create_command),
        ("GET", "/{command}", get_command),
        ("PATCH", "/{command}", edit_command),
        ("DELETE", "/{command}", delete_command),
    )
]
