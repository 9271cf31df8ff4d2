import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backUp } from '@parquetry/server/store/backup'
import { withStore } from '../with-store.ts'

const help = `Usage: parquetry backup [--to FOLDER]

Writes a consistent copy of the metadata store and prints its path. The server can keep running.
  --to  existing folder to write to, default "backups" in the home folder
The copy does not include the keys (keys.json) and the embedded data (data). Copy them from the home folder.
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
