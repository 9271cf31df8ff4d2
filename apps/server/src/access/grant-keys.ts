import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { and } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import { datasetAccess } from './access.ts'
import type { Principal } from './principal.ts'

export const hashText = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64')

/** Tests whether the principal may not read one of the datasets, or one does not exist. */
export async function lacksAccess(
  db: Kysely<Tables>,
  principal: Principal,
  datasets: readonly number[],
): Promise<boolean> {
  const access = datasetAccess(principal)
  const ids = [...new Set(datasets)]
  if (!access || ids.length === 0) return false
  const isOne = sql<boolean>`dataset.id in (${sql.join(ids)})`
  const { rows } = await sql`select dataset.id from dataset where ${and([isOne, access])}`.execute(db)
  return rows.length < ids.length
}
