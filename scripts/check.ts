// `npm run check`: the checks that CI runs before the tests: format, lint, types, lock file, generated files and changes of the
// API. Prints the output of failed checks and exits with 1 if there are any.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const node = process.execPath
const lint = ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']

/**
 * Tests of packages that are compiled without the types of Node because their code runs in browsers. The `tsconfig.json` of
 * these packages excludes the tests, so they are linted separately.
 */
const browserTests = '{apps/web,packages/{charts,client,frame,model,query,ui}}/src/**/*.test.{ts,tsx}'

/** The linter also reports type errors. A separate run of the compiler would take another minute. */
const steps: [name: string, args: string[]][] = [
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check', 'apps', 'packages', 'scripts']],
  ['lint and types', [...lint, '--type-check', '--ignore-pattern', browserTests, 'apps', 'packages', 'scripts']],
  ['lint of browser tests', [...lint, ...globSync(browserTests)]],
  ['types of browser tests', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.browser-tests.json']],
  ['lock file', ['scripts/lock.mjs', '--check']],
  ['generated files', ['scripts/gen.ts', '--check']],
  ['released API', ['scripts/api.ts']],
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
