// `npm run gen`: writes the chart and filter registries, the message catalogs and `docs/compatibility.md`. With `--check` it writes
// nothing and exits with 1 if a file is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildChartRegistries } from './gen/charts.ts'
import { buildCompatibility } from './gen/compatibility.ts'
import { buildFilterKinds } from './gen/filter-kinds.ts'
import { buildCatalogs } from './gen/messages.ts'

const isCheck = process.argv.includes('--check')
const files = new Map([
  ...(await buildChartRegistries()),
  ...buildFilterKinds(),
  ...(await buildCatalogs()),
  ...buildCompatibility(),
])

const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
for (const [path, text] of isCheck ? [] : stale) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
for (const [path] of stale)
  process.stdout.write(isCheck ? `Out of date: ${path} (run npm run gen)\n` : `Wrote ${path}\n`)
if (isCheck && stale.length > 0) process.exitCode = 1
