"""How Discord says no: an HTTP status, a code and words, and for a bad form the tree that names each field.
Nothing here decides whether to refuse.
"""

from sandbox.wire import JsonObject


class Refusal(Exception):
    """A request that Discord would answer with an error."""

    def __init__(self, status: int, code: int, message: str, errors: JsonObject | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> JsonObject:
        """Write the answer's body."""
        body: JsonObject = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


_KNOWN: dict[int, tuple[int, str]] = {
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10002: (404, "Unknown Application"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    30015: (400, "Maximum number of attachments in a message reached (10)"),
    30032: (400, "Maximum number of application commands reached (100)"),
    30034: (400, "Max number of daily application command creates has been reached (200)"),
    40005: (413, "Request entity too large"),
    40058: (400, "Cannot message this thread until after the post author has sent an initial message."),
    40060: (400, "Interaction has already been acknowledged."),
    40067: (400, "A tag is required to create a forum post in this channel"),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50034: (400, "You can only bulk delete messages that are under 14 days old."),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160002: (400, "Cannot reply without permission to read message history"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
}


def refuse(code: int) -> Refusal:
    """Make the refusal for one of Discord's codes."""
    status, message = _KNOWN[code]
    return Refusal(status, code, message)


def unauthorized() -> Refusal:
    """Make the answer to a missing or wrong token."""
    return Refusal(401, 0, "401: Unauthorized")


def not_found() -> Refusal:
    """Make the answer to a path that does not exist."""
    return Refusal(404, 0, "404: Not Found")


def server_error() -> Refusal:
    """Make the answer of a server that broke."""
    return Refusal(500, 0, "500: Internal Server Error")


class Faults:
    """The faults of one form, gathered by field, so that all are told at once."""

    def __init__(self) -> None:
        self._tree: JsonObject = {}

    def add(self, path: tuple[str, ...], code: str, message: str) -> None:
        """Note a fault of the field at this path."""
        node = self._tree
        for step in path:
            node = node.setdefault(step, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def check(self) -> None:
        """Raise 50035 if there are any."""
        if self._tree:
            raise Refusal(400, 50035, "Invalid Form Body", self._tree)


def bad_form(field: str, code: str, message: str) -> Refusal:
    """Make a 50035 with one fault."""
    return Refusal(
        400, 50035, "Invalid Form Body", {field: {"_errors": [{"code": code, "message": message}]}}
    )
