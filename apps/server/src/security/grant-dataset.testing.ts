import type { TestServer } from '../testing.ts'
import { grant } from './grants.ts'

/** Grants a role access to a dataset's data. */
export async function grantDataset({ deps, app }: TestServer, dataset: number, role: string): Promise<void> {
  const { view } = await deps.db
    .selectFrom('permission')
    .select('view')
    .where('name', '=', 'datasource_access')
    .where('view', 'like', `%(id:${dataset})`)
    .executeTakeFirstOrThrow()
  await grant(deps.db, role, ['datasource_access', view])
  app.authenticator.forget()
}
