import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** How the last test of a connection ended, as lists show it. */
export interface LastTest {
  at: string
  ok: boolean
  /** Why it failed. */
  message: string | null
}

/** Kept beside the document: a test changes nothing that has a history. */
export async function keepLastTest(db: Kysely<Tables>, id: number, test: LastTest): Promise<void> {
  await db
    .updateTable('database')
    .set({ last_test: JSON.stringify(test) })
    .where('id', '=', id)
    .execute()
}
