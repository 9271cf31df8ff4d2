// `npm run check`: what CI runs before the tests. Format, lint with types, lock file, generated files,
// types of every package. Prints what failed and ends with 1 when something did.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const node = process.execPath
const projects = globSync('{packages,apps,scripts}/**/tsconfig*.json', {
  exclude: ['**/node_modules', '**/dist'],
}).toSorted()

const steps: [name: string, args: string[]][] = [
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check', 'apps', 'packages', 'scripts']],
  ['lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', 'apps', 'packages', 'scripts']],
  ['lock file', ['scripts/lock.mjs', '--check']],
  ['generated files', ['scripts/gen.ts', '--check']],
  ...projects.map((path): [string, string[]] => [`types of ${path}`, ['node_modules/typescript/bin/tsc', '-p', path]]),
]

let failed = 0
for (const [name, args] of steps) {
  const done = spawnSync(node, args, { encoding: 'utf8' })
  if (done.status === 0) continue
  failed += 1
  process.stdout.write(`\n${name} failed:\n${done.stdout}${done.stderr}\n`)
}
process.stdout.write(failed ? `check: ${failed} of ${steps.length} failed\n` : `check: ${steps.length} passed\n`)
process.exitCode = failed ? 1 : 0
