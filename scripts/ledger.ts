// `npm run ledger`: how many requirements of each area a test names. With area prefixes (`npm run ledger -- SQL DASH`) or `--all` it
// also lists the rows that no test names and that `docs/ledger-notes.md` gives no reason for.
import { readTestedIds, readNotedIds, readRequirements } from './requirements.ts'

const args = process.argv.slice(2)
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const rows = readRequirements()
const [named, noted] = [readTestedIds(), readNotedIds()]
const areaOf = ({ id }: { id: string }): string => id.split('-')[0] ?? ''
const isOpen = ({ id }: { id: string }): boolean => !named.has(id) && !noted.has(id)
const summary = (label: string, some: typeof rows): string =>
  `${label.padEnd(7)} ${some.length} rows, ${some.filter(({ id }) => named.has(id)).length} named by a test, ` +
  `${some.filter(({ id }) => noted.has(id)).length} noted, ${some.filter(isOpen).length} open`

for (const [area, own] of Map.groupBy(rows, areaOf)) print(summary(area, own))
print(summary('total', rows))
for (const row of rows)
  if (isOpen(row) && (args.includes('--all') || args.includes(areaOf(row)))) print(`${row.id}  ${row.text}`)
