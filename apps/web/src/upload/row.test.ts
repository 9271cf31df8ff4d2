import { expect, it } from 'vitest'
import { loadOf, lookAtStart, nameErrors, newRow, type Row, withColumn } from './row.ts'

const text = `n,v\n${Array.from({ length: 30 }, (_, at) => `${at},${at === 3 ? 'x' : at}`).join('\n')}\n`
function rowOf(): Row {
  const row = newRow(new File([text], 'My orders.csv'), 'key')
  return { ...row, ...lookAtStart(row, new TextEncoder().encode(text), {}) }
}

it('a file begins with a name for its table, its columns, and what does not fit them', () => {
  const row = rowOf()
  expect(row).toMatchObject({ table_name: 'My_orders', format: 'csv' })
  expect(row.columns.map(({ name, type }) => [name, type])).toEqual([
    ['n', 'integer'],
    ['v', 'integer'],
  ])
  expect(row.strays).toMatchObject({ columns: [{ name: 'v', count: 1 }], of: 30, isWhole: true })
})

it('a new name takes what was found along; a new type looks again and asks anew', () => {
  const row = { ...rowOf(), consent: { values: true, lines: false } }
  const named = { ...row, ...withColumn(row, 1, { name: 'value' }) }
  expect(named.strays).toMatchObject({ columns: [{ name: 'value' }], samples: [{ line: 5, column: 'value' }] })
  expect(named.consent.values).toBe(true)
  const typed = { ...named, ...withColumn(named, 1, { type: 'text' }) }
  expect(typed.strays?.columns).toEqual([])
  expect(typed.consent.values).toBe(false)
})

it('names that the table cannot have are marked, but not of columns that are left out', () => {
  const row = rowOf()
  const twice = { ...row, ...withColumn(row, 1, { name: 'N' }) }
  expect([...nameErrors(twice)]).toEqual([1])
  expect(nameErrors({ ...twice, left: new Set([0]) }).size).toBe(0)
})

it('LIST-024: the typed text goes along with a replacement only', () => {
  const row = { ...rowOf(), taken: { may_replace: true }, overwrite: 'OVERWRITE' }
  expect(loadOf({ ...row, already_exists: 'replace' }, null)).toMatchObject({ overwrite: 'OVERWRITE', database: null })
  expect(loadOf({ ...row, already_exists: 'append' }, 3)).not.toHaveProperty('overwrite')
  expect(loadOf({ ...row, taken: null, already_exists: 'replace' }, 3)).toMatchObject({ already_exists: 'fail' })
})
