import Type from 'typebox'
import { expect, it } from 'vitest'
import { describeSchemaError } from './schema-error.ts'

const List = Type.Object({
  columns: Type.Optional(Type.Array(Type.String())),
  order_direction: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['asc', 'desc'] })),
  page: Type.Optional(Type.Integer()),
})

it.each([
  [
    Type.Array(Type.Integer()),
    1,
    "1 is not of type 'array'\n\nFailed validating 'type' in schema:\n    {'items': {'type': 'integer'}, 'type': 'array'}\n\nOn instance:\n    1",
  ],
  [
    Type.Array(Type.Integer()),
    ['a'],
    "'a' is not of type 'integer'\n\nFailed validating 'type' in schema['items']:\n    {'type': 'integer'}\n\nOn instance[0]:\n    'a'",
  ],
  [
    List,
    { order_direction: 'up' },
    "'up' is not one of ['asc', 'desc']\n\nFailed validating 'enum' in schema['properties']['order_direction']:\n    {'enum': ['asc', 'desc'], 'type': 'string'}\n\nOn instance['order_direction']:\n    'up'",
  ],
  [
    List,
    5,
    "5 is not of type 'object'\n\nFailed validating 'type' in schema:\n    {'properties': {'columns': {'items': {'type': 'string'},\n                                'type': 'array'},\n                    'order_direction': {'enum': ['asc', 'desc'],\n                                        'type': 'string'},\n                    'page': {'type': 'integer'}},\n     'type': 'object'}\n\nOn instance:\n    5",
  ],
  [
    Type.Object({ key: Type.String() }),
    { rows: true },
    "'key' is a required property\n\nFailed validating 'required' in schema:\n    {'properties': {'key': {'type': 'string'}},\n     'required': ['key'],\n     'type': 'object'}\n\nOn instance:\n    {'rows': True}",
  ],
])('returns the recorded message, case %#', (schema, value, text) => {
  expect(describeSchemaError(schema, value)).toBe(text)
})
