import type { Session } from '@parquetry/engines/drivers'
import { type Cell, cellAt, type Frame, numberAt, textAt } from '@parquetry/frame'
import {
  type AdhocMetric,
  defaultLimits,
  GenericType,
  type PlannerDataset,
  type QueryColumn,
  type QueryObject,
} from '@parquetry/model'
import { createRandom, groupSeeds, nameCase, type Random } from '@parquetry/model/testing/random'
import { type Dialect, inlineValues, plan, restrict } from '@parquetry/query'
import { describe, expect, it } from 'vitest'
import { readAll } from './sessions.ts'
import type { WriteRows } from './value-suite.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface Period {
  from: number
  /** The first time that is not part of it. */
  to: number
  /** Time that names it: its start, or its last day. */
  label: number
}

const clockMs: Record<string, number> = {
  PT1S: secondMs,
  PT5S: 5 * secondMs,
  PT30S: 30 * secondMs,
  PT1M: minuteMs,
  PT5M: 5 * minuteMs,
  PT10M: 10 * minuteMs,
  PT15M: 15 * minuteMs,
  PT30M: 30 * minuteMs,
  PT1H: hourMs,
  PT6H: 6 * hourMs,
  P1D: dayMs,
}
const monthCounts: Record<string, number> = { P1M: 1, P3M: 3, P1Y: 12 }
/** Day on which a week begins (0 is Sunday), and whether its last day names it. */
const weeks: Record<string, [first: number, isNamedByEnd: boolean]> = {
  '1969-12-28T00:00:00Z/P1W': [0, false],
  '1969-12-29T00:00:00Z/P1W': [1, false],
  'P1W/1970-01-03T00:00:00Z': [0, true],
  'P1W/1970-01-04T00:00:00Z': [1, true],
}

/** Finds the period of a time by walking through the calendar. */
function periodOf(time: number, grain: string, startsWeekOnSunday: boolean): Period {
  const midnight = Math.floor(time / dayMs) * dayMs
  const length = clockMs[grain]
  if (length) {
    let from = midnight
    while (from + length <= time) from += length
    return { from, to: from + length, label: from }
  }
  const months = monthCounts[grain]
  if (months) {
    const date = new Date(midnight)
    const first = date.getUTCMonth() - (date.getUTCMonth() % months)
    const from = Date.UTC(date.getUTCFullYear(), first)
    return { from, to: Date.UTC(date.getUTCFullYear(), first + months), label: from }
  }
  const [first, isNamedByEnd] = weeks[grain] ?? [startsWeekOnSunday ? 0 : 1, false]
  let from = midnight
  while (new Date(from).getUTCDay() !== first) from -= dayMs
  return { from, to: from + 7 * dayMs, label: isNamedByEnd ? from + 6 * dayMs : from }
}

/** A time at or near the start of a period, or anywhere between. */
function createTime(random: Random): number {
  const month = random.pick([0, random.int(12)])
  const day = Date.UTC(1972 + random.int(60), month, random.pick([1, 1 + random.int(31)]))
  return day + random.pick([0, -secondMs, random.int(24 * 60) * minuteMs, random.int(dayMs / 1000) * 1000])
}

const simple = (aggregate: string, column_name: string, label: string): AdhocMetric => ({
  expressionType: 'SIMPLE',
  aggregate,
  column: { column_name },
  label,
})
const metrics = [simple('COUNT', 'n', 'rows'), simple('SUM', 'n', 'sum')]
/** Stored times: the format, the number of milliseconds to which it is exact, and the digits or text of a time. */
const formats: { format: string; exactMs: number; write(iso: string): string | number }[] = [
  { format: '%Y-%m-%d', exactMs: dayMs, write: (iso) => iso.slice(0, 10) },
  { format: '%Y-%m-%d %H:%M:%S', exactMs: secondMs, write: (iso) => iso.replace('T', ' ') },
  { format: '%Y/%m/%dT%H:%M', exactMs: minuteMs, write: (iso) => iso.slice(0, 16).replaceAll('-', '/') },
  { format: '%Y%m%d', exactMs: dayMs, write: (iso) => Number(iso.slice(0, 10).replaceAll('-', '')) },
  { format: '%Y%m%d%H%M%S', exactMs: secondMs, write: (iso) => iso.replaceAll(/\D/g, '') },
  { format: 'epoch_s', exactMs: secondMs, write: (iso) => Date.parse(`${iso}Z`) / 1000 },
  { format: 'epoch_ms', exactMs: secondMs, write: (iso) => Date.parse(`${iso}Z`) },
]

const toIso = (time: number) => new Date(time).toISOString().slice(0, 19)

type Range = [from: number, to: number]

/** Times in one table of a query, whose SQL must not become too long. */
const tableSize = 200

interface TimeTable {
  seeds: readonly number[]
  times: readonly number[]
  dataset: PlannerDataset
}

/**
 * Defines tests of all time grains of an engine on random times: each time is in its period of the calendar, and a range of whole
 * periods gives the same before and after grouping, with parts that add up.
 * @param count  random times
 * @param startsWeekOnSunday  `P1W` begins on Sunday, as in the API on this engine
 */
export function grainSuite(
  {
    dialect,
    writeRows,
    startsWeekOnSunday = false,
  }: { dialect: Dialect; writeRows: WriteRows; startsWeekOnSunday?: boolean },
  using: <T>(use: (session: Session) => Promise<T>) => Promise<T>,
  count: number,
): void {
  const source = { kind: 'network', engine: dialect.name, id: 'grains', settings: {}, schema: null } as const
  const column = { expression: null, python_date_format: null, verbose_name: null, groupby: true, filterable: true }
  const createDataset = (times: readonly number[]): PlannerDataset => ({
    id: 1,
    uuid: '',
    engine: dialect.name,
    table_name: 'times',
    schema: null,
    catalog: null,
    sql: writeRows(
      ['t', 'n', ...formats.map((_, index) => `t${index}`)],
      times.map((time, index) => [
        inlineValues(dialect.instant(toIso(time), 'TIMESTAMP'), dialect),
        String(index),
        ...formats.map(({ write }) => dialect.literal(write(toIso(time)))),
      ]),
    ),
    main_dttm_col: 't',
    columns: [
      { ...column, column_name: 't', type: 'TIMESTAMP', type_generic: GenericType.TEMPORAL, is_dttm: true },
      { ...column, column_name: 'n', type: 'INTEGER', type_generic: GenericType.NUMERIC, is_dttm: false },
      ...formats.map(({ format, write }, index) => ({
        ...column,
        ...(typeof write(toIso(0)) === 'number'
          ? { type: 'BIGINT', type_generic: GenericType.NUMERIC }
          : { type: 'VARCHAR', type_generic: GenericType.STRING }),
        column_name: `t${index}`,
        is_dttm: true,
        python_date_format: format,
      })),
    ],
    metrics: [],
    fetch_values_predicate: null,
    offset: 0,
    always_filter_main_dttm: false,
  })
  const tables = groupSeeds(count, tableSize).map((seeds): TimeTable => {
    const times = seeds.map((seed) => createTime(createRandom(seed)))
    return { seeds, times, dataset: createDataset(times) }
  })
  const eachTable = (test: (table: TimeTable, session: Session) => Promise<void>): Promise<void> =>
    using(async (session) => {
      for (const table of tables) await test(table, session)
    })

  async function answer(session: Session, { dataset }: TimeTable, query: QueryObject): Promise<Frame> {
    const { plan: planned } = plan(restrict(query, dataset, { rlsRules: [] }), dataset, {
      now: '2024-05-01T12:00:00',
      source,
      encode: { as: 'rows', times: 'ms' },
      limits: defaultLimits,
      dialect,
      settings: { ROW_LIMIT: 50_000, SQL_MAX_ROW: 100_000, SAMPLES_ROW_LIMIT: 1000, ALLOW_ADHOC_SUBQUERY: false },
      resultType: 'full',
    })
    const [statement] = planned.statements
    return (await readAll(session, statement!.text, { values: statement!.values })).frame
  }
  const axis = (name: string, timeGrain: string, label = name): QueryColumn => ({
    sqlExpression: name,
    label,
    columnType: 'BASE_AXIS',
    timeGrain,
    expressionType: 'SQL',
  })
  const timeOf = (frame: Frame, index: number, row: number) =>
    toMs(cellAt(frame.columns[index]!, row), textAt(frame.columns[index]!, row))

  /** Label of each period in a range, with the number of its rows and the sum of their numbers. */
  async function periods(session: Session, table: TimeTable, grain: string, [from, to]: Range, name = 't') {
    const val = `${toIso(from)} : ${toIso(to)}`
    const frame = await answer(session, table, {
      columns: [axis(name, grain)],
      metrics,
      filters: [{ col: name, op: 'TEMPORAL_RANGE', val }],
    })
    return new Map(
      Array.from({ length: frame.rows }, (_, row) => [
        timeOf(frame, 0, row),
        [numberAt(frame.columns[1]!, row), numberAt(frame.columns[2]!, row)] as const,
      ]),
    )
  }
  /** Computes the result of `periods` by the calendar. @param read  the time that is stored for a time */
  function expectedPeriods({ times }: TimeTable, grain: string, [from, to]: Range, read = (time: number) => time) {
    const expected = new Map<number, [number, number]>()
    times.forEach((time, index) => {
      const stored = read(time)
      if (stored < from || stored >= to) return
      const { label } = periodOf(stored, grain, startsWeekOnSunday)
      const [rowsOf, sum] = expected.get(label) ?? [0, 0]
      expected.set(label, [rowsOf + 1, sum + index])
    })
    return expected
  }
  const grains = Object.keys(dialect.timeGrain)

  describe(`${dialect.name}: time grains`, () => {
    it('each time is in its period of the calendar, of every grain', () =>
      eachTable(async (table, session) => {
        const frame = await answer(session, table, {
          columns: ['n', ...grains.map((grain) => axis('t', grain, `by ${grain}`))],
          metrics: [],
          orderby: [['n', true]],
        })
        const describePeriods = (labelOf: (grain: string, index: number, at: number) => number) =>
          table.seeds.map((seed, at) => [
            nameCase(seed),
            ...grains.map((grain, index) => `${grain} ${toIso(labelOf(grain, index, at))}`),
          ])
        expect(frame.rows).toBe(table.times.length)
        expect(describePeriods((_grain, index, at) => timeOf(frame, index + 1, at))).toEqual(
          describePeriods((grain, _index, index) => periodOf(table.times[index]!, grain, startsWeekOnSunday).label),
        )
      }))

    it.each(formats.map((one, index) => ({ ...one, name: `t${index}` })))(
      'times stored as $format have the same periods and ranges as times',
      ({ name, exactMs }) =>
        eachTable(async (table, session) => {
          const random = createRandom(table.seeds[0]! + 10)
          const [one, other] = [random.pick(table.times), random.pick(table.times)].map(
            (time) => time + random.int(dayMs / 1000) * 1000,
          )
          const range: Range = [Math.min(one!, other!), Math.max(one!, other!)]
          const read = (time: number) => Math.floor(time / exactMs) * exactMs
          expect(await periods(session, table, 'P1M', range, name)).toEqual(expectedPeriods(table, 'P1M', range, read))
        }),
    )

    it.each(grains)('%s: a range of whole periods may come before or after grouping, and its parts add up', (grain) =>
      eachTable(async (table, session) => {
        const random = createRandom(table.seeds[0]! + grain.length)
        const periodAt = (time: number) => periodOf(time, grain, startsWeekOnSunday)
        const pick = (from: readonly number[]) => periodAt(random.pick(from.length > 0 ? from : table.times))
        // The range ends at a time that it does not include, where there is one.
        const end = pick(table.times.filter((time) => periodAt(time).from === time))
        const first = pick(table.times.filter((time) => time < end.from))
        const to = first.from < end.from ? end.from : first.to
        const isWithin = (label: number) =>
          to === end.from ? first.label <= label && label < end.label : label === first.label
        const everything = expectedPeriods(table, grain, [-Infinity, Infinity])
        expect(await periods(session, table, grain, [first.from, to])).toEqual(
          new Map([...everything].filter(([label]) => isWithin(label))),
        )
      }),
    )
  })
}

/** Engines without a type for times return text. */
function toMs(cell: Cell, text: string | null): number {
  return typeof cell === 'number' ? cell : Date.parse(`${String(text).replace(' ', 'T')}Z`)
}
