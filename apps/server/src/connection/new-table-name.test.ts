import { expect, it } from 'vitest'
import { checkNewTableName } from './new-table-name.ts'

it.each(['cars', 'Doubled "cars"', 'x; DROP TABLE cars; --', 'größe 2024', '車', 'a'.repeat(120)])(
  'accepts the table name %j',
  (name) => expect(() => checkNewTableName(name)).not.toThrow(),
)

it.each([
  '',
  ' cars',
  'cars ',
  'information_schema.tables',
  'a\u202eb',
  'a\u200bb',
  'a\nb',
  'a\u2028b',
  '\ud800',
  'a'.repeat(121),
])('regression: refuses the table name %j', (name) =>
  expect(() => checkNewTableName(name)).toThrow(/^Table names have 1 to 120 characters/),
)
