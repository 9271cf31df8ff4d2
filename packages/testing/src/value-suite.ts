import type { Session } from '@parquetry/engines/drivers'
import { type Frame, filterValueAt, textAt } from '@parquetry/frame'
import { createCsvEncoder } from '@parquetry/frame/encode'
import { createRandom, type Random } from '@parquetry/frame/testing/random'
import {
  decodeRison,
  defaultLimits,
  encodeRison,
  exactFields,
  formatDecimalText,
  parseDecimalText,
  parseExactJson,
  type PlannerColumn,
  type PlannerDataset,
  type QueryFilter,
  type QueryObject,
} from '@parquetry/model'
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
  /** Engine's type names of the columns, if they differ from those for CAST. */
  declared?: Partial<Record<ValueKind, string>>
  /** SQL of doubles that are not finite. */
  special?: Partial<Record<'NaN' | 'Infinity' | '-Infinity', string>>
}

export type ValueKind = 'integer' | 'unsigned' | 'decimal' | 'single' | 'double' | 'text'

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, at) => String(at === 0 ? 1 + random.int(9) : random.int(10))).join('')

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

/** Typed numbers and odd texts, each with a neighbor that a double would confuse with it. */
const generators: Record<ValueKind, (random: Random) => string[]> = {
  integer: (random) => {
    const value = BigInt.asIntN(64, BigInt(digits(random, 1 + random.int(19)))) * (random() < 0.5 ? 1n : -1n)
    return [value, BigInt.asIntN(64, value + 1n)].map(String)
  },
  unsigned: (random) => {
    const value = BigInt.asUintN(64, BigInt(digits(random, 1 + random.int(20))))
    return [value, BigInt.asUintN(64, value + 1n)].map(String)
  },
  decimal: (random) => {
    const start = `${random() < 0.5 ? '' : '-'}${digits(random, 1 + random.int(28))}.${digits(random, 9)}`
    return [`${start}1`, `${start}2`]
  },
  single: (random) => [String((1 + random.int(9999)) / 10 ** random.int(5))],
  double: (random) => [String((random() - 0.5) * 10 ** random.int(20)), String(random.int(1000) / 8)],
  text: (random) => [random.pick(oddTexts), `${random.pick(oddTexts)}${random.pick(oddTexts)}`],
}

/** Text by which equal values are recognized: numbers without zeros at the end. */
const canonical = (text: string, kind: ValueKind): string => {
  if (kind === 'text') return text
  const number = parseDecimalText(text)
  return number ? (formatDecimalText(number) ?? text) : text
}

/** A value as it arrives: after the address, JSON and the request's reader. */
const transported = (query: QueryObject): QueryObject => {
  const sent = { datasource: { id: 1, type: 'table' }, queries: [decodeRison(encodeRison(query))] }
  return readQueryContext(parseExactJson(JSON.stringify(sent))).queries[0]!
}

/**
 * Defines a test for each kind of value that an engine has: typed, listed, filtered by, drilled into, exported and read back, a
 * value stays the same, and a filter finds no other.
 * @param count values of each kind
 */
export function valueSuite(
  dialect: Dialect,
  types: ValueTypes,
  using: <T>(use: (session: Session) => Promise<T>) => Promise<T>,
  count = 40,
): void {
  const kinds = (Object.keys(generators) as ValueKind[]).filter((kind) => types[kind] !== undefined)

  it.each(kinds)(
    `${dialect.name}: typed, listed, filtered and exported values of the kind %s stay the same`,
    async (kind) => {
      const random = createRandom(29 + kind.length)
      const texts = new Set<string>()
      while (texts.size < count) for (const text of generators[kind](random)) texts.add(canonical(text, kind))
      if (kind === 'double') for (const name of Object.keys(types.special ?? {})) texts.add(name)
      const all = [...texts]
      await using(async (session) => {
        for (let start = 0; start < all.length; start += batchSize)
          await expectSame(all.slice(start, start + batchSize), kind, { dialect, types, session })
      })
    },
  )
}

/** Values in one table. The text of a statement with many more takes longer to parse than all of its rows to read. */
const batchSize = 10

interface Setting {
  dialect: Dialect
  types: ValueTypes
  session: Session
}

async function expectSame(texts: readonly string[], kind: ValueKind, setting: Setting): Promise<void> {
  const described = describeValues(texts, kind, setting)
  const run = (query: QueryObject) => runQuery(query, described, setting)
  const columns = ['i', 'v']
  const all = await run({ columns, metrics: [], orderby: [['i', true]] })
  const [ids, values] = all.columns
  const listed = Array.from({ length: all.rows }, (_, row) => ({
    id: Number(textAt(ids!, row)),
    value: filterValueAt(values!, row),
  })).filter(({ id }) => id >= 0)
  expect(listed.map(({ value }) => canonical(String(value), kind))).toEqual(texts)
  expect(exported(all).map((text) => canonical(text, kind))).toEqual(['', ...texts])
  const wrong: unknown[] = []
  for (const [at, text] of texts.entries()) {
    const chosen = listed[at]!.value
    for (const filter of [
      { col: 'v', op: '==', val: chosen, ...exactFields(chosen) },
      { col: 'v', op: 'IN', val: [text], ...exactFields(text) },
    ] satisfies QueryFilter[]) {
      const found = await run({ columns, metrics: [], filters: [filter] })
      const foundIds = Array.from({ length: found.rows }, (_, row) => Number(textAt(found.columns[0]!, row)))
      if (foundIds.length !== 1 || foundIds[0] !== at) wrong.push({ text, filter, foundIds })
    }
  }
  expect(wrong).toEqual([])
}

/** Dataset of one row per value, numbered from 0, and a null as row -1. */
function describeValues(texts: readonly string[], kind: ValueKind, { dialect, types }: Setting): PlannerDataset {
  const literalOf = (text: string): string => {
    const special = kind === 'double' ? types.special?.[text as 'NaN'] : undefined
    return special ?? `CAST(${dialect.literal(text)} AS ${types[kind]})`
  }
  const rows = texts.map((text, at) => `SELECT ${at} AS i, ${literalOf(text)} AS v`)
  const sql = [...rows, `SELECT -1 AS i, CAST(NULL AS ${nullable(types[kind]!, dialect)}) AS v`].join(' UNION ALL ')
  const dataset = sampleDataset({ table_name: 'values', sql }, dialect.name, null)
  const column = (column_name: string, type: string, type_generic: 0 | 1): PlannerColumn => ({
    column_name,
    type,
    type_generic,
    is_dttm: false,
    expression: null,
    python_date_format: null,
    verbose_name: null,
    groupby: true,
    filterable: true,
  })
  const type = types.declared?.[kind] ?? types[kind]!
  return {
    ...dataset,
    columns: [column('i', 'INTEGER', 0), column('v', type.toUpperCase(), kind === 'text' ? 1 : 0)],
  }
}

async function runQuery(query: QueryObject, dataset: PlannerDataset, { dialect, session }: Setting): Promise<Frame> {
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
