import type { AccountPower, TestReport } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** How the last test of a connection ended, as lists show it. */
export interface LastTest {
  at: string
  ok: boolean
  /** Why it failed. */
  message: string | null
  /** What its account may do beyond reading. */
  powers?: AccountPower[]
}

/** Of a test that went well. */
export const passedTest = (at: Date, { warnings }: Pick<TestReport, 'warnings'>): LastTest => ({
  at: at.toISOString(),
  ok: true,
  message: null,
  ...(warnings.length > 0 && { powers: warnings.map(({ power }) => power) }),
})

/** Kept beside the document: a test changes nothing that has a history. */
export async function storeLastTest(db: Kysely<Tables>, id: number, test: LastTest): Promise<void> {
  await db
    .updateTable('database')
    .set({ last_test: JSON.stringify(test) })
    .where('id', '=', id)
    .execute()
}
