"""What Discord demands of a modal (discord-facts §5). It notes faults in the form."""

from sandbox.forms import Form
from sandbox.rules_components import SELECTS, Part, check_bounds, check_options, check_select

MOST_PARTS = 5
MOST_INPUT = 4000
IN_LABEL = (Part.TEXT_INPUT, *SELECTS, Part.UPLOAD, Part.RADIO, Part.CHECKBOXES, Part.CHECKBOX)


def check_modal(form: Form) -> None:
    """Examine a modal."""
    form.text("title", most=45, least=1, required=True)
    form.text("custom_id", most=100, least=1, required=True)
    custom_ids: set[str] = set()
    for part in form.children("components", most=MOST_PARTS, least=1, required=True):
        kind = part.choice("type", (Part.ROW, Part.TEXT, Part.LABEL), required=True)
        if kind == Part.LABEL:
            _label(part, custom_ids)
        elif kind == Part.TEXT:
            part.text("content", most=4000, least=1, required=True)
        elif kind == Part.ROW:
            _row(part, custom_ids)


def _label(form: Form, custom_ids: set[str]) -> None:
    form.text("label", most=45, least=1, required=True)
    form.text("description", most=100)
    field = form.child("component", required=True)
    kind = field.choice("type", IN_LABEL, required=True) if field else None
    if field is None or kind is None:
        return
    _custom_id(field, custom_ids)
    required = field.boolean("required")
    if kind == Part.TEXT_INPUT:
        if field.has("label"):
            field.fault(
                "label", "COMPONENT_LABEL_IN_LABEL", "A text input inside a label has no label of its own"
            )
        _text_input(field)
    elif kind in SELECTS:
        check_select(field, kind, in_modal=True)
        _least_when_required(field, required)
    elif kind == Part.UPLOAD:
        check_bounds(
            field, "min_values", field.integer("min_values", 0, 10), field.integer("max_values", 1, 10)
        )
        _least_when_required(field, required)
    elif kind == Part.RADIO:
        if check_options(field.children("options", most=10, least=2, required=True)) > 1:
            field.fault("options", "SELECT_COMPONENT_DEFAULTS", "Only one option can be preselected")
    elif kind == Part.CHECKBOXES:
        check_options(field.children("options", most=10, least=1, required=True))
        check_bounds(
            field, "min_values", field.integer("min_values", 0, 10), field.integer("max_values", 1, 10)
        )
        _least_when_required(field, required)
    elif required:
        field.fault("required", "CHECKBOX_REQUIRED", "A checkbox cannot be required")


def _row(form: Form, custom_ids: set[str]) -> None:
    for field in form.children("components", most=1, least=1, required=True):
        if field.choice("type", (Part.TEXT_INPUT,), required=True) is not None:
            field.text("label", most=45, least=1, required=True)
            _custom_id(field, custom_ids)
            _text_input(field)


def _text_input(field: Form) -> None:
    field.choice("style", (1, 2), required=True)
    field.text("placeholder", most=100)
    field.text("value", most=MOST_INPUT)
    field.boolean("required")
    least = field.integer("min_length", 0, MOST_INPUT)
    check_bounds(field, "min_length", least, field.integer("max_length", 1, MOST_INPUT))


def _custom_id(field: Form, custom_ids: set[str]) -> None:
    custom_id = field.text("custom_id", most=100, least=1, required=True)
    if custom_id in custom_ids:
        field.fault("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
    if custom_id is not None:
        custom_ids.add(custom_id)


def _least_when_required(field: Form, required: bool | None) -> None:
    # `required` is true unless it says otherwise.
    if required is not False and field.data.get("min_values") == 0:
        field.fault(
            "min_values", "COMPONENT_MIN_VALUES_REQUIRED", "Must be 1 or more while the field is required"
        )
