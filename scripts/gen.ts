// `npm run gen`: writes the registries of the chart folders and filter kinds, and the message catalogues. With `--check` it writes nothing and ends
// with 1 when a file differs from what would be written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { chartRegistries } from './gen/charts.ts'
import { filterKinds } from './gen/filter-kinds.ts'
import { catalogues } from './gen/messages.ts'

const isCheck = process.argv.includes('--check')
const files = new Map([...(await chartRegistries()), ...filterKinds(), ...(await catalogues())])

const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
for (const [path, text] of isCheck ? [] : stale) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
for (const [path] of stale)
  process.stdout.write(isCheck ? `not up to date: ${path} (npm run gen)\n` : `wrote ${path}\n`)
if (isCheck && stale.length > 0) process.exitCode = 1
