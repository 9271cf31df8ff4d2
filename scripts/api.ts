// `npm run api` lists the changes of the API that break callers of the released one, and exits with 1 if there are any.
// `--accept` makes the current API the released one: at a release, or to accept a breaking change on purpose.
import { buildCurrentDocument } from './api/document.ts'
import { listBreakingChanges } from './api/compare.ts'
import { readReleased, writeReleased } from './api/released.ts'

const document = await buildCurrentDocument()
if (process.argv.includes('--accept')) {
  writeReleased(document)
  process.stdout.write('Wrote docs/api/released.json\n')
} else {
  const changes = listBreakingChanges(readReleased(), document)
  for (const change of changes) process.stdout.write(`${change}\n`)
  if (changes.length > 0) {
    process.stdout.write(
      `${changes.length} changes break callers of the API. Keep what callers use, or accept the changes: docs/adding/resource.md, "Changing a route".\n`,
    )
    process.exitCode = 1
  }
}
