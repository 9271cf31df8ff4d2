import type { Session } from '@parquetry/engines/drivers'
import { type Cell, cellAt, type Frame, numberAt, postProcess } from '@parquetry/frame'
import { type AdhocMetric, labelOfColumn, labelOfMetric, type QueryColumn, type QueryObject } from '@parquetry/model'
import { checkCases, type Random } from '@parquetry/model/testing/random'
import type { Dialect } from '@parquetry/query'
import { describe, expect, it } from 'vitest'
import { planCase } from './query-cases.ts'
import { readAll } from './sessions.ts'

const simple = (aggregate: string, column_name: string): AdhocMetric => ({
  expressionType: 'SIMPLE',
  aggregate,
  column: { column_name },
  label: `${aggregate}(${column_name})`,
})
const rowCount: AdhocMetric = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'rows' }
const sum = simple('SUM', 'Weight_in_lbs')
const parts = [rowCount, sum, simple('COUNT', 'Horsepower'), simple('MAX', 'Acceleration')]
const aggregates = [
  ...parts,
  simple('AVG', 'Horsepower'),
  simple('MIN', 'Miles_per_Gallon'),
  simple('COUNT_DISTINCT', 'Name'),
]

/** Text and numbers, with and without nulls, and an expression. */
const groups = ['Origin', 'Cylinders', 'Horsepower', 'hp_class']
const years: QueryColumn = {
  sqlExpression: 'Year',
  label: 'Year',
  columnType: 'BASE_AXIS',
  timeGrain: 'P1Y',
  expressionType: 'SQL',
}

interface Question {
  /** The first one is not a time. */
  columns: QueryColumn[]
  filters: NonNullable<QueryObject['filters']>
  having: string
  metric: AdhocMetric
  page: { row_offset: number; row_limit: number }
}

function ask(random: Random): Question {
  const first = random.pick(groups)
  const second = random.pick([...groups, years, null])
  return {
    columns: second === null || second === first ? [first] : [first, second],
    filters: random.pick([
      [],
      [{ col: 'Cylinders', op: '>', val: random.pick([3, 4, 6]) }],
      [{ col: 'Origin', op: 'IN', val: ['Japan', 'USA'] }],
      [{ col: 'Horsepower', op: 'IS NOT NULL' }],
    ]),
    having: random.pick([
      `COUNT(*) > ${random.int(9)}`,
      `AVG("Horsepower") > ${random.pick([80, 100, 130])}`,
      `MAX("Acceleration") < 20 OR COUNT(*) > ${random.pick([10, 30])}`,
    ]),
    metric: random.pick([rowCount, sum]),
    page: { row_offset: random.pick([0, 2, 5]), row_limit: random.pick([5, 1000]) },
  }
}

/**
 * Defines the tests that relate the results of random queries to each other: whatever they are, parts add up to the whole, a filter may
 * come before or after grouping, a total is that of the rows above it, and all pages have shares of one whole.
 * @param count  random queries
 */
export function numberSuite(
  dialect: Dialect,
  schema: string | null,
  using: <T>(use: (session: Session) => Promise<T>) => Promise<T>,
  count: number,
): void {
  const source = { kind: 'network', engine: dialect.name, id: 'numbers', settings: {}, schema } as const
  /** Results by statement, since most queries ask for some that others asked for. */
  const known = new Map<string, Promise<Frame>>()

  /** Result of a query on the cars, after its steps. */
  const answer = async (session: Session, query: QueryObject): Promise<Frame> => {
    const { plan } = planCase({ name: 'random', dataset: 'cars', query }, { dialect, source, schema })
    const [statement] = plan.statements
    const { text, values } = statement!
    const key = JSON.stringify([text, values])
    const result = known.get(key) ?? readAll(session, text, { values }).then(({ frame }) => frame)
    known.set(key, result)
    const frame = await result
    const named = {
      ...frame,
      columns: frame.columns.map((column, index) => ({ ...column, name: plan.columns[index]!.name })),
    }
    return plan.steps.length > 0 ? postProcess(named, plan.steps).frame : named
  }
  const eachQuestion = (test: (question: Question, session: Session) => Promise<void>): Promise<void> =>
    using((session) => checkCases(count, (random) => test(ask(random), session)))

  describe(`${dialect.name}: numbers of random queries`, () => {
    it('parts add up to the whole', () =>
      eachQuestion(async ({ columns, filters }, session) => {
        const grouped = await answer(session, { columns, metrics: parts, filters })
        const whole = await answer(session, { columns: [], metrics: parts, filters })
        for (const label of ['rows', 'SUM(Weight_in_lbs)', 'COUNT(Horsepower)'])
          expectNear(total(grouped, label), numberOf(whole, label), { label, columns, filters })
      }))

    it('filtering before grouping gives the same as filtering the groups', () =>
      eachQuestion(async ({ columns, filters }, session) => {
        const after = await answer(session, { columns, metrics: parts, filters })
        const [name] = columns as [string]
        const values = [...new Set(cells(after, name))].toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
        const chosen = values[JSON.stringify([columns, filters]).length % values.length]!
        const before = await answer(session, {
          columns,
          metrics: parts,
          filters: [
            ...filters,
            chosen === null ? { col: name, op: 'IS NULL' } : { col: name, op: '==', val: chosen as string },
          ],
        })
        const kept = records(after).filter((_, row) => cellAt(columnOf(after, name), row) === chosen)
        expect(kept).not.toEqual([])
        expect(records(before).toSorted()).toEqual(kept.toSorted())
      }))

    it('a total includes the rows of the groups that HAVING selects, and no others', () =>
      eachQuestion(async ({ columns, filters, having }, session) => {
        const shown = await answer(session, { columns, metrics: parts, filters, extras: { having } })
        const totals = await answer(session, {
          columns: [],
          having_columns: columns,
          metrics: aggregates,
          filters,
          extras: { having },
        })
        const keys = new Set(keysOf(shown, columns))
        const rows = await answer(session, {
          columns: [...groups, years, 'Name', 'Weight_in_lbs', 'Acceleration', 'Miles_per_Gallon'],
          metrics: [rowCount],
          filters,
        })
        const at = keysOf(rows, columns).flatMap((key, row) => (keys.has(key) ? [row] : []))
        const pick = (label: string) => at.map((row) => numberAt(columnOf(rows, label), row))
        const counts = pick('rows').map(Number)
        const powers = pick('Horsepower')
        const powered = counts.map((rowsOf, index) => (powers[index] === null ? 0 : rowsOf))
        const weigh = (values: (number | null)[]) => add(values.map((value, index) => (value ?? 0) * counts[index]!))
        const found = (values: (number | null)[]) => values.filter((value) => value !== null)
        const economy = found(pick('Miles_per_Gallon'))
        const expected: Record<string, number | null> = {
          rows: add(counts),
          'SUM(Weight_in_lbs)': orNull(at, weigh(pick('Weight_in_lbs'))),
          'COUNT(Horsepower)': add(powered),
          'AVG(Horsepower)': ratio(weigh(powers), add(powered)),
          'MAX(Acceleration)': orNull(at, Math.max(...found(pick('Acceleration')))),
          'MIN(Miles_per_Gallon)': orNull(economy, Math.min(...economy)),
          'COUNT_DISTINCT(Name)': new Set(at.map((row) => cellAt(columnOf(rows, 'Name'), row))).size,
        }
        for (const [label, value] of Object.entries(expected))
          expectNear(numberOf(totals, label), value, { label, columns, filters, having })
        for (const label of ['rows', 'SUM(Weight_in_lbs)'])
          expectNear(total(shown, label), Number(numberOf(totals, label)), { label, columns, filters, having })
      }))

    it('shares of all records are the same on every page and add up to one', () =>
      eachQuestion(async ({ columns, filters, having, metric, page }, session) => {
        const label = labelOfMetric(metric)
        const share = `%${label}`
        const everything = await answer(session, { columns, metrics: parts, filters, extras: { having } })
        const whole = total(everything, label)
        const query = {
          columns,
          metrics: [metric],
          filters,
          extras: { having },
          orderby: [[metric, false], ...columns.map((column): [string, boolean] => [labelOfColumn(column), true])],
          post_processing: [
            {
              operation: 'contribution',
              options: { columns: [label], rename_columns: [share], whole: 'all_records' },
            },
          ],
        } satisfies QueryObject
        const frame = await answer(session, { ...query, ...page })
        // Steps are not applied to a page without rows.
        const added = frame.rows > 0 ? [share] : []
        expect(frame.columns.map(({ name }) => name)).toEqual([...columns.map(labelOfColumn), label, ...added])
        expect(frame.rows).toBe(Math.max(0, Math.min(page.row_limit, everything.rows - page.row_offset)))
        for (let row = 0; row < frame.rows; row += 1)
          expectNear(numberOf(frame, share, row), Number(numberOf(frame, label, row)) / whole, query)
        if (frame.rows > 0 && frame.rows === everything.rows) expectNear(total(frame, share), 1, query)
      }))
  })
}

const columnOf = (frame: Frame, name: string) => frame.columns.find((column) => column.name === name)!
const numberOf = (frame: Frame, name: string, row = 0): number | null => numberAt(columnOf(frame, name), row)
const cells = (frame: Frame, name: string): Cell[] =>
  Array.from({ length: frame.rows }, (_, row) => cellAt(columnOf(frame, name), row))
const add = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const total = (frame: Frame, name: string): number =>
  add(Array.from({ length: frame.rows }, (_, row) => numberOf(frame, name, row) ?? 0))
/** Aggregates of no rows are null, except counts. */
const orNull = (rows: readonly unknown[], value: number): number | null => (rows.length > 0 ? value : null)
const ratio = (value: number, by: number): number | null => (by === 0 ? null : value / by)

const textOf = (cell: Cell): string => (typeof cell === 'number' ? cell.toPrecision(12) : String(cell))
const keysOf = (frame: Frame, columns: readonly QueryColumn[]): string[] =>
  Array.from({ length: frame.rows }, (_, row) =>
    JSON.stringify(columns.map((column) => textOf(cellAt(columnOf(frame, labelOfColumn(column)), row)))),
  )
const records = (frame: Frame): string[] =>
  Array.from({ length: frame.rows }, (_, row) =>
    JSON.stringify(Object.fromEntries(frame.columns.map((column) => [column.name, textOf(cellAt(column, row))]))),
  )

/** Sums of floating-point numbers may differ in their last digits. */
function expectNear(value: number | null, expected: number | null, question: object): void {
  if (value === null || expected === null) expect({ value, question }).toEqual({ value: expected, question })
  else
    expect(Math.abs(value - expected), JSON.stringify({ value, expected, question })).toBeLessThanOrEqual(
      1e-9 * Math.max(1, Math.abs(expected)),
    )
}
