"""Members who play by themselves, over plain HTTP and with the clock held: what they press, what they leave, and when
they stop."""

from collections import Counter

import pytest

V2, EPHEMERAL = 1 << 15, 64
ENOUGH_S = 60


def option(letter, *, disabled=False):
    return {
        "type": 9,
        "components": [{"type": 10, "content": f"{letter} · text"}],
        "accessory": {
            "type": 2,
            "style": 2,
            "label": letter,
            "custom_id": f"answer:{letter}",
            "disabled": disabled,
        },
    }


def button(label, style, custom_id):
    return {"type": 2, "style": style, "label": label, "custom_id": custom_id}


def row(*parts):
    return {"type": 1, "components": list(parts)}


CONTROLS = row(
    button("⏳", 2, "more"), button("🌐", 2, "language"), {**button("x", 5, ""), "url": "https://x.org"}
)
del CONTROLS["components"][2]["custom_id"]
QUESTION = [{"type": 17, "components": [*(option(letter) for letter in "ABCD"), CONTROLS]}]
LOBBY = [row(button("Join", 1, "join"), button("Start now", 3, "go"), button("⚙️", 2, "controls"))]
SELECT = {
    "type": 3,
    "custom_id": "mark",
    "min_values": 2,
    "max_values": 3,
    "options": [{"label": one, "value": one} for one in "ABCD"],
}


class Round:
    """A bot's side of a round: it hears what the players press, and answers as it is told to."""

    def __init__(self, wire, gateway):
        self.wire, self.gateway = wire, gateway
        self.heard = []

    async def say(self, components, channel="quiz-night"):
        body = {"flags": V2, "components": components}
        return (await self.wire.send(body, channel)).body["id"]

    async def play(self, count=3, channel="quiz-night", **fields):
        fields = {"pace": "quick", "seed": 7, "channel": self.wire.channels[channel], **fields}
        return await self.wire.control("POST", "players", action="start", count=count, **fields)

    async def hear(self, seconds=ENOUGH_S, answer=None):
        """Let time pass second by second; returns who pressed what in it. `answer` makes the first answer."""
        heard = []
        for _ in range(seconds):
            before = (await self.wire.control("GET", "players"))["presses"]
            await self.wire.pass_time(1)
            for _ in range((await self.wire.control("GET", "players"))["presses"] - before):
                event = await self.gateway.event("INTERACTION_CREATE")
                heard.append((event["member"]["user"]["global_name"], event["data"], event))
                kind, data = (answer(event) if answer else None) or (6, None)
                assert (await self.wire.answer(event, kind, data)).status < 300
        self.heard += heard
        return [(name, data["custom_id"]) for name, data, _ in heard]


@pytest.fixture
async def table(wire):
    gateway = await wire.gateway()
    await gateway.ready()
    return Round(wire, gateway)


async def test_every_player_answers_an_open_question_once_or_changes_their_mind(table):
    began = await table.play(4, without=[table.wire.members["Maya"]])
    names = {name for name, member in table.wire.members.items() if member in began["members"]}
    assert names == {"Ada", "Kerem", "Tom", "Elif"}
    await table.say(QUESTION)
    pressed = await table.hear()
    assert {name for name, _ in pressed} == names
    assert {custom_id for _, custom_id in pressed} <= {f"answer:{letter}" for letter in "ABCD"}
    assert max(Counter(name for name, _ in pressed).values()) <= 2


async def test_over_many_questions_minds_change_and_no_option_is_preferred(table):
    await table.play(5)
    pressed = []
    for _ in range(12):
        await table.say(QUESTION)
        pressed += await table.hear(10)
    assert 60 < len(pressed) < 90
    assert min(Counter(custom_id for _, custom_id in pressed).values()) > 8


async def test_the_same_seed_plays_the_same_round(table):
    rounds = []
    for _ in range(2):
        await table.play(5, seed=11)
        message = await table.say(QUESTION)
        rounds.append(await table.hear())
        await table.wire.control("POST", "world", action="delete_message", message=message)
    assert rounds[0] == rounds[1]


async def test_a_calm_player_takes_longer_than_a_quick_one(table):
    await table.play(5, pace="quick")
    await table.say(QUESTION)
    assert len({name for name, _ in await table.hear(4)}) == 5
    await table.play(5, pace="calm")
    await table.say(QUESTION)
    assert await table.hear(3) == []
    assert len({name for name, _ in await table.hear(20)}) == 5


async def test_an_edit_that_offers_the_same_is_no_new_question_and_one_that_closes_it_is_the_end(table):
    await table.play(3, pace="calm")
    message = await table.say(QUESTION)
    path = f"/channels/{table.wire.channels['quiz-night']}/messages/{message}"
    await table.hear(20)
    for count in range(3):
        await table.wire.call("PATCH", path, {"components": [*QUESTION, {"type": 10, "content": str(count)}]})
    await table.hear(20)
    closed = [{"type": 17, "components": [option(letter, disabled=True) for letter in "ABCD"]}]
    later = await table.say(QUESTION)
    await table.wire.call("PATCH", path.replace(message, later), {"components": closed})
    assert await table.hear() == []
    assert max(Counter(name for name, *_ in table.heard).values()) <= 2


async def test_a_lobby_is_joined_once_and_its_other_buttons_are_left(table):
    await table.play(3)
    await table.say(LOBBY)
    assert sorted(await table.hear()) == [(name, "join") for name in ("Elif", "Kerem", "Tom")]


async def test_a_private_select_is_filled_in_and_a_locking_answer_is_locked(table):
    def choose(event):
        if event["data"]["custom_id"] == "choose":
            return 4, {"flags": V2 | EPHEMERAL, "components": [row(SELECT)]}
        return 7, {"components": [{"type": 10, "content": "Saved"}]}

    await table.play(2)
    await table.say([row(button("Choose answers", 1, "choose"))])
    pressed = await table.hear(answer=choose)
    assert {custom_id for _, custom_id in pressed} == {"choose", "mark"}
    for _, data, _ in table.heard:
        if data["custom_id"] == "mark":
            assert 2 <= len(set(data["values"])) <= 3

    def lock(event):
        if event["data"]["custom_id"] == "lock":
            return 7, {"components": [{"type": 10, "content": "Right"}]}
        card = [row(button("Lock it in", 1, "lock"), button("Choose again", 2, "again"))]
        return 4, {"flags": V2 | EPHEMERAL, "components": card}

    await table.say(QUESTION)
    pressed = await table.hear(answer=lock)
    assert {name for name, custom_id in pressed if custom_id == "lock"} == {"Tom", "Elif"}
    assert "again" not in {custom_id for _, custom_id in pressed}


async def test_a_private_answer_to_a_lone_button_leads_nowhere(table):
    def offer_more(event):
        return 4, {"flags": V2 | EPHEMERAL, "components": [row(button("Play again", 1, "again"))]}

    await table.play(2)
    await table.say([row(button("My result", 1, "result"), button("Review", 2, "review"))])
    assert sorted(await table.hear(answer=offer_more)) == [("Elif", "result"), ("Tom", "result")]


async def test_what_already_stands_open_is_answered_and_older_messages_are_left(table):
    await table.say(LOBBY)
    await table.say(QUESTION)
    await table.say([{"type": 10, "content": "no buttons here"}])
    await table.play(2)
    assert {custom_id.partition(":")[0] for _, custom_id in await table.hear()} == {"answer"}


async def test_threads_of_the_channel_belong_to_it_and_other_channels_do_not(table):
    wire = table.wire
    thread = await wire.control(
        "POST", "world", action="create_thread", channel=wire.channels["quiz-night"], name="Round"
    )
    wire.channels["Round"] = thread["id"]
    await table.play(2)
    await table.say(QUESTION, "general")
    assert await table.hear() == []
    await table.say(QUESTION, "Round")
    assert {name for name, _ in await table.hear()} == {"Tom", "Elif"}


async def test_messages_of_members_and_answers_for_others_are_nothing_to_play(table):
    wire = table.wire
    await table.play(2)
    await wire.control(
        "POST", "send", member=wire.members["Ada"], channel=wire.channels["quiz-night"], content="A or B?"
    )
    await wire.control(
        "POST", "press", member=wire.members["Ada"], message=await table.say(LOBBY), custom_id="go"
    )
    event = await table.gateway.event("INTERACTION_CREATE")
    private = {"flags": V2 | EPHEMERAL, "components": QUESTION}
    await wire.answer(event, 4, private)
    assert {custom_id for _, custom_id in await table.hear()} == {"join"}


async def test_a_press_without_an_answer_is_made_again_a_bounded_number_of_times(table):
    wire = table.wire
    await table.play(1, pace="quick")
    await table.say(QUESTION)
    for _ in range(2 * ENOUGH_S):
        await wire.pass_time(1)
    assert (await wire.control("GET", "players"))["presses"] == 6


async def test_players_wait_while_the_bot_is_away(table):
    wire = table.wire
    await table.play(2, pace="calm")
    await table.say(QUESTION)
    await table.gateway.close()
    for _ in range(ENOUGH_S):
        await wire.pass_time(1)
    assert (await wire.control("GET", "players"))["presses"] == 0
    table.gateway = await wire.gateway()
    await table.gateway.ready()
    assert {name for name, _ in await table.hear()} == {"Tom", "Elif"}


async def test_a_deleted_question_and_a_channel_one_no_longer_sees_are_left(table):
    wire = table.wire
    await table.play(2, pace="calm")
    await wire.control("POST", "world", action="delete_message", message=await table.say(QUESTION))
    assert await table.hear() == []
    await table.say(QUESTION)
    await wire.overwrite("quiz-night", wire.members["Tom"], deny=1 << 10)
    assert {name for name, _ in await table.hear()} == {"Elif"}


async def test_they_stop_when_told_and_after_their_time(table):
    began = await table.play(2, minutes=5)
    assert (began["playing"], began["until"]) == (True, "2026-03-01T20:05:00.000Z")
    await table.say(QUESTION)
    stopped = await table.wire.control("POST", "players", action="stop")
    assert stopped == {
        "playing": False, "channel": None, "members": [], "pace": None, "seed": None, "until": None, "presses": 0,
    }  # fmt: skip
    await table.wire.pass_time(ENOUGH_S)
    await table.play(2, minutes=1)
    await table.hear()
    assert not (await table.wire.control("GET", "players"))["playing"]


async def test_pages_hear_that_somebody_began_or_stopped_to_play(table):
    wire = table.wire
    url = f"{wire.base.replace('http', 'ws')}/control/live?member={wire.members['Ada']}"
    async with wire.http.ws_connect(url) as socket:
        await table.play(2)
        assert await socket.receive_json(timeout=5) == {"type": "world"}
        await wire.control("POST", "players", action="stop")
        assert await socket.receive_json(timeout=5) == {"type": "world"}


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "dance"},
        {"action": "start", "channel": "1", "count": 2},
        {"action": "start", "channel": "{quiz}"},
        {"action": "start", "channel": "{quiz}", "count": 0},
        {"action": "start", "channel": "{quiz}", "count": "NaN"},
        {"action": "start", "channel": "{quiz}", "count": 2, "pace": "hasty"},
        {"action": "start", "channel": "{quiz}", "count": 2, "minutes": 0},
        {"action": "start", "channel": "{quiz}", "count": 2, "minutes": 1e9},
        {"action": "start", "channel": "{quiz}", "count": 2, "without": "Ada"},
    ],
)
async def test_faults_are_told_in_words(wire, fields):
    filled = {
        name: value.format(quiz=wire.channels["quiz-night"]) if isinstance(value, str) else value
        for name, value in fields.items()
    }
    expect = 404 if fields.get("channel") == "1" else 400
    assert len((await wire.control("POST", "players", expect=expect, **filled))["error"]) > 10


async def test_members_are_made_with_names_and_languages_of_their_own(wire):
    made = await wire.control("POST", "world", action="create_members", count=20)
    members = (await wire.control("GET", "world"))["guilds"][0]["members"]
    new = [one for one in members if one["id"] in made["ids"]]
    assert len({one["name"] for one in members}) == len(members) == 27
    assert {one["locale"] for one in new} == {"tr", "en-US", "en-GB"}
    assert new[0]["name"] == "Zeynep"
    for count in (0, 1001):
        await wire.control("POST", "world", expect=400, action="create_members", count=count)
