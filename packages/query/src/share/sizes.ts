import type { Dialect } from '../sql/dialect.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { secondsOf } from './grains.ts'
import type { LevelKey } from './level.ts'
import { idOf } from './level.ts'
import { keptBy, type Shareable } from './shareable.ts'

/** About how much the rows of some questions hold. */
export interface Sizes {
  /** Rows that are read to find them. */
  read: number
  rows: number
  /** How many values a key has. */
  of(key: LevelKey): number
}

/** The part of the rows that a sample has. */
const part = 0.01

/**
 * A statement that looks at a hundredth of the rows and gives one row of numbers, named `c0`, `c1`, ...
 * @param questions  with equal `rows`
 */
export function sizesOf(
  questions: readonly Shareable[],
  dialect: Dialect,
): { piece: Sql; read(row: Readonly<Record<string, number | null>>): Sizes } {
  const [first] = questions as [Shareable]
  const asked = new Map(questions.flatMap(keptBy).map((each) => [idOf(each), each]))
  const values = [...asked.values()].map(({ period, value }) =>
    period ? dialect.level.span(period.time) : dialect.level.distinct(value),
  )
  const from = dialect.level.sampled(first.from)
  const read = first.where.length > 0 ? [sql`(SELECT COUNT(*) FROM ${from})`] : []
  const piece = selectSql(
    {
      columns: [sql`COUNT(*)`, ...values, ...read].map((value, at) => ({ value, alias: `c${at}` })),
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
      const sampled = row['c0'] ?? 0
      const all = row[`c${values.length + 1}`] ?? sampled
      const found = new Map(ids.map((id, at) => [id, row[`c${at + 1}`] ?? 0]))
      const of = ({ id, period }: LevelKey): number => {
        const value = found.get(id) ?? Infinity
        if (period) return Math.min(sampled / part, value / (secondsOf[period.grain] ?? 1) + 2)
        return ofAll(value, sampled)
      }
      return { read: all / part, rows: sampled / part, of }
    },
  }
}

/** What has many values in a sample has more of them outside; where every second row is a new one nearly each is. */
function ofAll(distinct: number, sampled: number): number {
  const seen = distinct / Math.max(1, sampled)
  return seen >= 0.5 ? sampled / part : Math.min(sampled / part, distinct * (1 + (4 * seen) / (1 - 2 * seen)))
}
