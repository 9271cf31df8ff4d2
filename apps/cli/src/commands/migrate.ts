import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lockHome } from '@parquetry/server/home'
import { backUp } from '@parquetry/server/store/backup'
import { migrate } from '@parquetry/server/store/migrate'
import { migrations } from '@parquetry/server/store/migrations/index'
import { withStore } from '../with-store.ts'

const help = `Usage: parquetry migrate

Upgrades the metadata store to the schema of this version. A store that is not empty is backed up first.
parquetry start does the same. Stop all servers of other versions that use the store before you run it.
`

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  await withStore(async (store, { home, config }) => {
    const { readSchemaVersion } = await import('@parquetry/server/store/migrate')
    const isCurrent = (await readSchemaVersion(store)) === migrations.length
    const unlock = isCurrent ? () => {} : await lockHome(home)
    try {
      const { from, to } = await migrate(store, async (version) => {
        const path = await backUp(store, join(home, 'backups'), `before-migration-${version + 1}`, new Date())
        process.stdout.write(`Backed up the metadata store to ${path}\n`)
      })
      const { seedRoles } = await import('@parquetry/server/security/seed-roles')
      await seedRoles(store.db, config)
      process.stdout.write(
        from === to
          ? `The metadata store is already at version ${to}.\n`
          : `Migrated the metadata store from version ${from} to ${to}.\n`,
      )
    } finally {
      unlock()
    }
  })
}
