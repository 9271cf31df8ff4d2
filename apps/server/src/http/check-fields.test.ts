import Type from 'typebox'
import { expect, it } from 'vitest'
import { fieldErrors } from './check-fields.ts'

const Rule = Type.Object(
  { clause: Type.String(), dataset: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
)
const Body = Type.Object(
  {
    rls: Type.Array(Rule),
    type: Type.Optional(Type.Union([Type.Literal('Alert'), Type.Literal('Report')])),
    size: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
    kind: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 3 })),
    owners: Type.Optional(Type.Array(Type.Integer())),
    attributes: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  },
  { additionalProperties: false },
)

it.each([
  [
    { rls: [{ dataset: 'x' }] },
    { rls: { 0: { clause: ['Missing data for required field.'], dataset: ['Not a valid integer.'] } } },
  ],
  [{ rls: 'x' }, { rls: ['Not a valid list.'] }],
  [{ rls: [5] }, { rls: { 0: { _schema: ['Invalid input type.'] } } }],
  [{ rls: [], type: 'x' }, { type: ['Must be one of: Alert, Report.'] }],
  [{ rls: [], size: 0 }, { size: ['Must be greater than or equal to 1.'] }],
  [{ rls: [], size: 'a' }, { size: ['Not a valid integer.'] }],
  [{ rls: [], kind: 'long' }, { kind: ['Longer than maximum length 3.'] }],
  [{ rls: [], owners: [1, 'a'] }, { owners: { 1: ['Not a valid integer.'] } }],
  [{ rls: [], attributes: { region: 'x' } }, { attributes: { region: ['Not a valid list.'] } }],
  [{ nope: 1 }, { rls: ['Missing data for required field.'], nope: ['Unknown field.'] }],
  [5, { _schema: ['Invalid input type.'] }],
])("returns the API's messages for %j", (value, errors) => {
  expect(JSON.parse(JSON.stringify(fieldErrors(Body, value)))).toEqual(errors)
})

it('regression: reports at most a hundred errors of a long list', () => {
  const wrong = fieldErrors(Body, { rls: Array<number>(50_000).fill(5) })
  expect(Object.keys(wrong['rls'] as object)).toHaveLength(100)
  const unknown = fieldErrors(Body, Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`n${index}`, 1])))
  expect(Object.keys(unknown)).toHaveLength(101)
})
