"""The JSON Schema of the native format for editors, made from the models that read it.

`python -m bot.content.schema > quizzes/quiz.schema.json` writes it anew; a test holds the file to it.
"""

import json
import sys
from typing import Any, cast

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from bot.content.models import QuizShape


class _ForEditors(GenerateJsonSchema):
    """Leaves out null: a field that is not wanted is left out of the file."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def quiz_schema() -> dict[str, Any]:
    """Return the JSON Schema of a quiz file."""
    schema = QuizShape.model_json_schema(schema_generator=_ForEditors)
    _drop_titles(schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Etüt quiz", **schema}


def schema_text() -> str:
    """Return the schema as it stands in quizzes/quiz.schema.json."""
    return json.dumps(quiz_schema(), ensure_ascii=False, indent=2) + "\n"


def _drop_titles(schema: object) -> None:
    """Drop the titles pydantic makes of field names: an editor would show them twice."""
    if isinstance(schema, dict):
        node = cast("dict[str, object]", schema)
        if isinstance(node.get("title"), str):
            del node["title"]
        for value in node.values():
            _drop_titles(value)
    elif isinstance(schema, list):
        for value in cast("list[object]", schema):
            _drop_titles(value)


if __name__ == "__main__":
    sys.stdout.write(schema_text())
