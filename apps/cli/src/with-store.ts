import { openHome } from '@parquetry/server/home'
import { readSettings, type Settings } from '@parquetry/server/settings/settings'
import { StartError } from '@parquetry/server/settings/start-error'
import { migrations } from '@parquetry/server/store/migrations/index'
import { refuseNewer, readSchemaVersion } from '@parquetry/server/store/migrate'
import { openStore, type Store } from '@parquetry/server/store/open'

/** Opens the metadata store for a command. Works with or without a running server. */
export async function withStore(run: (store: Store, settings: Settings) => Promise<void>): Promise<void> {
  const settings = await readSettings(process.env)
  openHome(settings.home)
  const store = await openStore(settings)
  try {
    await run(store, settings)
  } finally {
    await store.close()
  }
}

/** Like `withStore`, for commands that need the current schema. An empty store is initialized; an older one is an error. */
export const withCurrentStore = (run: (store: Store, settings: Settings) => Promise<void>): Promise<void> =>
  withStore(async (store, settings) => {
    const version = await readSchemaVersion(store)
    refuseNewer(version)
    if (version === 0) {
      const { migrate } = await import('@parquetry/server/store/migrate')
      const { seedRoles } = await import('@parquetry/server/security/seed-roles')
      await migrate(store, async () => {})
      await seedRoles(store.db, settings.config)
    } else if (version < migrations.length)
      throw new StartError(
        'store',
        'The metadata store was created by an older version of Parquetry. Run parquetry migrate, then try again.',
      )
    await run(store, settings)
  })
