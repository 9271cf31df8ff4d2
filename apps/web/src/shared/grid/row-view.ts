import { isNull, numberAt, textAt, type Column, type Frame } from '@parquetry/frame'

export interface Sorting {
  /** Index in the frame. */
  column: number
  descending: boolean
}

export type FilterOperator = 'contains' | 'is' | 'isNot' | 'above' | 'below' | 'isNull' | 'isNotNull'
export interface ColumnFilter {
  column: number
  operator: FilterOperator
  value: string
}

/** Sorting, filters and search that the user applies to the fetched rows, without another query. */
export interface ViewSpec {
  sorting: Sorting | null
  filters: readonly ColumnFilter[]
  /** Text that one of the `searched` columns must contain, ignoring case. */
  search: string
  searched: readonly number[]
}

/** Operators without a value. Other filters without a value leave every row. */
const needsNoValue = (operator: FilterOperator): boolean => operator === 'isNull' || operator === 'isNotNull'
export const isActiveFilter = ({ operator, value }: ColumnFilter): boolean => needsNoValue(operator) || value !== ''

/** Returns row numbers of the frame in display order; undefined for the original order. */
export function computeRowView(frame: Frame, spec: ViewSpec): Uint32Array | undefined {
  const matchingRows = filterRows(frame, spec)
  return spec.sorting ? sortRows(frame, spec.sorting, matchingRows) : matchingRows
}

function filterRows(frame: Frame, { filters, search, searched }: ViewSpec): Uint32Array | undefined {
  const tests = filters.filter(isActiveFilter).flatMap((filter) => {
    const column = frame.columns[filter.column]
    return column ? [buildTest(column, filter)] : []
  })
  const needle = search.trim().toLowerCase()
  if (needle !== '') {
    const columns = searched.flatMap((index) => frame.columns[index] ?? [])
    const contains = columns.map((column) => containsTest(column, needle))
    tests.push((row) => contains.some((test) => test(row)))
  }
  if (tests.length === 0) return undefined
  const rows = new Uint32Array(frame.rows)
  let count = 0
  for (let row = 0; row < frame.rows; row += 1) if (tests.every((test) => test(row))) rows[count++] = row
  return rows.slice(0, count)
}

type Test = (row: number) => boolean

/** Tests each entry of a dictionary once. */
function textTest(column: Column, test: (text: string) => boolean): Test {
  const known = new Map<string, boolean>()
  const isDictionary = (column.kind === 'string' || column.kind === 'json') && column.text.as === 'dictionary'
  return (row) => {
    const text = textAt(column, row)
    if (text === null) return false
    if (!isDictionary) return test(text)
    let answer = known.get(text)
    if (answer === undefined) known.set(text, (answer = test(text)))
    return answer
  }
}

const containsTest = (column: Column, needle: string): Test =>
  textTest(column, (text) => text.toLowerCase().includes(needle))

function buildTest(column: Column, { operator, value }: ColumnFilter): Test {
  switch (operator) {
    case 'isNull':
      return (row) => isNull(column, row)
    case 'isNotNull':
      return (row) => !isNull(column, row)
    case 'contains':
      return containsTest(column, value.toLowerCase())
    case 'is':
      return equals(column, value)
    case 'isNot': {
      const same = equals(column, value)
      return (row) => !same(row)
    }
    case 'above':
      return ordered(column, value, (order) => order > 0)
    case 'below':
      return ordered(column, value, (order) => order < 0)
  }
}

function equals(column: Column, value: string): Test {
  if (column.kind === 'bigint' || column.kind === 'decimal') return ordered(column, value, (order) => order === 0)
  const number = column.kind === 'number' ? parseNumber(value) : undefined
  if (number !== undefined) return (row) => numberAt(column, row) === number
  // A partial time matches its whole period: `2026-11` is the whole month.
  if (column.kind === 'time') {
    const wanted = value.trim().replace(' ', 'T')
    return (row) => textAt(column, row)?.startsWith(wanted) ?? false
  }
  return textTest(column, (text) => text === value)
}

const parseNumber = (value: string): number | undefined => {
  const number = Number(value)
  return value.trim() === '' || Number.isNaN(number) ? undefined : number
}

function ordered(column: Column, value: string, fits: (order: number) => boolean): Test {
  if (column.kind === 'bigint' || column.kind === 'decimal') {
    const wanted = parseScaled(value, column.kind === 'decimal' ? column.scale : 0)
    if (wanted === undefined) return () => false
    const { data } = column
    // Extra digits beyond the column's scale tell 1.005 from 1.00 at scale 2.
    return (row) => {
      if (isNull(column, row)) return false
      const have = data[row]! * 10n ** BigInt(wanted.more)
      return fits(have < wanted.value ? -1 : have > wanted.value ? 1 : 0)
    }
  }
  if (column.kind === 'string' || column.kind === 'json') {
    const number = column.kind === 'string' && column.numeric ? parseNumber(value) : undefined
    if (number === undefined) {
      const collator = new Intl.Collator()
      return textTest(column, (text) => fits(collator.compare(text, value)))
    }
    return (row) => fitsNumber(numberAt(column, row), number, fits)
  }
  const wanted = column.kind === 'time' ? parseTime(value) : parseNumber(value)
  if (wanted === undefined) return () => false
  return (row) => fitsNumber(numberAt(column, row), wanted, fits)
}

const fitsNumber = (have: number | null, wanted: number, fits: (order: number) => boolean): boolean =>
  have !== null && fits(have - wanted)

/** Parses a typed time to milliseconds; without a zone it counts in that of the column. */
export function parseTime(value: string): number | undefined {
  const text = value.trim().replace(' ', 'T')
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text)
  const ms = Date.parse(text.includes('T') && !hasZone ? `${text}Z` : text)
  return Number.isNaN(ms) ? undefined : ms
}

/** Parses a typed number to an integer with `scale` decimal digits; `more` is the number of extra digits. */
function parseScaled(value: string, scale: number): { value: bigint; more: number } | undefined {
  const parts = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/.exec(value)
  if (!parts) return undefined
  const [, sign, integerPart = '0', fraction = ''] = parts
  const digits = Math.max(scale, fraction.length)
  const number = BigInt(integerPart + fraction.padEnd(digits, '0'))
  return { value: sign === '-' ? -number : number, more: digits - scale }
}

/** Returns row numbers ordered by one column; nulls last in both directions, equal rows in their original order. */
export function sortRows(frame: Frame, { column: index, descending }: Sorting, filtered?: Uint32Array): Uint32Array {
  const rows = filtered ?? Uint32Array.from({ length: frame.rows }, (_, row) => row)
  const column = frame.columns[index]
  if (!column) return rows
  const filled = rows.filter((row) => !isNull(column, row))
  const empty = rows.filter((row) => isNull(column, row))
  const compare = buildComparator(column, filled)
  const sign = descending ? -1 : 1
  filled.sort((a, b) => sign * compare(a, b) || a - b)
  const sorted = new Uint32Array(rows.length)
  sorted.set(filled)
  sorted.set(empty, filled.length)
  return sorted
}

function buildComparator(column: Column, rows: Uint32Array): (a: number, b: number) => number {
  if (column.kind === 'bigint' || column.kind === 'decimal') {
    const { data } = column
    return (a, b) => (data[a]! < data[b]! ? -1 : data[a]! > data[b]! ? 1 : 0)
  }
  const isText = (column.kind === 'string' || column.kind === 'json') && !(column.kind === 'string' && column.numeric)
  const rank = isText ? textRanks(column, rows) : numberRanks(column, rows)
  return (a, b) => rank[a]! - rank[b]!
}

function numberRanks(column: Column, rows: Uint32Array): Float64Array {
  const ranks = new Float64Array(highest(rows) + 1)
  for (const row of rows) ranks[row] = numberAt(column, row) ?? -Infinity
  return ranks
}

/** Compares each distinct text once; rows are then compared by rank. */
function textRanks(column: Column, rows: Uint32Array): Float64Array {
  const texts = new Map<string, number[]>()
  for (const row of rows) {
    const text = textAt(column, row) ?? ''
    const same = texts.get(text)
    if (same) same.push(row)
    else texts.set(text, [row])
  }
  const collator = new Intl.Collator()
  const ranks = new Float64Array(highest(rows) + 1)
  ;[...texts.keys()]
    .toSorted((a, b) => collator.compare(a, b) || (a < b ? -1 : 1))
    .forEach((text, rank) => {
      for (const row of texts.get(text) ?? []) ranks[row] = rank
    })
  return ranks
}

const highest = (rows: Uint32Array): number => rows.reduce((max, row) => (row > max ? row : max), 0)

/** Estimates the milliseconds of a view on a slow machine: over fifty, it runs in the worker. */
export function estimateViewMs({ rows, columns }: Frame, spec: ViewSpec): number {
  const sorted = spec.sorting && columns[spec.sorting.column]
  const isText = sorted && (sorted.kind === 'string' || sorted.kind === 'json')
  const sorting = sorted ? rows * Math.log2(rows + 2) * (isText ? 0.0004 : 0.0001) : 0
  const searching = spec.search.trim() === '' ? 0 : rows * spec.searched.length * 0.0004
  return sorting + searching + rows * spec.filters.length * 0.0004
}
