"""How the control interface says no: a status, and in words what is wrong and what to do."""


class Fault(Exception):
    """A request to the control interface that cannot be carried out."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
