import { type Kysely, sql, type SqlBool } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import { readWithTtl } from '../store/ttl-cache.ts'
import type { Tables } from '../store/tables.ts'
import { and, type Condition } from '../store/conditions.ts'

/** Tables with fewer ids are counted exactly on every request. */
const smallTable = 10_000
const sliceRows = 4_000
/** Tables with fewer ids are assumed to have no large gaps. */
const sparseId = 10_000_000

/** Counts the rows that meet the conditions with one uncached statement. */
export const countWhere = async (
  db: Kysely<Tables>,
  table: string,
  conditions: readonly Condition[],
): Promise<number> => {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from ${sql.table(table)} where ${and(conditions)}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** Counts a large table in slices, so that an in-process store does not block other requests. */
async function countInSlices(db: Kysely<Tables>, table: string, conditions: readonly Condition[]): Promise<number> {
  let count = 0
  let from = await findNextId(db, table, 0)
  while (from !== null) {
    const end = from + sliceRows
    const slice = sql<SqlBool>`${sql.ref(`${table}.id`)} >= ${from} and ${sql.ref(`${table}.id`)} < ${end}`
    count += await countWhere(db, table, [slice, ...conditions])
    await setImmediate()
    // Ids of tags have gaps of many millions.
    from = await findNextId(db, table, end)
  }
  return count
}

async function findNextId(db: Kysely<Tables>, table: string, from: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`select min(id) as id from ${sql.table(table)}
    where id >= ${from}`.execute(db)
  const id = rows[0]?.id ?? null
  return id === null ? null : Number(id)
}

/** True if a table with large ids has few rows, such as the view of tags. */
async function isSmallAndSparse(db: Kysely<Tables>, table: string, maxId: number): Promise<boolean> {
  if (maxId < sparseId) return false
  const { rows } = await sql<{ n: number }>`select count(*) as n
    from (select id from ${sql.table(table)} limit ${smallTable}) as found`.execute(db)
  return Number(rows[0]?.n ?? 0) < smallTable
}

/**
 * Counts the rows that meet the conditions, exactly for small tables and without conditions. Counting what a role may see of
 * 100,000 rows takes 0.2 s, so there the number is cached for half a minute per query and access rights, both of which are in the
 * SQL.
 */
export async function countRows(
  db: Kysely<Tables>,
  table: string,
  conditions: readonly Condition[],
): Promise<{ count: number; isExact: boolean }> {
  if (conditions.length === 0) return { count: await countWhere(db, table, []), isExact: true }
  const { rows } = await sql<{ n: number | null }>`select max(id) as n from ${sql.table(table)}`.execute(db)
  const maxId = Number(rows[0]?.n ?? 0)
  if (maxId < smallTable || (await isSmallAndSparse(db, table, maxId)))
    return { count: await countWhere(db, table, conditions), isExact: true }
  const { sql: text, parameters } = sql`${sql.table(table)} ${and(conditions)}`.compile(db)
  const key = JSON.stringify([text, parameters])
  return { count: await readWithTtl(db, key, () => countInSlices(db, table, conditions)), isExact: false }
}
