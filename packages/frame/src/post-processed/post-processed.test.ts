import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createCsvEncoder } from '../encode/index.ts'
import { decodeUtf8 } from '../utf8.ts'
import { Budget, buildFrame, type Frame } from '../index.ts'
import { encodePostProcessedJson, buildPostProcessedTable, type TableDisplay } from './index.ts'

interface Case {
  name: string
  request: { body: { result_type: string; result_format: string; form_data?: Record<string, unknown> } }
  status: number
  response: {
    $text?: string
    result?: { data: unknown; colnames: unknown; coltypes: unknown; indexnames: unknown; rowcount: number }[]
  }
}

const reference = (file: string) => new URL(`../../../testing/reference/${file}`, import.meta.url)
const cases = JSON.parse(readFileSync(reference('post-processing.json'), 'utf8')) as Case[]
const readCaseRows = (name: string) =>
  cases.find((one) => one.name === name)!.response.result![0]!.data as Record<string, unknown>[]

/** Cars by origin and cylinders, as returned by the recorded query. */
const rows = readCaseRows('rename')
const cars: Frame = buildFrame({
  Origin: rows.map((row) => row['Origin']),
  Cylinders: rows.map((row) => row['Cylinders']),
  count: rows.map((row) => row['n']),
  hp: rows.map((row) => row['power']),
})
const display: TableDisplay = {
  headings: new Map([['count', 'COUNT(*)']]),
  format: () => (value) => (typeof value === 'number' ? value.toFixed(2) : String(value)),
}
const buildTable = (form: Record<string, unknown>, frame = cars) => buildPostProcessedTable(frame, form, display)!
const pivot = (form: Record<string, unknown>, frame = cars) =>
  buildTable(
    { viz_type: 'pivot_table_v2', groupbyRows: ['Origin'], groupbyColumns: [], metrics: ['count'], ...form },
    frame,
  )

function toCsv({ frame }: { frame: Frame }): string {
  const encoder = createCsvEncoder({ escape: true, separator: ',', header: true })
  const pieces = [...encoder.start(frame.columns), ...encoder.frame(frame), ...encoder.end()]
  return pieces.map(decodeUtf8).join('')
}
/** Numbers to nine digits, the tolerance of the recordings. */
const toCells = (text: string) =>
  text
    .split('\n')
    .map((line) =>
      line.split(',').map((cell) => (cell === '' || Number.isNaN(Number(cell)) ? cell : Number(cell).toPrecision(9))),
    )

const files = cases.filter(
  ({ request, response }) => request.body.result_type === 'post_processed' && response.$text !== undefined,
)

describe('post_processed as recorded', () => {
  it.each(files)('$name', ({ request, response }) => {
    expect(toCells(toCsv(buildTable(request.body.form_data!)))).toEqual(toCells(response.$text!))
  })
  it('post_processed: table', () => {
    const { request, response } = cases.find(({ name }) => name === 'post_processed: table')!
    const table = buildTable(request.body.form_data!)
    const { data, colnames, coltypes, indexnames, rowcount } = response.result![0]!
    expect({ ...table, frame: undefined }).toEqual({ colnames, coltypes, indexnames, rowcount, frame: undefined })
    expect(JSON.parse(decodeUtf8(encodePostProcessedJson(table)))).toEqual(data)
  })
  it('covers 16 files and rejects an unknown aggregate', () => {
    expect(files.length).toBe(16)
    expect(() => pivot({ aggregateFunction: 'Nope' })).toThrow('Unknown aggregate function of pivot tables: `Nope`')
  })
})

describe('a pivot table', () => {
  it('has lists of parts as names, and data by column and row', () => {
    const table = pivot({ groupbyColumns: ['Cylinders'], rowTotals: true })
    expect(table.colnames.slice(-2)).toEqual([
      ['COUNT(*)', 'Subtotal'],
      ['Total (Sum)', ''],
    ])
    expect(table.indexnames).toEqual([['Europe'], ['Japan'], ['USA']])
    const data = JSON.parse(decodeUtf8(encodePostProcessedJson(table))) as Record<string, Record<string, unknown>>
    expect(data['COUNT(*) 3']).toEqual({ Europe: null, Japan: 4, USA: null })
    expect(data['Total (Sum)']).toEqual({ Europe: 73, Japan: 79, USA: 254 })
  })
  it('regression: numbers remain numbers beside other parts of a name', () => {
    const frame = buildFrame({ Origin: ['x', 'x'], Cylinders: [3, 4], id: [1n, 2n ** 60n], count: [1, 2] })
    const named = pivot({ groupbyColumns: ['Cylinders'] }, frame)
    expect(named.colnames).toEqual([
      ['COUNT(*)', 3],
      ['COUNT(*)', 4],
    ])
    const alone = pivot({ groupbyRows: ['Cylinders'], groupbyColumns: [], metricsLayout: 'COLUMNS' }, frame)
    expect(alone.indexnames).toEqual([['3'], ['4']])
    const onRows = pivot({ groupbyRows: ['Cylinders'], groupbyColumns: ['Origin'], metricsLayout: 'ROWS' }, frame)
    expect([onRows.colnames, onRows.indexnames]).toEqual([
      [['x']],
      [
        ['COUNT(*)', 3],
        ['COUNT(*)', 4],
      ],
    ])
    const large = pivot({ groupbyColumns: ['id'] }, frame)
    expect(JSON.stringify(large.colnames)).toContain('"1152921504606846976"')
  })
  it('computes fractions of the total, where the reference fails', () => {
    const { frame } = pivot({ aggregateFunction: 'Sum as Fraction of Total', rowTotals: true, colTotals: true })
    expect(toCsv({ frame })).toBe(
      ',COUNT(*),Total (Sum as Fraction of Total)\n' +
        `Europe,${73 / 406},${73 / 406}\nJapan,${79 / 406},${79 / 406}\nUSA,${254 / 406},${254 / 406}\n` +
        'Total (Sum as Fraction of Total),1.0,1.0\n',
    )
    const columns = pivot({ groupbyColumns: ['Cylinders'], aggregateFunction: 'Count as Fraction of Columns' })
    expect(toCsv(columns).split('\n')[1]).toBe(`Europe,,${1 / 3},1,${1 / 3},`)
  })
  it('regression: totals aggregate the underlying values, not the cells', () => {
    const frame = buildFrame({ a: ['x', 'x', 'x', 'y'], b: [1, 2, 3, 1], hp: [4, 4, 10, 2] })
    const total = (aggregateFunction: string) =>
      toCsv(pivot({ groupbyRows: ['a', 'b'], metrics: ['hp'], colTotals: true, aggregateFunction }, frame))
        .trimEnd()
        .split('\n')
        .at(-1)
    expect(total('Count Unique Values')).toBe('Total (Count Unique Values),3')
    expect(total('Average')).toBe('Total (Average),5')
    expect(total('Sample Variance')).toBe('Total (Sample Variance),12')
    const shares = pivot(
      {
        groupbyRows: ['a'],
        groupbyColumns: ['b'],
        metrics: ['hp'],
        colTotals: true,
        aggregateFunction: 'Sum as Fraction of Rows',
      },
      frame,
    )
    expect(toCsv(shares).trimEnd().split('\n').at(-1)).toBe('Total (Sum as Fraction of Rows),0.3,0.2,0.5')
  })
  it('regression: ignores null metrics and shows times as text', () => {
    const frame = buildFrame({
      Origin: ['a', 'b'],
      hp: [null, 1],
      at: [new Date('2024-02-01'), new Date('2024-03-01')],
    })
    const table = (more: object) => toCsv(pivot({ ...more }, frame))
    expect(table({ metrics: ['hp'] })).toBe(',hp\na,\nb,1\n')
    expect(table({ metrics: ['at'], aggregateFunction: 'Maximum', colTotals: true })).toBe(
      ',at\na,2024-02-01 00:00:00\nb,2024-03-01 00:00:00\nTotal (Maximum),2024-03-01 00:00:00\n',
    )
  })
  it('transposes, and works without rows or without columns', () => {
    expect(toCsv(pivot({ transposePivot: true }))).toBe(
      ',COUNT(*) Europe,COUNT(*) Japan,COUNT(*) USA\nTotal (Sum),73,79,254\n',
    )
    expect(toCsv(pivot({ groupbyRows: [] }))).toBe(',COUNT(*)\nTotal (Sum),406\n')
    expect(toCsv(pivot({ metricsLayout: 'ROWS', metrics: ['count', 'hp'], aggregateFunction: 'Count' }))).toBe(
      ',Total (Count)\nCOUNT(*) Europe,3\nCOUNT(*) Japan,3\nCOUNT(*) USA,3\nhp Europe,3\nhp Japan,3\nhp USA,3\n',
    )
  })
  it('adds a subtotal after each inner group', () => {
    const frame = buildFrame({ a: ['x', 'x', 'y'], b: [1, 2, 1], c: ['u', 'v', 'u'], count: [1, 2, 4] })
    const table = pivot({ groupbyRows: ['c'], groupbyColumns: ['a', 'b'], rowTotals: true, colTotals: true }, frame)
    expect(table.frame.columns.map(({ name }) => name)).toEqual([
      '',
      'COUNT(*) x 1',
      'COUNT(*) x 2',
      'COUNT(*) x Subtotal',
      'COUNT(*) y 1',
      'COUNT(*) y Subtotal',
      'COUNT(*) Subtotal',
      'Total (Sum)',
    ])
    expect(toCsv(table).trimEnd().split('\n').at(-1)).toBe('Total (Sum),1,2,3,4,4,7,7')
  })
  it('rejects tables that are too large, and ignores malformed fields of the form', () => {
    const form = { viz_type: 'pivot_table_v2', groupbyRows: ['Origin'], groupbyColumns: ['Cylinders'], metrics: ['hp'] }
    expect(buildPostProcessedTable(cars, form, { ...display, budget: new Budget({ cells: 15 }) })?.rowcount).toBe(3)
    expect(() => buildPostProcessedTable(cars, form, { ...display, budget: new Budget({ cells: 14 }) })).toThrow(
      expect.objectContaining({ code: 'result_too_large' }),
    )
    expect(pivot({ groupbyColumns: 'Cylinders', column_config: null }).colnames).toEqual([['COUNT(*)']])
  })
  it('names nulls NULL, and reports columns of the form that are missing', () => {
    const frame = buildFrame({ Origin: ['b', null, 'b'], count: [1, 2, null] })
    expect(toCsv(pivot({}, frame))).toBe(',COUNT(*)\nNULL,2\nb,1\n')
    expect(() => pivot({ metrics: ['nope'] })).toThrow('shows `nope`')
  })
})

it('leaves other charts and empty results unchanged', () => {
  expect(buildPostProcessedTable(cars, { viz_type: 'pie' }, display)).toBe(null)
  expect(buildPostProcessedTable(buildFrame({ a: [] }), { viz_type: 'table' }, display)).toBe(null)
})

it('regression: formats numeric text', () => {
  const frame = buildFrame({ avg: [10n ** 30n, null] })
  expect(frame.columns[0]).toMatchObject({ kind: 'string', numeric: true })
  const table = buildTable({ viz_type: 'table', column_config: { avg: { d3NumberFormat: '.2f' } } }, frame)
  expect(toCsv(table)).toBe(',avg\n0,1e+30\n1,\n')
})

it('keeps names such as __proto__ as data', () => {
  const table = buildTable({ viz_type: 'table' }, buildFrame({ a: [1] }))
  table.frame.columns[1]!.name = '__proto__'
  expect(decodeUtf8(encodePostProcessedJson(table))).toBe('{"__proto__":{"0":1}}')
})
