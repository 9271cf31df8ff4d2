import type { AccountPower, TestReport } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'

/** Result of the last test of a connection, as lists show it. */
export interface LastTest {
  at: string
  ok: boolean
  /** Error message of a failed test, in the language of the server at that time. */
  message: string | null
  /** Permissions of the account beyond reading. */
  powers?: AccountPower[]
}

/** Result of a successful test. */
export const passedTest = (time: Date, { warnings }: Pick<TestReport, 'warnings'>): LastTest => ({
  at: time.toISOString(),
  ok: true,
  message: null,
  ...(warnings.length > 0 && { powers: warnings.map(({ power }) => power) }),
})

/** Stored in its own column without a version, because a test does not change the database. */
export async function storeLastTest(db: Kysely<Tables>, id: number, test: LastTest): Promise<void> {
  await db
    .updateTable('database')
    .set({ last_test: JSON.stringify(test) })
    .where('id', '=', id)
    .execute()
}
