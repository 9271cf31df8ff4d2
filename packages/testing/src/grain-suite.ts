import type { Session } from '@parquetry/engines/drivers'
import { type Cell, cellAt, numberAt, textAt } from '@parquetry/frame'
import { createRandom, type Random } from '@parquetry/frame/testing/random'
import { type AdhocMetric, defaultLimits, GenericType, type PlannerDataset, type QueryObject } from '@parquetry/model'
import { type Dialect, inlineValues, plan, restrict } from '@parquetry/query'
import { describe, expect, it } from 'vitest'
import { readAll } from './sessions.ts'

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

/** Times around the starts of periods, and anywhere between. */
function listTimes(random: Random, count: number): number[] {
  return Array.from({ length: count }, (_, at) => {
    const day = Date.UTC(1972 + random.int(60), random.int(12), 1 + random.int(31))
    return (
      day +
      random.pick([0, -secondMs, random.int(24 * 60) * minuteMs, at % 2 === 0 ? random.int(dayMs / 1000) * 1000 : 0])
    )
  })
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

/**
 * Defines tests of all time grains of an engine on random times: each time is in its period of the calendar, the periods add up to
 * the whole, and a range of whole periods gives the same before and after grouping.
 * @param startsWeekOnSunday  `P1W` begins on Sunday, as in the API on this engine
 */
export function grainSuite(
  dialect: Dialect,
  using: <T>(use: (session: Session) => Promise<T>) => Promise<T>,
  startsWeekOnSunday = false,
): void {
  const source = { kind: 'network', engine: dialect.name, id: 'grains', settings: {}, schema: null } as const
  const times = listTimes(createRandom(1969), 60)
  const rows = times.map((time, at) => {
    const instant = inlineValues(dialect.instant(toIso(time), 'TIMESTAMP'), dialect)
    const stored = formats.map(
      ({ write }, index) => `${dialect.literal(write(toIso(time)))} AS ${dialect.quote(`t${index}`)}`,
    )
    return `SELECT ${instant} AS ${dialect.quote('t')}, ${at} AS ${dialect.quote('n')}, ${stored.join(', ')}`
  })
  const column = { expression: null, python_date_format: null, verbose_name: null, groupby: true, filterable: true }
  const dataset: PlannerDataset = {
    id: 1,
    uuid: '',
    engine: dialect.name,
    table_name: 'times',
    schema: null,
    catalog: null,
    sql: rows.join(' UNION ALL '),
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
  }

  /** Label of each period, with the number of its rows and the sum of their numbers. */
  async function periods(session: Session, grain: string, filters: QueryObject['filters'] = [], name = 't') {
    const axis = { sqlExpression: name, label: name, columnType: 'BASE_AXIS' as const, timeGrain: grain }
    const query: QueryObject = { columns: [{ ...axis, expressionType: 'SQL' }], metrics, filters }
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
    const { frame } = await readAll(session, statement!.text, { values: statement!.values })
    const [label, count, sum] = frame.columns
    return new Map(
      Array.from({ length: frame.rows }, (_, row) => [
        toMs(cellAt(label!, row), textAt(label!, row)),
        [numberAt(count!, row), numberAt(sum!, row)] as const,
      ]),
    )
  }

  describe(`${dialect.name}: time grains`, () => {
    it.each(Object.keys(dialect.timeGrain))('%s puts each time into its period, and periods add up', (grain) =>
      using(async (session) => {
        const expected = new Map<number, [number, number]>()
        times.forEach((time, at) => {
          const { label } = periodOf(time, grain, startsWeekOnSunday)
          const [count, sum] = expected.get(label) ?? [0, 0]
          expected.set(label, [count + 1, sum + at])
        })
        const found = await periods(session, grain)
        expect(found).toEqual(expected)
        const total = (index: 0 | 1) => [...found.values()].reduce((all, values) => all + Number(values[index]), 0)
        expect([total(0), total(1)]).toEqual([times.length, (times.length * (times.length - 1)) / 2])
      }),
    )

    it.each(formats.map((one, index) => ({ ...one, name: `t${index}` })))(
      'times stored as $format have the same periods and ranges as times',
      ({ name, exactMs }) =>
        using(async (session) => {
          const random = createRandom(11)
          const [one, other] = [random.pick(times), random.pick(times)].map(
            (time) => time + random.int(dayMs / 1000) * 1000,
          )
          const [from, to] = [Math.min(one!, other!), Math.max(one!, other!)]
          const expected = new Map<number, [number, number]>()
          times.forEach((time, at) => {
            const stored = Math.floor(time / exactMs) * exactMs
            if (stored < from || stored >= to) return
            const { label } = periodOf(stored, 'P1M', startsWeekOnSunday)
            const [count, sum] = expected.get(label) ?? [0, 0]
            expected.set(label, [count + 1, sum + at])
          })
          const val = `${toIso(from)} : ${toIso(to)}`
          expect(await periods(session, 'P1M', [{ col: name, op: 'TEMPORAL_RANGE', val }], name)).toEqual(expected)
        }),
    )

    it.each(Object.keys(dialect.timeGrain))('%s: a range of whole periods may come before or after grouping', (grain) =>
      using(async (session) => {
        const whole = await periods(session, grain)
        const random = createRandom(7)
        const [one, other] = [random.pick(times), random.pick(times)].map((time) =>
          periodOf(time, grain, startsWeekOnSunday),
        )
        const [first, last] = one!.from <= other!.from ? [one!, other!] : [other!, one!]
        const val = `${toIso(first.from)} : ${toIso(last.to)}`
        const inRange = await periods(session, grain, [{ col: 't', op: 'TEMPORAL_RANGE', val }])
        expect(inRange).toEqual(new Map([...whole].filter(([label]) => first.label <= label && label <= last.label)))
      }),
    )
  })
}

/** Engines without a type for times return text. */
function toMs(cell: Cell, text: string | null): number {
  return typeof cell === 'number' ? cell : Date.parse(`${String(text).replace(' ', 'T')}Z`)
}
