// `npm run check`: what CI runs before the tests. Format, lint and types, lock file, generated files. Prints what failed and ends
// with 1 when something did.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const node = process.execPath
const lint = ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']

/**
 * Tests of packages whose code runs in browsers, which sees no types of Node. A file is linted with the types of the
 * `tsconfig.json` above it, and these tests are not in that one.
 */
const browserTests = '{apps/web,packages/{charts,client,frame,model,query,ui}}/src/**/*.test.{ts,tsx}'

/** The linter reports what the compiler finds in the programs that it reads anyway: a pass of its own took a minute more. */
const steps: [name: string, args: string[]][] = [
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check', 'apps', 'packages', 'scripts']],
  ['lint and types', [...lint, '--type-check', '--ignore-pattern', browserTests, 'apps', 'packages', 'scripts']],
  ['lint of tests for browsers', [...lint, ...globSync(browserTests)]],
  ['types of tests for browsers', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.browser-tests.json']],
  ['lock file', ['scripts/lock.mjs', '--check']],
  ['generated files', ['scripts/gen.ts', '--check']],
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
