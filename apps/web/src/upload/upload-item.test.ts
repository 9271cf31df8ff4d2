import { expect, it } from 'vitest'
import {
  isTooWide,
  buildLoadRequest,
  guessFromSample,
  nameErrors,
  newUploadItem,
  type UploadItem,
  findUnconfirmedColumns,
  updateColumn,
  withRefusal,
} from './upload-item.ts'

const text = `n,v\n${Array.from({ length: 30 }, (_, at) => `${at},${at === 3 ? 'x' : at}`).join('\n')}\n`
function createItem(): UploadItem {
  const row = newUploadItem(new File([text], 'My orders.csv'), 'key')
  return { ...row, ...guessFromSample(row, new TextEncoder().encode(text), {}) }
}

it('derives the table name, the columns and the values that do not fit from a file', () => {
  const row = createItem()
  expect(row).toMatchObject({ table_name: 'My_orders', format: 'csv' })
  expect(row.columns.map(({ name, type }) => [name, type])).toEqual([
    ['n', 'integer'],
    ['v', 'integer'],
  ])
  expect(row.strays).toMatchObject({ columns: [{ source: 1, type: 'integer', count: 1, of: 30, isWhole: true }] })
})

it('values that do not fit become empty or text per column, and a new type requires a new choice', () => {
  const row = createItem()
  expect(findUnconfirmedColumns(row)).toHaveLength(1)
  const empty = { ...row, consent: { ...row.consent, values: new Set([1]) } }
  expect(findUnconfirmedColumns(empty)).toEqual([])
  expect(buildLoadRequest({ ...empty, ...updateColumn(empty, 1, { name: 'value' }) }, null).consent.values).toEqual([
    'value',
  ])

  const text = { ...empty, ...updateColumn(empty, 1, { type: 'text' }) }
  expect([findUnconfirmedColumns(text), buildLoadRequest(text, null).consent.values]).toEqual([[], []])
  expect(text.strays?.columns).toHaveLength(1)
  const again = { ...text, ...updateColumn(text, 1, { type: 'integer' }) }
  expect(findUnconfirmedColumns(again)).toHaveLength(1)
  const dates = { ...row, ...updateColumn(row, 1, { type: 'date', format: 'iso' }) }
  expect(dates.strays?.columns).toMatchObject([{ type: 'date', count: 30 }])
})

it('placeholders such as n/a in a number column are dropped only with consent', () => {
  const told = 'n,v\n1,2\n2,n/a\n3,4\n'
  const row = {
    ...createItem(),
    ...guessFromSample(newUploadItem(new File([told], 'a.csv'), 'k'), new TextEncoder().encode(told), {}),
  }
  expect(row.columns.map(({ type }) => type)).toEqual(['integer', 'integer'])
  expect(findUnconfirmedColumns(row)).toMatchObject([{ source: 1, count: 1 }])
  expect(row.strays?.samples).toEqual([{ line: 3, source: 1, value: 'n/a' }])
})

it('prompts for problems found in the entire file, and keeps the choice for text columns', () => {
  const row = createItem()
  const text = { ...row, ...updateColumn(row, 1, { type: 'text' }) }
  const bad = [{ name: 'N', type: 'integer' as const, count: 7 }]
  const samples = [{ line: 900, column: 'N', value: '?' }]
  const refused = { ...text, ...withRefusal(text, { written: false, rows: 1000, bad, badLines: 0, samples }) }
  expect(refused.strays?.columns).toMatchObject([
    { source: 0, count: 7, of: 1000, isWhole: true },
    { source: 1, count: 1 },
  ])
  expect(findUnconfirmedColumns(refused).map(({ source }) => source)).toEqual([0])
  expect(refused.strays?.samples).toEqual([{ line: 900, source: 0, value: '?' }])
})

it('marks column names that the table cannot have, except in excluded columns', () => {
  const row = createItem()
  const twice = { ...row, ...updateColumn(row, 1, { name: 'N' }) }
  expect([...nameErrors(twice)]).toEqual([1])
  expect(nameErrors({ ...twice, left: new Set([0]) }).size).toBe(0)
})

it('detects a file with more columns than the engine can write', () => {
  const wide = (columns: number) => {
    const text = `${Array.from({ length: columns }, (_, at) => `c${at}`).join(',')}\n`
    const row = newUploadItem(new File([text], 'wide.csv'), 'key')
    return { ...row, ...guessFromSample(row, new TextEncoder().encode(text), {}) }
  }
  expect([isTooWide(wide(2000)), isTooWide(wide(2001))]).toEqual([false, true])
})

it('LIST-024: sends the typed text only with a replacement', () => {
  const row = { ...createItem(), taken: { may_replace: true }, overwrite: 'OVERWRITE' }
  expect(buildLoadRequest({ ...row, already_exists: 'replace' }, null)).toMatchObject({
    overwrite: 'OVERWRITE',
    database: null,
  })
  expect(buildLoadRequest({ ...row, already_exists: 'append' }, 3)).not.toHaveProperty('overwrite')
  expect(buildLoadRequest({ ...row, taken: null, already_exists: 'replace' }, 3)).toMatchObject({
    already_exists: 'fail',
  })
})
