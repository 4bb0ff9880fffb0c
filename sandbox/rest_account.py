"""The bot's routes about itself: gateway, users, applications, direct conversations."""

from sandbox import changes, payloads
from sandbox.forms import Form
from sandbox.http import Answer, Call, Route
from sandbox.refusals import Faults, refuse


async def get_gateway(call: Call) -> Answer:
    """Tell where the gateway is."""
    return Answer({"url": call.hub.gateway_url})


async def get_gateway_bot(call: Call) -> Answer:
    """Tell where the gateway is, and how many shards there should be."""
    limit = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}
    return Answer({"url": call.hub.gateway_url, "shards": 1, "session_start_limit": limit})


async def get_me(call: Call) -> Answer:
    """Show the bot's own user."""
    return Answer(payloads.own_user(call.hub))


async def get_user(call: Call) -> Answer:
    """Show a user."""
    person = call.hub.world.users.get(call.id("user"))
    if person is None:
        raise refuse(10013)
    return Answer(payloads.user(person))


async def my_guilds(call: Call) -> Answer:
    """List the guilds the bot is in."""
    world = call.hub.world
    guilds = [one for one in world.guilds.values() if world.bot_id in one.members]
    return Answer(
        [
            {
                "id": str(one.id),
                "name": one.name,
                "icon": None,
                "banner": None,
                "owner": False,
                "permissions": "0",
                "features": one.features,
            }
            for one in guilds
        ]
    )


async def open_dm(call: Call) -> Answer:
    """Open the direct conversation with a user, or return it."""
    faults = Faults()
    user_id = Form(call.form(), faults).snowflake("recipient_id", required=True)
    faults.check()
    if user_id is None or user_id not in call.hub.world.users:
        raise refuse(10013)
    if user_id == call.hub.world.bot_id:
        raise refuse(50007)
    return Answer(payloads.channel(call.hub, changes.open_conversation(call.hub, user_id)))


async def my_application(call: Call) -> Answer:
    """Show the bot's application."""
    return Answer(payloads.application(call.hub))


async def get_application(call: Call) -> Answer:
    """Show the bot's application by its id."""
    if call.id("application") != call.hub.world.bot_id:
        raise refuse(10002)
    return Answer(payloads.application(call.hub))


ROUTES = [
    Route("GET", "/gateway", get_gateway, open=True),
    Route("GET", "/gateway/bot", get_gateway_bot),
    Route("GET", "/users/@me", get_me),
    Route("GET", "/users/@me/guilds", my_guilds),
    Route("POST", "/users/@me/channels", open_dm),
    Route("GET", "/users/{user}", get_user),
    Route("GET", "/oauth2/applications/@me", my_application),
    Route("GET", "/applications/@me", my_application),
    Route("GET", "/applications/{application}", get_application),
]
