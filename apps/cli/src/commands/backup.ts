import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backUp } from '@parquetry/server/store/backup'
import { withStore } from '../with-store.ts'

const help = `Usage: parquetry backup [--to FOLDER]

Writes a consistent copy of the metadata store, also beside a running server, and says where it is.
  --to  folder of the copy, default the folder backups in the home
The keys (keys.json in the home) and embedded data (data) are not in it: copy those files as they are.
`

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  await withStore(async (store, { home }) => {
    const path = await backUp(store, values.to ? resolve(values.to) : join(home, 'backups'), 'store', new Date())
    process.stdout.write(`${path}\n`)
  })
}
