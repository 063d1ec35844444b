"""What the description of the interface says that FastAPI cannot see by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field
from pydantic.json_schema import models_json_schema

from . import knobs
from .faults import MEDIA_TYPE
from .forms import Document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .forms import Form

__all__ = ["FAULTS", "ProblemDocument", "answers", "asks", "asks_lines", "asks_tiles"]
__all__ += ["components"]

_EXAMPLE = "a b c\na b\nc\na c\nb\n"
_REF = "#/components/schemas/{model}"


class ProblemDocument(BaseModel):
    """Why a request was not answered: RFC 9457."""

    type: str = Field(examples=["urn:dcells-async:syntax"])
    title: str
    status: int
    detail: str = ""
    line: int = Field(default=0, description="Where a text is wrong, from 1.")
    column: int = Field(default=0, description="In characters, from 1.")
    text: str = Field(default="", description="The line.")
    caret: str = Field(default="", description="Blanks and a ^ that points into it.")


_REASONS = {
    401: "A bearer token is wanted.",
    403: "The request comes from a page elsewhere.",
    406: "There is no such form of the answer.",
    408: "The request was too long in coming.",
    413: "The request, the problem or the search is too large.",
    415: "The request is of no known type.",
    422: "The request or the problem is faulty.",
    429: "The client has too many searches open.",
    500: "The service is at fault.",
    503: "Too many searches are open; or the service is shutting down.",
}

FAULTS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": reason,
        "content": {
            MEDIA_TYPE: {"schema": {"$ref": _REF.format(model="ProblemDocument")}}
        },
    }
    for status, reason in _REASONS.items()
}
"""What every route may answer besides."""


def asks(model: type[knobs.Order]) -> dict[str, Any]:
    """Describe a request for one problem."""
    return {
        "requestBody": {
            "required": True,
            "content": {
                "text/plain": {
                    "schema": {"type": "string", "description": "DLX text"},
                    "example": _EXAMPLE,
                },
                "application/json": {
                    "schema": {"$ref": _REF.format(model=model.__name__)},
                    "example": {"problem": _EXAMPLE},
                },
            },
        }
    }


def asks_lines(what: str) -> dict[str, Any]:
    """Describe a request of many lines."""
    return {
        "requestBody": {
            "required": False,
            "content": {
                "text/plain": {"schema": {"type": "string", "description": what}}
            },
        }
    }


def asks_tiles() -> dict[str, Any]:
    """Describe a request for boards of tiles."""
    text = "\n".join(["0 1 1 0"] * 4)
    return {
        "requestBody": {
            "required": True,
            "content": {
                "text/plain": {"schema": {"type": "string"}, "example": text},
                "application/json": {
                    "schema": {"$ref": _REF.format(model=knobs.EdgesOrder.__name__)},
                    "example": {"tiles": [[0, 1, 1, 0]] * 4},
                },
            },
        }
    }


def answers(what: str, *forms: type[Form]) -> dict[int | str, dict[str, Any]]:
    """Describe the answers of a route."""
    record = {"type": "object", "properties": {"type": {"type": "string"}}}
    content = {
        form.media_type: {"schema": record if form is Document else {"type": "string"}}
        for form in forms
    }
    return {200: {"description": what, "content": content}, **FAULTS}


def components() -> Mapping[str, Any]:
    """Give the schemas that the descriptions refer to."""
    models = [
        model
        for name in knobs.__all__
        if name.endswith("Order") and (model := getattr(knobs, name)) is not knobs.Order
    ]
    _, schema = models_json_schema(
        [(model, "validation") for model in [*models, ProblemDocument]],
        ref_template=_REF,
    )
    definitions: Mapping[str, Any] = schema["$defs"]
    return definitions
