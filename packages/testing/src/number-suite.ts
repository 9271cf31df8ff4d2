import type { Session } from '@parquetry/engines/drivers'
import { type Cell, cellAt, type Frame, numberAt, postProcess } from '@parquetry/frame'
import { createRandom, type Random } from '@parquetry/frame/testing/random'
import { type AdhocMetric, labelOfColumn, labelOfMetric, type QueryColumn, type QueryObject } from '@parquetry/model'
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
const aggregates = [
  rowCount,
  sum,
  simple('COUNT', 'Horsepower'),
  simple('AVG', 'Horsepower'),
  simple('MAX', 'Acceleration'),
  simple('MIN', 'Miles_per_Gallon'),
  simple('COUNT_DISTINCT', 'Name'),
]

/** Text and numbers, with and without nulls, an expression, and a time with a grain. */
const dimensions: QueryColumn[] = [
  'Origin',
  'Cylinders',
  'Horsepower',
  'hp_class',
  { sqlExpression: 'Year', label: 'Year', columnType: 'BASE_AXIS', timeGrain: 'P1Y', expressionType: 'SQL' },
]
const conditions = ['COUNT(*) > 5', 'AVG("Horsepower") > 100', 'MAX("Acceleration") < 20 OR COUNT(*) > 30']

interface Question {
  columns: QueryColumn[]
  filters: NonNullable<QueryObject['filters']>
  having: string
  metric: AdhocMetric
}

function ask(random: Random): Question {
  const first = random.pick(dimensions)
  const second = random.pick([...dimensions, null])
  return {
    columns: second === null || second === first ? [first] : [first, second],
    filters: random.pick([[], [{ col: 'Cylinders', op: '>', val: random.pick([3, 4, 6]) }]]),
    having: random.pick(conditions),
    metric: random.pick([rowCount, sum]),
  }
}

/**
 * Defines the tests that relate the results of random queries to each other: whatever they are, parts add up to the whole, a filter may
 * come before or after grouping, a total is that of the rows above it, and all pages have shares of one whole.
 * @param count  random queries, a quarter for each test
 */
export function numberSuite(
  dialect: Dialect,
  schema: string | null,
  using: <T>(use: (session: Session) => Promise<T>) => Promise<T>,
  count = 40,
): void {
  const source = { kind: 'network', engine: dialect.name, id: 'numbers', settings: {}, schema } as const

  /** Result of a query on the cars, after its steps. */
  const answer = async (session: Session, query: QueryObject): Promise<Frame> => {
    const { plan } = planCase({ name: 'random', dataset: 'cars', query }, { dialect, source, schema })
    const [statement] = plan.statements
    const { frame } = await readAll(session, statement!.text, { values: statement!.values })
    const named = {
      ...frame,
      columns: frame.columns.map((column, at) => ({ ...column, name: plan.columns[at]!.name })),
    }
    return plan.steps.length > 0 ? postProcess(named, plan.steps).frame : named
  }
  const eachQuestion = (test: (question: Question, session: Session) => Promise<void>): Promise<void> =>
    using(async (session) => {
      const random = createRandom(2029)
      for (let at = 0; at < count / 4; at += 1) await test(ask(random), session)
    })

  describe(`${dialect.name}: numbers of random queries`, () => {
    it('parts add up to the whole', () =>
      eachQuestion(async ({ columns, filters }, session) => {
        const metrics = [rowCount, sum]
        const parts = await answer(session, { columns, metrics, filters })
        const whole = await answer(session, { columns: [], metrics, filters })
        for (const { label } of metrics) expectNear(total(parts, label!), numberOf(whole, label!), { columns, filters })
      }))

    it('filtering before grouping gives the same as filtering the groups', () =>
      eachQuestion(async ({ columns, filters, metric }, session) => {
        const metrics = [metric]
        const [chosen] = [...new Set(cells(await answer(session, { columns: ['Origin'], metrics }), 'Origin'))]
        const grouped = { columns: ['Origin', ...columns.filter((column) => column !== 'Origin')], metrics }
        const before = await answer(session, {
          ...grouped,
          filters: [...filters, { col: 'Origin', op: '==', val: String(chosen) }],
        })
        const after = await answer(session, { ...grouped, filters })
        const kept = records(after).filter((record) => record.includes(`"Origin":"${String(chosen)}"`))
        expect(records(before).toSorted()).toEqual(kept.toSorted())
      }))

    it('a total includes the rows of the groups that HAVING selects, and no others', () =>
      eachQuestion(async ({ columns, filters, having }, session) => {
        const shown = await answer(session, { columns, metrics: aggregates, filters, extras: { having } })
        const totals = await answer(session, {
          columns: [],
          having_columns: columns,
          metrics: aggregates,
          filters,
          extras: { having },
        })
        const keys = new Set(keysOf(shown, columns))
        const rows = await answer(session, {
          columns: [...columns, 'Name', 'Weight_in_lbs', 'Acceleration', 'Miles_per_Gallon'].filter(isFirst),
          metrics: [rowCount, simple('AVG', 'Horsepower'), simple('COUNT', 'Horsepower')],
          filters,
        })
        const at = keysOf(rows, columns).flatMap((key, row) => (keys.has(key) ? [row] : []))
        const pick = (label: string) => at.map((row) => numberAt(columnOf(rows, label), row))
        const counts = pick('rows').map(Number)
        const powered = pick('COUNT(Horsepower)').map(Number)
        const found = (values: (number | null)[]) => values.filter((value) => value !== null)
        const expected: Record<string, number | null> = {
          rows: add(counts),
          'SUM(Weight_in_lbs)': orNull(
            at,
            add(pick('Weight_in_lbs').map((weight, index) => (weight ?? 0) * counts[index]!)),
          ),
          'COUNT(Horsepower)': add(powered),
          'AVG(Horsepower)': ratio(
            add(pick('AVG(Horsepower)').map((mean, index) => (mean ?? 0) * powered[index]!)),
            add(powered),
          ),
          'MAX(Acceleration)': orNull(at, Math.max(...found(pick('Acceleration')))),
          'MIN(Miles_per_Gallon)': orNull(
            found(pick('Miles_per_Gallon')),
            Math.min(...found(pick('Miles_per_Gallon'))),
          ),
          'COUNT_DISTINCT(Name)': new Set(at.map((row) => cellAt(columnOf(rows, 'Name'), row))).size,
        }
        for (const [label, value] of Object.entries(expected))
          expectNear(numberOf(totals, label), value, { label, columns, filters, having })
        for (const label of ['rows', 'SUM(Weight_in_lbs)'])
          expectNear(total(shown, label), Number(numberOf(totals, label)), { label, columns, filters, having })
      }))

    it('shares of all records are the same on every page and add up to one', () =>
      eachQuestion(async ({ columns, filters, having, metric }, session) => {
        const label = labelOfMetric(metric)
        const share = `%${label}`
        const query = {
          columns,
          metrics: [metric],
          filters,
          extras: { having },
          orderby: [[metric, false]],
          row_limit: 5,
        } satisfies QueryObject
        const step = {
          operation: 'contribution',
          options: { columns: [label], rename_columns: [share], whole: 'all_records' },
        }
        const everything = await answer(session, { ...query, row_limit: 0 })
        const whole = total(everything, label)
        for (const row_offset of [0, 5]) {
          const page = await answer(session, { ...query, row_offset, post_processing: [step] })
          // Steps are not applied to a page without rows.
          const added = page.rows > 0 ? [share] : []
          expect(page.columns.map(({ name }) => name)).toEqual([...columns.map(labelOfColumn), label, ...added])
          for (let row = 0; row < page.rows; row += 1)
            expectNear(numberAt(columnOf(page, share), row), Number(numberOf(page, label, row)) / whole, query)
        }
        const all = await answer(session, { ...query, row_limit: 0, post_processing: [step] })
        if (all.rows > 0) expectNear(total(all, share), 1, query)
      }))
  })
}

const isFirst = (column: QueryColumn, at: number, all: readonly QueryColumn[]): boolean =>
  all.findIndex((other) => labelOfColumn(other) === labelOfColumn(column)) === at

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
