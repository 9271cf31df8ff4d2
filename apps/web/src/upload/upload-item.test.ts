import { expect, it } from 'vitest'
import {
  buildLoadRequest,
  chooseType,
  findUnconfirmedColumns,
  guessFromSample,
  isTooWide,
  listNotes,
  nameErrors,
  newUploadItem,
  readColumnAs,
  renameColumn,
  type UploadItem,
  withRefusal,
} from './upload-item.ts'

const text = `n,v\n${Array.from({ length: 30 }, (_, index) => `${index},${index === 3 ? 'x' : index}`).join('\n')}\n`
function createItem(): UploadItem {
  const row = newUploadItem(new File([text], 'My orders.csv'), 'key')
  return { ...row, ...guessFromSample(row, new TextEncoder().encode(text), {}) }
}

it('derives the table name, the columns and the values that do not fit from a file', () => {
  const row = createItem()
  expect(row).toMatchObject({ table_name: 'My_orders', format: 'csv' })
  expect(row.columns.map(({ name, type }) => [name, type])).toEqual([
    ['n', 'integer'],
    ['v', 'text'],
  ])
  expect(row.strays).toMatchObject({ columns: [{ source: 1, type: 'integer', count: 1, of: 30, isWhole: true }] })
})

it('a column of numbers and one word stays text; its word becomes empty only with consent', () => {
  const row = createItem()
  expect(findUnconfirmedColumns(row)).toEqual([])
  const numbers = { ...row, ...chooseType(row, 1, 'integer') }
  expect(findUnconfirmedColumns(numbers)).toMatchObject([{ source: 1, count: 1 }])
  const empty = { ...numbers, consent: { ...numbers.consent, values: new Set([1]) } }
  expect(findUnconfirmedColumns(empty)).toEqual([])
  expect(buildLoadRequest({ ...empty, ...renameColumn(empty, 1, 'value') }, null).consent.values).toEqual(['value'])

  const text = { ...empty, ...chooseType(empty, 1, 'text') }
  expect([findUnconfirmedColumns(text), buildLoadRequest(text, null).consent.values]).toEqual([[], []])
  expect(text.strays?.columns).toHaveLength(1)
  const dates = { ...row, ...chooseType(row, 1, 'date') }
  expect(dates.strays?.columns).toMatchObject([{ type: 'date' }])
})

it('placeholders such as n/a keep a column text, and are reported', () => {
  const text = 'n,v\n1,2\n2,n/a\n3,4\n'
  const row = {
    ...createItem(),
    ...guessFromSample(newUploadItem(new File([text], 'a.csv'), 'k'), new TextEncoder().encode(text), {}),
  }
  expect(row.columns.map(({ type }) => type)).toEqual(['integer', 'text'])
  expect(row.strays).toMatchObject({
    columns: [{ source: 1, type: 'integer', count: 1 }],
    samples: [{ line: 3, source: 1, value: 'n/a' }],
  })
})

it('one click changes the assumed order of day and month, and back', () => {
  const dates = 'day,v\n1/2/2024,a\n3/4/2024,b\n'
  const row = {
    ...createItem(),
    ...guessFromSample(newUploadItem(new File([dates], 'a.csv'), 'k'), new TextEncoder().encode(dates), {}),
  }
  const [note] = listNotes(row)
  expect(note).toMatchObject({ kind: 'order', column: { name: 'day', format: '%d/%m/%Y' } })
  const other = { ...row, ...readColumnAs(row, 0, note!.readings[1]!) }
  expect(buildLoadRequest(other, null).columns[0]).toEqual({
    source: 0,
    name: 'day',
    type: 'date',
    format: '%m/%d/%Y',
    exact: true,
  })
  expect(listNotes(other)).toHaveLength(1)
  expect(listNotes({ ...other, left: new Set([0]) })).toEqual([])
  expect(listNotes({ ...other, ...chooseType(other, 0, 'datetime') })).toEqual([])
})

it('a type that the user chooses gets the format that most values have', () => {
  const text = 'share,at\n5%,1/2/2024 8:15 PM\n7%,3/4/2024 9:00 AM\n'
  const row = {
    ...createItem(),
    ...guessFromSample(newUploadItem(new File([text], 'a.csv'), 'k'), new TextEncoder().encode(text), {}),
  }
  expect(chooseType(row, 0, 'decimal').columns?.[0]).toMatchObject({ type: 'decimal', format: 'percent' })
  expect(chooseType(row, 1, 'datetime').columns?.[1]).toMatchObject({ format: '%d/%m/%Y %I:%M %p' })
})

it('prompts for problems found in the entire file, and keeps the choice for text columns', () => {
  const row = createItem()
  const bad = [{ name: 'N', type: 'integer' as const, count: 7 }]
  const samples = [{ line: 900, column: 'N', value: '?' }]
  const badLines = { short: 0, long: 0 }
  const refused = { ...row, ...withRefusal(row, { written: false, rows: 1000, bad, badLines, samples }) }
  expect(refused.strays?.columns).toMatchObject([
    { source: 0, count: 7, of: 1000, isWhole: true },
    { source: 1, count: 1 },
  ])
  expect(findUnconfirmedColumns(refused).map(({ source }) => source)).toEqual([0])
  expect(refused.strays?.samples).toEqual([{ line: 900, source: 0, value: '?' }])
})

it('names the table of a sheet after the workbook and the sheet', () => {
  expect(newUploadItem(new File([''], 'Sales 2024.xlsx'), 'k', 'Q1 – May').table_name).toBe('Sales_2024_Q1_May')
})

it('marks column names that the table cannot have, except in excluded columns', () => {
  const row = createItem()
  const twice = { ...row, ...renameColumn(row, 1, 'N') }
  expect([...nameErrors(twice)]).toEqual([1])
  expect(nameErrors({ ...twice, left: new Set([0]) }).size).toBe(0)
})

it('detects a file with more columns than the engine can write', () => {
  const wide = (columns: number) => {
    const text = `${Array.from({ length: columns }, (_, index) => `c${index}`).join(',')}\n`
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
