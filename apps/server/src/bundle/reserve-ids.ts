import { type BundledKind, bundledKinds } from '@parquetry/model'
import { PostgresAdapter, sql, type Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'
import type { BundleIndex, BundledObject } from './source-ids.ts'

/** An import must not use up the ids of a table. */
const maxGap = 100_000

/** Highest id that a table has ever given. */
async function readLastId(db: Transaction<Tables>, kind: BundledKind): Promise<number> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    const { rows } = await sql<{ last: number; used: boolean }>`
      select last_value as last, is_called as used from ${sql.id(`${kind}_id_seq`)}`.execute(db)
    return rows[0]?.used ? Number(rows[0].last) : 0
  }
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${kind}`.execute(db)
  return Number(rows[0]?.seq ?? 0)
}

/** Ids that the table gives itself come after this one. */
async function advance(db: Transaction<Tables>, kind: BundledKind, id: number): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`select setval(${`${kind}_id_seq`}, ${id})`.execute(db)
    return
  }
  const changed = await sql`update sqlite_sequence set seq = ${id} where name = ${kind}`.execute(db)
  if (Number(changed.numAffectedRows ?? 0) === 0)
    await sql`insert into sqlite_sequence (name, seq) values (${kind}, ${id})`.execute(db)
}

/**
 * Ids that new objects keep from the store that their bundle comes from, so that addresses, embeds and scripts that name them stay
 * valid, and an export from an empty store equals the one that was imported. Only ids beyond all that this store has ever given
 * are kept: others may still be named by something that was deleted.
 * @returns ids by path
 */
export async function reserveIds(
  db: Transaction<Tables>,
  { sourceIds }: Pick<BundleIndex, 'sourceIds'>,
  created: readonly BundledObject[],
): Promise<Map<string, number>> {
  const reserved = new Map<string, number>()
  for (const kind of bundledKinds) {
    const wanted = created.flatMap(({ kind: own, uuid, path }) => {
      const id = own === kind ? sourceIds.get(`${kind} ${uuid}`) : undefined
      return id === undefined ? [] : [{ id, path }]
    })
    if (wanted.length === 0) continue
    const last = await readLastId(db, kind)
    const free = wanted.filter(({ id }) => id > last && id <= last + maxGap)
    const byId = new Map(free.map((each) => [each.id, each]))
    for (const { id, path } of byId.values()) reserved.set(path, id)
    if (byId.size > 0) await advance(db, kind, Math.max(...byId.keys()))
  }
  return reserved
}
