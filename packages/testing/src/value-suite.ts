import type { Session } from '@parquetry/engines/drivers'
import { type Frame, filterValueAt, textAt } from '@parquetry/frame'
import { createCsvEncoder } from '@parquetry/frame/encode'
import {
  decodeRison,
  defaultLimits,
  encodeRison,
  exactFields,
  formatDecimalText,
  type GenericType,
  parseDecimalText,
  hasApproximatePercentiles,
  listStatistics,
  parseExactJson,
  type Statistic,
  statisticSql,
  toLikePattern,
  type PlannerColumn,
  type PlannerDataset,
  type QueryFilter,
  type QueryObject,
} from '@parquetry/model'
import { createRandom, listSeeds, nameCase, type Random } from '@parquetry/model/testing/random'
import { type Dialect, plan, readQueryContext, restrict } from '@parquetry/query'
import { expect, it } from 'vitest'
import { sampleDataset } from './datasets.ts'
import { readAll } from './sessions.ts'

/** Column types of an engine for values that must stay as they are; kinds that it lacks are left out. */
export interface ValueTypes {
  /** Name of the type for CAST. */
  integer: string
  unsigned?: string
  decimal?: string
  single?: string
  double: string
  text: string
  /** Times with nanoseconds. */
  nanoseconds?: string
  /** Engine's type names of the columns, if they differ from those for CAST. */
  declared?: Partial<Record<ValueKind, string>>
  /** SQL of true, false and null, and the engine's name of their type. */
  booleans: { sql: readonly [isTrue: string, isFalse: string, isNull: string]; declared: string }
  /** SQL of a time in the zone of Tokyo, given in UTC (`2024-02-29 23:30:00`), and the engine's name of its type. */
  zoned?: { sql(utc: string): string; declared: string }
  /** Texts of the same form are equal by the engine's collation; by default only a text itself. */
  collated?: (text: string) => string
  /** SQL of doubles that are not finite. */
  special?: Partial<Record<'NaN' | 'Infinity' | '-Infinity', string>>
}

export type ValueKind = 'integer' | 'unsigned' | 'decimal' | 'single' | 'double' | 'text' | 'nanoseconds'

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, index) => String(index === 0 ? 1 + random.int(9) : random.int(10))).join('')

const oddTexts = [
  '',
  ' ',
  '   ',
  '<NULL>',
  '<empty string>',
  '∅',
  '"∅"',
  'null',
  'NULL',
  "O'Donnell",
  'a"b',
  'back\\slash',
  '50%',
  '%s %(x)s',
  'x;y--',
  "','",
  'line\nbreak',
  'edge\n',
  '\tedge',
  'a, b',
  'a\\, b',
  '9007199254740995',
  'NaN',
  'true',
  'größe-码',
  '🙂',
]

/** Typed numbers and odd texts, most with a neighbor that a double would confuse with it. */
const generators: Record<ValueKind, (random: Random) => [value: string, neighbor?: string]> = {
  integer: (random) => {
    const value = BigInt.asIntN(64, BigInt(digits(random, 1 + random.int(19)))) * (random() < 0.5 ? 1n : -1n)
    return [String(BigInt.asIntN(64, value)), String(BigInt.asIntN(64, value + 1n))]
  },
  unsigned: (random) => {
    const value = BigInt.asUintN(64, BigInt(digits(random, 1 + random.int(20))))
    return [String(value), String(BigInt.asUintN(64, value + 1n))]
  },
  decimal: (random) => {
    const start = `${random() < 0.5 ? '' : '-'}${digits(random, 1 + random.int(28))}.${digits(random, 9)}`
    return [`${start}1`, `${start}2`]
  },
  single: (random) => [String((1 + random.int(9999)) / 10 ** random.int(5))],
  double: (random) => {
    const value = (random() - 0.5) * 10 ** random.int(20)
    return random.pick([[String(value), String(nextDouble(value))], [String(random.int(1000) / 8)]])
  },
  nanoseconds: (random) => {
    const second = new Date(Date.UTC(1950 + random.int(100), 0, 1, 0, 0, random.int(1e7))).toISOString()
    const start = `${second.slice(0, 10)} ${second.slice(11, 19)}.${digits(random, 8)}`
    return [`${start}1`, `${start}2`]
  },
  text: (random) => [random.pick(oddTexts), `${random.pick(oddTexts)}${random.pick(oddTexts)}`],
}

function nextDouble(value: number): number {
  const bits = new BigInt64Array(new Float64Array([value]).buffer)
  return new Float64Array(new BigInt64Array([bits[0]! + 1n]).buffer)[0]!
}

interface Case {
  text: string
  /** Seed from which it was made. */
  seed: number
  /** False for the neighbor of a value, which a filter that is not exact would find as well. */
  isFirst: boolean
}

/** Distinct values of a kind, from one seed after the other. */
function listCases(kind: ValueKind, count: number, types: ValueTypes): Case[] {
  const special = kind === 'double' ? Object.keys(types.special ?? {}) : []
  const formOf = (text: string): string => (kind === 'text' ? (types.collated?.(text) ?? text) : text)
  const cases = new Map<string, Case>()
  for (const seed of listSeeds(count)) {
    const pair = generators[kind](createRandom(seed))
    for (const [at, text] of pair.map((value) => canonical(value!, kind)).entries())
      if (!cases.has(formOf(text))) cases.set(formOf(text), { text, seed, isFirst: at === 0 })
  }
  for (const text of special) cases.set(text, { text, seed: 0, isFirst: true })
  return [...cases.values()]
}

/** Text by which equal values are recognized: numbers without zeros at the end. */
const canonical = (text: string, kind: ValueKind): string => {
  if (kind === 'text' || kind === 'nanoseconds') return text
  const number = parseDecimalText(text)
  return number ? (formatDecimalText(number) ?? text) : text
}

/** A value as it arrives: after the address, JSON and the request's reader. */
const transported = (query: QueryObject): QueryObject => {
  const sent = { datasource: { id: 1, type: 'table' }, queries: [decodeRison(encodeRison(query))] }
  return readQueryContext(parseExactJson(JSON.stringify(sent))).queries[0]!
}

type UseSession = <T>(use: (session: Session) => Promise<T>) => Promise<T>

/**
 * Defines a test for each kind of value that an engine has: typed, listed, filtered by, drilled into, exported and read back, a
 * value stays the same, and a filter finds no other.
 * @param withSharedSession  uses a session of several tests, in which no statement may fail
 * @param withOwnSession  uses a new session
 * @param count cases of each kind
 */
export function valueSuite(
  { dialect, writeRows, ...types }: ValueTypes & { dialect: Dialect; writeRows: WriteRows },
  { withSharedSession, withOwnSession }: { withSharedSession: UseSession; withOwnSession: UseSession },
  count: number,
): void {
  const kinds = (Object.keys(generators) as ValueKind[]).filter((kind) => types[kind] !== undefined)
  const writeColumn = (values: readonly string[]) =>
    writeRows(
      ['v'],
      values.map((value) => [value]),
    )
  const setting = (session: Session): Setting => ({ dialect, types, writeRows, session })

  it.each(kinds)(
    `${dialect.name}: typed, listed, filtered and exported values of the kind %s stay the same`,
    async (kind) => {
      const cases = listCases(kind, count, types)
      await withSharedSession(async (session) => {
        for (let start = 0; start < cases.length; start += batchSize)
          await expectSame(cases.slice(start, start + batchSize), kind, setting(session))
      })
    },
  )

  it(`C015, ${dialect.name}: literals of texts with quotes and control characters find equal values`, async () => {
    const names = ["O'Donnell", 'a"b', 'back\\slash', '50%', 'x;y--', "','"]
    const rows = [...names, 'plain'].map((name) => `SELECT ${dialect.literal(name)} AS name`).join(' UNION ALL ')
    await withSharedSession(async (session) => {
      for (const list of [names, ...names.map((name) => [name])]) {
        const among = `SELECT COUNT(*) AS n FROM (${rows}) q WHERE name IN ${dialect.literal(list)}`
        expect(Number(textAt((await readAll(session, among)).frame.columns[0]!, 0))).toBe(list.length)
      }
    })
  })

  it(`${dialect.name}: patterns find the texts that contain, start with or end with the exact text`, async () => {
    const texts = ['50%', '50x', 'a_b', 'axb', 'back\\slash', 'back/slash', "o'donnell", '%', 'größe-码', '']
    const sql = writeColumn([
      ...texts.map((text) => dialect.literal(text)),
      `CAST(NULL AS ${nullable(types.text, dialect)})`,
    ])
    const dataset = describeColumn(sql, { type: 'VARCHAR', type_generic: 1 }, dialect)
    await withSharedSession(async (session) => {
      const find = (op: string, val: string) =>
        countRows({ filters: [{ col: 'v', op, val }] }, dataset, { dialect, session })
      const wrong: unknown[] = []
      for (const part of ['%', '0%', '_', 'a_', '\\', 'k\\s', "'", '50', 'größe', 'b'])
        for (const [shape, holds] of [
          ['contains', (text: string) => text.includes(part)],
          ['starts', (text: string) => text.startsWith(part)],
          ['ends', (text: string) => text.endsWith(part)],
        ] as const) {
          const pattern = toLikePattern(part, shape)
          const found = [await find('LIKE', pattern), await find('ILIKE', pattern), await find('NOT LIKE', pattern)]
          const count = texts.filter(holds).length
          const expected = [count, count, texts.length - count]
          if (String(found) !== String(expected)) wrong.push({ pattern, found, expected })
        }
      expect(wrong).toEqual([])
    })
  })

  it(`${dialect.name}: regular expressions find parts of texts, or are refused by name`, async () => {
    const texts = ['a.b', 'axb', 'AXB', "it's", 'back\\slash', '']
    const sql = writeColumn(texts.map((text) => dialect.literal(text)))
    const dataset = describeColumn(sql, { type: 'VARCHAR', type_generic: 1 }, dialect)
    await withSharedSession(async (session) => {
      const find = (op: string, val: string) =>
        countRows({ filters: [{ col: 'v', op, val }] }, dataset, { dialect, session })
      if (!dialect.regex) {
        await expect(find('REGEX', 'a')).rejects.toMatchObject({
          code: 'unsupported',
          message: `${dialect.name} does not support regular expressions in filters.`,
        })
        return
      }
      for (const [pattern, count] of [
        ['^a\\.b$', 1],
        ['^a[.x]b$', 2],
        ["t's", 1],
        ['k\\\\s', 1],
        ['^$', 1],
      ] as const) {
        // The collation of MySQL ignores case.
        const isAnyCase = dialect.name === 'mysql' && pattern.includes('x')
        const expected = count + (isAnyCase ? 1 : 0)
        expect([pattern, await find('REGEX', pattern)]).toEqual([pattern, expected])
        expect([pattern, await find('NOT REGEX', pattern)]).toEqual([pattern, texts.length - expected])
      }
      for (const pattern of ['', 'a'.repeat(1001)])
        await expect(find('REGEX', pattern)).rejects.toMatchObject({ code: 'invalid_query' })
    })
    if (!dialect.regex) return
    await withOwnSession(async (session) => {
      const query = { filters: [{ col: 'v', op: 'REGEX', val: '[a' }] }
      await expect(countRows(query, dataset, { dialect, session })).rejects.toMatchObject({ code: 'query_failed' })
    })
  })

  it(`${dialect.name}: computes the statistics that it offers`, async () => {
    // Between two values without decimal places lie values with some.
    const type = types.decimal ? 'DECIMAL(4, 0)' : types.double
    const numbers = [4, 1, 10, 7, 3, 2, 9, 8, 6, 5].map((value) => `SELECT CAST(${value} AS ${type}) AS v`)
    const sql = [...numbers, `SELECT CAST(NULL AS ${nullable(type, dialect)}) AS v`].join(' UNION ALL ')
    const dataset = describeColumn(sql, { type: 'DOUBLE', type_generic: 0 }, dialect)
    const expected: (readonly [Statistic, percent: number, value: number])[] = [
      ['MEDIAN', 50, 5.5],
      ['PERCENTILE', 90, 9.1],
      ['PERCENTILE', 99.9, 9.991],
      ['STDDEV', 50, 3.02765],
      ['VARIANCE', 50, 9.16667],
    ]
    const offered = expected.filter(([statistic]) => listStatistics(dialect.name).includes(statistic))
    if (offered.length === 0) return
    const metrics = offered.map(([statistic, percent], index) => ({
      expressionType: 'SQL' as const,
      sqlExpression: statisticSql(dialect.name, dialect.quote('v'), { statistic, percent }),
      label: `m${index}`,
    }))
    await withSharedSession(async (session) => {
      const frame = await runQuery({ columns: [], metrics }, dataset, setting(session))
      const isEstimate = hasApproximatePercentiles(dialect.name)
      for (const [at, [statistic, percent, value]] of offered.entries()) {
        const difference = Math.abs(Number(textAt(frame.columns[at]!, 0)) - value)
        const allowed = isEstimate && !['STDDEV', 'VARIANCE'].includes(statistic) ? 1 : 1e-4
        expect([statistic, percent, difference <= allowed]).toEqual([statistic, percent, true])
      }
    })
  })

  it(`C072, ${dialect.name}: texts and numbers find booleans, and nothing else`, async () => {
    const [isTrue, isFalse, isNull] = types.booleans.sql
    const sql = writeColumn([isTrue, isTrue, isFalse, isNull])
    const dataset = describeColumn(sql, { type: types.booleans.declared }, dialect)
    await withSharedSession(async (session) => {
      const counts: number[] = []
      for (const [op, val] of [
        ['IN', [true]],
        ['IN', ['true']],
        ['IN', [false]],
        ['==', 'false'],
        ['IS TRUE', null],
        ['IS FALSE', null],
        ['IN', [false, null]],
        ['==', null],
        ['==', 'maybe'],
      ] as const)
        counts.push(await countRows({ filters: [{ col: 'v', op, val }] }, dataset, setting(session)))
      expect(counts).toEqual([2, 2, 1, 1, 2, 1, 2, 1, 0])
    })
  })

  it.each([
    ['epoch_s', ['1709164800', '1709251199', '1709251200']],
    ['epoch_ms', ['1709164800000', '1709251199999', '1709251200000']],
  ] as const)(
    `C035, ${dialect.name}: numbers of the format %s are times in buckets, ranges and filters`,
    async (format, numbers) => {
      const sql = writeColumn(numbers.map((value) => `CAST(${value} AS ${types.integer})`))
      const column = { type: 'BIGINT', is_dttm: true, python_date_format: format }
      await withSharedSession((session) =>
        expectDays(describeColumn(sql, column, dialect), setting(session), '2024-02-29 00:00:00'),
      )
    },
  )

  const { zoned } = types
  if (zoned)
    it(`${dialect.name}: buckets, ranges and labels of zoned times have one clock`, async () => {
      const sql = ['2024-02-29 00:30:00', '2024-02-29 23:30:00', '2024-03-01 00:30:00']
        .map((utc) => `SELECT ${zoned.sql(utc)} AS v`)
        .join(' UNION ALL ')
      const dataset = describeColumn(sql, { type: zoned.declared, is_dttm: true }, dialect)
      await withSharedSession((session) => expectDays(dataset, setting(session), null))
    })
}

/** Expects two times on 29 February 2024 and one on 1 March. @param first  text of the first one, by which it is found */
async function expectDays(dataset: PlannerDataset, setting: Setting, first: string | null): Promise<void> {
  const days = await runQuery(
    {
      columns: [{ sqlExpression: 'v', label: 'v', expressionType: 'SQL', columnType: 'BASE_AXIS', timeGrain: 'P1D' }],
      metrics: ['count'],
      orderby: [['v', true]],
    },
    dataset,
    setting,
  )
  const day = (row: number) => textAt(days.columns[0]!, row)?.slice(0, 10)
  const count = (row: number) => Number(textAt(days.columns[1]!, row))
  expect(Array.from({ length: days.rows }, (_, row) => [day(row), count(row)])).toEqual([
    ['2024-02-29', 2],
    ['2024-03-01', 1],
  ])
  const range = [{ col: 'v', op: 'TEMPORAL_RANGE', val: '2024-02-29 : 2024-03-01' }]
  expect(await countRows({ filters: range }, dataset, setting)).toBe(2)
  if (first === null) return
  expect(await countRows({ filters: [{ col: 'v', op: 'IN', val: [first] }] }, dataset, setting)).toBe(1)
}

/** Number of rows of an SQL query, whose only column is `v`, that a filter on it finds. */
export const countFound = (
  session: Session,
  dialect: Dialect,
  { sql, ...column }: Partial<PlannerColumn> & { sql: string },
  filter: Omit<QueryFilter, 'col'>,
): Promise<number> =>
  countRows({ filters: [{ col: 'v', ...filter }] }, describeColumn(sql, column, dialect), { dialect, session })

async function countRows(
  query: QueryObject,
  dataset: PlannerDataset,
  setting: Pick<Setting, 'dialect' | 'session'>,
): Promise<number> {
  const frame = await runQuery({ columns: [], metrics: ['count'], ...query }, dataset, setting)
  return Number(textAt(frame.columns[0]!, 0))
}

/** Dataset of one column `v`. */
function describeColumn(sql: string, column: Partial<PlannerColumn>, dialect: Dialect): PlannerDataset {
  const calculated = [{ column_name: 'v', ...column }]
  return { ...sampleDataset({ table_name: 'cases', sql, calculated }, dialect.name, null), main_dttm_col: null }
}

/** Cases whose values are in one table. */
const batchSize = 200

/** One value in this many is also searched for alone. */
const aloneEvery = 7

/** SQL of a table with the rows, whose columns have these names. */
export type WriteRows = (names: readonly string[], rows: readonly (readonly string[])[]) => string

interface Setting {
  dialect: Dialect
  types: ValueTypes
  writeRows: WriteRows
  session: Session
}

async function expectSame(cases: readonly Case[], kind: ValueKind, setting: Setting): Promise<void> {
  const texts = cases.map(({ text }) => text)
  const described = describeValues(texts, kind, setting)
  const run = (query: QueryObject) => runQuery(query, described, setting)
  const columns = ['i', 'v']
  const all = await run({ columns, metrics: [], orderby: [['i', true]] })
  const [ids, values] = all.columns
  const listed = Array.from({ length: all.rows }, (_, row) => ({
    id: Number(textAt(ids!, row)),
    value: filterValueAt(values!, row),
  })).filter(({ id }) => id >= 0)
  const named = (found: readonly string[]) => found.map((text, index) => [text, nameCase(cases[index]?.seed ?? 0)])
  expect(named(listed.map(({ value }) => canonical(String(value), kind)))).toEqual(named(texts))
  expect(exported(all).map((text) => canonical(text, kind))).toEqual(['', ...texts])

  const find = async (filter: QueryFilter): Promise<string[]> => {
    const found = await run({ columns, metrics: [], filters: [filter], orderby: [['i', true]] })
    return Array.from({ length: found.rows }, (_, row) => texts[Number(textAt(found.columns[0]!, row))] ?? 'null')
  }
  /** The values of a list and typed ones take turns. */
  const choose = (index: number) => (index % 2 === 0 ? listed[index]!.value : texts[index]!)
  const withIds = cases.map((one, index) => ({ ...one, at: index }))
  for (const half of [withIds.filter(({ isFirst }) => isFirst), withIds.filter(({ isFirst }) => !isFirst)]) {
    if (half.length === 0) continue
    const val = half.map(({ at }) => choose(at))
    expect(await find({ col: 'v', op: 'IN', val, ...exactFields(val) })).toEqual(half.map(({ text }) => text))
  }
  for (const { text, at, seed } of withIds.filter(({ at }) => at % aloneEvery === 0)) {
    const val = choose(at)
    const filter: QueryFilter = at % 2 === 0 ? { col: 'v', op: '==', val } : { col: 'v', op: 'IN', val: [val] }
    expect([nameCase(seed), await find({ ...filter, ...exactFields(filter.val) })]).toEqual([nameCase(seed), [text]])
  }
}

/** Dataset of one row per value, numbered from 0, and a null as row -1. */
function describeValues(
  texts: readonly string[],
  kind: ValueKind,
  { dialect, types, writeRows }: Setting,
): PlannerDataset {
  const literalOf = (text: string): string => {
    const special = kind === 'double' ? types.special?.[text as 'NaN'] : undefined
    return special ?? `CAST(${dialect.literal(text)} AS ${types[kind]})`
  }
  const rows = texts.map((text, index) => [String(index), literalOf(text)])
  const sql = writeRows(['i', 'v'], [...rows, ['-1', `CAST(NULL AS ${nullable(types[kind]!, dialect)})`]])
  const dataset = sampleDataset({ table_name: 'values', sql }, dialect.name, null)
  const column = (column_name: string, type: string, type_generic: GenericType): PlannerColumn => ({
    column_name,
    type,
    type_generic,
    is_dttm: type_generic === 2,
    expression: null,
    python_date_format: null,
    verbose_name: null,
    groupby: true,
    filterable: true,
  })
  const type = types.declared?.[kind] ?? types[kind]!
  return {
    ...dataset,
    columns: [
      column('i', 'INTEGER', 0),
      column('v', type.toUpperCase(), kind === 'text' ? 1 : kind === 'nanoseconds' ? 2 : 0),
    ],
  }
}

async function runQuery(
  query: QueryObject,
  dataset: PlannerDataset,
  { dialect, session }: Pick<Setting, 'dialect' | 'session'>,
): Promise<Frame> {
  const { plan: made } = plan(restrict(transported(query), dataset, { rlsRules: [] }), dataset, {
    now: '2024-05-01T12:00:00',
    source: { kind: 'network', engine: dialect.name, id: 'values', settings: {}, schema: null },
    encode: { as: 'rows', times: 'ms' },
    limits: defaultLimits,
    dialect,
    settings: { ROW_LIMIT: 50_000, SQL_MAX_ROW: 100_000, SAMPLES_ROW_LIMIT: 1000, ALLOW_ADHOC_SUBQUERY: false },
    resultType: 'full',
  })
  const [statement] = made.statements
  return (await readAll(session, statement!.text, { values: statement!.values })).frame
}

/** ClickHouse types reject null unless they say otherwise. */
const nullable = (type: string, dialect: Dialect): string =>
  dialect.name === 'clickhouse' ? `Nullable(${type})` : type

/** The second fields of the rows of a CSV file. */
function exported(frame: Frame): string[] {
  const encoder = createCsvEncoder({ escape: false, separator: ',', header: false })
  const chunks = [...encoder.start(frame.columns), ...encoder.frame(frame), ...encoder.end()]
  const text = Buffer.concat(chunks).toString()
  const fields: string[] = []
  const pattern = /(-?\d+)(?:\.0)?,(?:"((?:[^"]|"")*)"|([^\n]*))\n/gy
  for (let found = pattern.exec(text); found; found = pattern.exec(text))
    fields.push(found[2]?.replaceAll('""', '"') ?? found[3] ?? '')
  return fields
}
