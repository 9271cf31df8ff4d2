import type { Dialect } from '../sql/dialect.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { secondsOf } from './grains.ts'
import { idOf, valuesOf, type LevelKey } from './level.ts'
import { keptBy, type Shareable, type SharedDimension } from './shareable.ts'
import { noTypes, type TypesOfLevel } from './types-of-level.ts'

/** About how much the rows of some questions hold. */
export interface Sizes {
  /** Rows that are read to find them. */
  read: number
  rows: number
  /** How many values a key has. */
  of(key: LevelKey): number
  /** Left out where nothing hangs on them. */
  types?: TypesOfLevel
}

/** The answer to a statement of sizes. */
export type SizesRow = Readonly<Record<string, number | string | null>>

/** The part of the rows that a sample has. */
const part = 0.01

/**
 * A statement that looks at a hundredth of the rows and gives one row of numbers and names of types, named `c0`, `c1`, ...
 * @param questions  with equal `rows`
 */
export function sizesOf(questions: readonly Shareable[], dialect: Dialect): { piece: Sql; read(row: SizesRow): Sizes } {
  const [first] = questions as [Shareable]
  const asked = new Map(questions.flatMap(keptBy).map((each) => [idOf(each), each]))
  const values = [...asked.values()].map(({ period, value }) =>
    period ? dialect.level.span(period.time) : dialect.level.distinct(value),
  )
  const from = dialect.level.sampled(first.from)
  const read = first.where.length > 0 ? [sql`(SELECT COUNT(*) FROM ${from})`] : []
  const typed = typedBy(questions, asked, dialect)
  const piece = selectSql(
    {
      columns: [sql`COUNT(*)`, ...values, ...read, ...typed.values()].map((value, at) => ({ value, alias: `c${at}` })),
      from,
      join: null,
      where: first.where,
      groupBy: [],
      having: [],
      orderBy: [],
      limit: { rows: 1, offset: 0 },
    },
    dialect,
  )
  const ids = [...asked.keys()]
  return {
    piece,
    read: (row) => {
      const number = (at: number): number => Number(row[`c${at}`] ?? 0)
      const sampled = number(0)
      const all = read.length > 0 ? number(values.length + 1) : sampled
      const found = new Map(ids.map((id, at) => [id, number(at + 1)]))
      const typesFrom = 1 + values.length + read.length
      const types = new Map([...typed.keys()].map((id, at) => [id, String(row[`c${typesFrom + at}`])]))
      const of = ({ id, period }: LevelKey): number => {
        const value = found.get(id) ?? Infinity
        if (period) return Math.min(sampled / part, value / (secondsOf[period.grain] ?? 1) + 2)
        return ofAll(value, sampled)
      }
      return { read: all / part, rows: sampled / part, of, types: typed.size > 0 ? types : noTypes }
    },
  }
}

/** What tells the types of keys and values, where they are looked at. */
function typedBy(
  questions: readonly Shareable[],
  keys: ReadonlyMap<string, SharedDimension>,
  dialect: Dialect,
): ReadonlyMap<string, Sql> {
  const { types } = dialect.level
  if (!types) return new Map()
  return new Map([
    ...[...keys].map(([id, { period, value }]) => [id, types.ofKey(period?.time ?? value)] as const),
    ...valuesOf(questions, dialect).flatMap(({ id, name, value }) =>
      name === 'COUNT' ? [] : [[id, types.ofValue(value)] as const],
    ),
  ])
}

/** What has many values in a sample has more of them outside; where every second row is a new one nearly each is. */
function ofAll(distinct: number, sampled: number): number {
  const seen = distinct / Math.max(1, sampled)
  return seen >= 0.5 ? sampled / part : Math.min(sampled / part, distinct * (1 + (4 * seen) / (1 - 2 * seen)))
}
