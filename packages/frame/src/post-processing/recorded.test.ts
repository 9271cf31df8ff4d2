import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AppError } from '@parquetry/model/errors'
import type { PostProcessing } from '@parquetry/model/query-context'
import { formatTime } from '../calendar.ts'
import { cellAt, isNull, storedText } from '../cells.ts'
import { buildColumn, buildTimeColumn } from '../columns.ts'
import type { Column } from '../frame.ts'
import { applyStep } from './index.ts'
import { toNumbers, isNumeric } from './numbers.ts'
import { StepRefusal } from './refusal.ts'
import { escapeSeparator, unescapeSeparator } from './separator.ts'
import type { Table } from './table.ts'

interface RecordedCase {
  columns: string[]
  rows: unknown[][]
  timestamps?: string[]
  index?: string
}
interface Wanted {
  columns?: (string | null | (string | null)[])[]
  rows?: unknown[][]
  index?: { names: (string | null)[]; values: unknown[] }
  error?: string
  kind?: string
}
interface Case {
  name: string
  op?: string
  options?: Record<string, unknown>
  ops?: { op: string; options: Record<string, unknown> }[]
  input: RecordedCase | string
  output: Wanted | string
}

const folder = new URL('../../../testing/reference/', import.meta.url)
const file = 'post-processing-direct.json'
const cases = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case[]
const listed = new URL('differences.json', folder)
const differences = new Set(
  existsSync(listed)
    ? (JSON.parse(readFileSync(listed, 'utf8')) as { file: string; name: string }[])
        .filter((one) => one.file === file)
        .map(({ name }) => name)
    : [],
)

/** Table as read by the reference's library: numbers with a null among them are floats. */
function tableFrom({ columns, rows, timestamps = [], index }: RecordedCase): Table {
  const read = columns.map((name, index): Column => {
    const values = rows.map((row) => row[index])
    if (timestamps.includes(name))
      return buildTimeColumn(
        name,
        Float64Array.from(values, (value) =>
          Date.parse(`${String(value).replace(' ', 'T')}${/\d:\d/.test(String(value)) ? 'Z' : ''}`),
        ),
        'datetime',
      )
    const column = buildColumn(values, name)
    if (column.kind !== 'number' || column.validity === null) return column
    return { ...column, data: Float64Array.from(values, (value) => (typeof value === 'number' ? value : NaN)) }
  })
  const place = index === undefined ? -1 : columns.indexOf(index)
  return {
    rows: rows.length,
    columns: read.filter((_, index) => index !== place).map((data) => ({ label: [data.name], data })),
    levels: [null],
    index: place < 0 ? null : { names: [index!], columns: [read[place]!] },
  }
}

function shownCell(column: Column, row: number): unknown {
  if (isNull(column, row)) return null
  if (column.kind === 'time') return formatTime(column.data[row]!, column.unit)
  if (column.kind === 'json') return JSON.parse(storedText(column, row))
  if (!isNumeric(column) || column.kind === 'boolean') return cellAt(column, row)
  const value = toNumbers(column, row + 1, 'test')[row]!
  return Number.isFinite(value) || Number.isNaN(value) ? value : { $nonfinite: value > 0 ? 'Infinity' : '-Infinity' }
}

function shown({ rows, columns, levels, index }: Table): Wanted {
  const every = (list: readonly Column[], row: number) => list.map((column) => shownCell(column, row))
  const down = Array.from({ length: rows }, (_, row) => row)
  return {
    columns: columns.map(({ label }) => (levels.length > 1 ? [...label] : (label[0] ?? null))),
    rows: down.map((row) =>
      every(
        columns.map(({ data }) => data),
        row,
      ),
    ),
    ...(index && {
      index: {
        names: [...index.names],
        values: down.map((row) =>
          index.columns.length > 1 ? every(index.columns, row) : every(index.columns, row)[0],
        ),
      },
    }),
  }
}

/** Numbers within the tolerance of the recordings. */
function close(value: unknown, wanted: unknown): unknown {
  if (typeof value === 'number' && typeof wanted === 'number')
    return Math.abs(value - wanted) <= 1e-9 * Math.max(Math.abs(value), Math.abs(wanted), 1e-12) ? wanted : value
  if (Array.isArray(value) && Array.isArray(wanted)) return value.map((item, index) => close(item, wanted[index]))
  return value
}

function run({ op, options, ops, input }: Case): Wanted | string {
  if (typeof input === 'string') return op === 'escape_separator' ? escapeSeparator(input) : unescapeSeparator(input)
  const steps: PostProcessing[] = (ops ?? [{ op: op!, options: options! }]).map((step) => ({
    operation: step.op,
    options: step.options,
  }))
  return shown(steps.reduce((table, step) => applyStep(table, step), tableFrom(input)))
}

describe('post-processing as recorded', () => {
  it.each(cases.filter(({ name }) => !differences.has(name)))('$name', (recorded) => {
    const wanted = recorded.output
    if (typeof wanted !== 'string' && wanted.error !== undefined) {
      // A step's own check stays one; errors inside the reference's library are rejected with a message.
      const refusal = wanted.kind === 'InvalidPostProcessingError' ? [StepRefusal] : [StepRefusal, AppError]
      expect(() => run(recorded)).toThrow(
        expect.toSatisfy((error) => refusal.some((kind) => error instanceof kind)) as unknown as Error,
      )
      return
    }
    const result = run(recorded)
    if (typeof wanted === 'string' || typeof result === 'string') {
      expect(result).toBe(wanted)
      return
    }
    // An unnamed index without rows counts as no index.
    const expected =
      wanted.index?.names[0] === null && wanted.rows?.length === 0 ? { ...wanted, index: undefined } : wanted
    expect({ ...result, rows: close(result.rows, expected.rows) }).toEqual(expected)
  })
  it('skips no cases except those listed with a reason', () => {
    expect(cases.length).toBe(203)
  })
})
