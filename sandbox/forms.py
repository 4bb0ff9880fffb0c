"""Reading one object of a request: each reader returns the value or notes what is wrong with it, by path.
What the fields mean is for the rules modules.
"""

from collections.abc import Collection
from typing import Any

from sandbox.refusals import Faults
from sandbox.wire import JsonObject, as_id, as_list, as_object, utf16_length


class Form:
    """An object under examination. Absent and null fields read as None."""

    def __init__(self, data: JsonObject, faults: Faults, path: tuple[str, ...] = ()) -> None:
        self.data = data
        self.faults = faults
        self.path = path

    def has(self, name: str) -> bool:
        """Say whether the field is there and not null."""
        return self.data.get(name) is not None

    def fault(self, name: str | None, code: str, message: str) -> None:
        """Note a fault of a field, or of the object itself."""
        self.faults.add((*self.path, name) if name else self.path, code, message)

    def need(self, name: str) -> bool:
        """Demand that the field is there."""
        if not self.has(name):
            self.fault(name, "BASE_TYPE_REQUIRED", "This field is required")
            return False
        return True

    def text(self, name: str, most: int, least: int = 0, required: bool = False) -> str | None:
        """Read a text of a certain length."""
        if not self._present(name, required):
            return None
        value = self.data[name]
        if not isinstance(value, str):
            self.fault(name, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return None
        length = utf16_length(value)
        if length > most or length < least:
            if least == 0:
                self.fault(name, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
            elif length == 0 and required:
                self.fault(name, "BASE_TYPE_REQUIRED", "This field is required")
            else:
                self.fault(name, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return value

    def integer(self, name: str, least: int, most: int, required: bool = False) -> int | None:
        """Read a whole number within bounds."""
        if not self._present(name, required):
            return None
        value = self.data[name]
        number = _whole(value)
        if number is None:
            self.fault(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
        elif number < least:
            self.fault(name, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {least}.")
        elif number > most:
            self.fault(name, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {most}.")
        return number

    def boolean(self, name: str) -> bool | None:
        """Read true or false."""
        value = self.data.get(name)
        if value is not None and not isinstance(value, bool):
            self.fault(name, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
            return None
        return value

    def choice(self, name: str, allowed: Collection[int], required: bool = False) -> int | None:
        """Read a number that must be one of a few."""
        if not self._present(name, required):
            return None
        number = self.data[name]
        if isinstance(number, bool) or not isinstance(number, int) or number not in allowed:
            listed = ", ".join(str(value) for value in sorted(allowed))
            self.fault(name, "BASE_TYPE_CHOICES", f"Value must be one of ({listed}).")
            return None
        return number

    def snowflake(self, name: str, required: bool = False) -> int | None:
        """Read an id."""
        if not self._present(name, required):
            return None
        value = as_id(self.data[name])
        if value is None:
            self.fault(name, "NUMBER_TYPE_COERCE", f'Value "{self.data[name]}" is not snowflake.')
        return value

    def child(self, name: str, required: bool = False) -> "Form | None":
        """Read an object."""
        if not self._present(name, required):
            return None
        value = as_object(self.data[name])
        if value is None:
            self.fault(name, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
            return None
        return Form(value, self.faults, (*self.path, name))

    def items(self, name: str, most: int, least: int = 0, required: bool = False) -> list[Any]:
        """Read an array of a certain length."""
        if not self._present(name, required):
            return []
        values = as_list(self.data[name])
        if values is None:
            self.fault(name, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not least <= len(values) <= most:
            self.fault(name, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")
        return values

    def children(self, name: str, most: int, least: int = 0, required: bool = False) -> list["Form"]:
        """Read an array of objects."""
        forms: list[Form] = []
        for index, value in enumerate(self.items(name, most, least, required)):
            item = as_object(value)
            if item is None:
                self.faults.add(
                    (*self.path, name, str(index)), "MODEL_TYPE_CONVERT", "Only dictionaries may be used"
                )
            else:
                forms.append(Form(item, self.faults, (*self.path, name, str(index))))
        return forms

    def forbid(self, names: Collection[str], code: str, message: str) -> None:
        """Demand that these fields are absent or empty."""
        for name in names:
            if self.data.get(name):
                self.fault(name, code, message)

    def _present(self, name: str, required: bool) -> bool:
        return self.need(name) if required else self.has(name)


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, float) and value.is_integer() else None
