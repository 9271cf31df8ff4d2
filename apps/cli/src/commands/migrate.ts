import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lockHome } from '@parquetry/server/home'
import { backUp } from '@parquetry/server/store/backup'
import { migrate } from '@parquetry/server/store/migrate'
import { migrations } from '@parquetry/server/store/migrations/index'
import { withStore } from '../with-store.ts'

const help = `Usage: parquetry migrate

Brings the metadata store to the shape that this version needs; a store with data is backed up before. The start of the server
does the same. Not while a server of another version uses the store.
`

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  await withStore(async (store, { home, config }) => {
    const { versionOf } = await import('@parquetry/server/store/migrate')
    const isCurrent = (await versionOf(store)) === migrations.length
    const unlock = isCurrent ? () => {} : await lockHome(home)
    try {
      const { from, to } = await migrate(store, async (version) => {
        const path = await backUp(store, join(home, 'backups'), `before-migration-${version + 1}`, new Date())
        process.stdout.write(`Backed up to ${path}\n`)
      })
      const { seedRoles } = await import('@parquetry/server/security/seed-roles')
      await seedRoles(store.db, config)
      process.stdout.write(
        from === to ? `The store has version ${to} already.\n` : `The store went from version ${from} to ${to}.\n`,
      )
    } finally {
      unlock()
    }
  })
}
