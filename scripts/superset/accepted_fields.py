"""Prints the fields that the importers accept, as JSON by folder of the bundle. Runs in the environment of a Superset."""
import json

from marshmallow import fields

from superset.app import create_app


def describe_field(field, above=()):
    found = {"type": type(field).__name__, "required": field.required, "nullable": bool(field.allow_none)}
    if isinstance(field, fields.Nested):
        # Folders contain folders.
        if type(field.schema) not in above:
            found["fields"] = describe_schema(field.schema, above)
    if isinstance(field, fields.Dict) and type(field.value_field) not in (type(None), fields.Raw):
        found["values"] = describe_field(field.value_field, above)
    if isinstance(field, fields.List):
        found["items"] = describe_field(field.inner, above)
    return found


def describe_schema(schema, above=()):
    inside = (*above, type(schema))
    return {name: describe_field(field, inside) for name, field in sorted(schema.fields.items())}


with create_app().app_context():
    from superset.commands.dashboard.importers.v1 import ImportDashboardsCommand
    from superset.commands.query.importers.v1 import ImportSavedQueriesCommand

    schemas = {**ImportDashboardsCommand.schemas, **ImportSavedQueriesCommand.schemas}
    found = {prefix.rstrip("/"): describe_schema(schema) for prefix, schema in sorted(schemas.items())}
    print("\n" + json.dumps(found))
