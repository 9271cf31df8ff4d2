// `npm test [-- files or vitest options]`: all tests, against a real browser and real database servers.
// Ends with `tests: N passed, N failed`; `--install` gets the programs by apt when they are missing.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findBrowser } from './services/browser.ts'
import { getServices } from './services/get.ts'
import type { TestServer } from './services/service.ts'
import { services } from './services/services.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const args = process.argv.slice(2)
const mayInstall = args.includes('--install') || process.env['CI'] === 'true'
const rest = args.filter((arg) => arg !== '--install')

const isNamed = (variable: string) => Boolean(process.env[variable])
const named = rest.filter((arg) => !arg.startsWith('-'))
const asked = services.filter(
  ({ onlyFor }) => !onlyFor || named.length === 0 || onlyFor.some((file) => named.some((name) => file.includes(name))),
)
if (mayInstall) getServices(asked)

const browser = findBrowser()
if (!browser)
  say(
    'No Chromium found: the browser tests are skipped. Name one in PARQUETRY_TEST_BROWSER, or run `npm test -- --install`.',
  )
const servers = new Map<string, TestServer>()
const starting = asked.map(async ({ title, variable, find, start }) => {
  if (isNamed(variable)) return
  const programs = find()
  if (programs) servers.set(variable, await start(programs))
  else say(`No ${title} found: its tests are skipped. Name one in ${variable}, or run \`npm test -- --install\`.`)
})
await Promise.all(starting)

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  success: boolean
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
const file = join(folder, 'report.json')
const projects = browser ? [] : ['--project', 'node', '--project', 'web']
const vitest = spawn(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/slowest.ts',
    `--outputFile.json=${file}`,
    ...projects,
    ...rest,
  ],
  {
    stdio: 'inherit',
    env: {
      // The processes that tests start load hundreds of modules each.
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile'),
      ...process.env,
      ...(browser && { PARQUETRY_TEST_BROWSER: browser }),
      ...Object.fromEntries([...servers].map(([variable, { url }]) => [variable, url])),
    },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vitest.kill(signal))
const code = await new Promise<number>((resolve) => vitest.on('close', (status) => resolve(status ?? 1)))
for (const server of servers.values()) server.stop()

let report: Report | undefined
try {
  report = JSON.parse(readFileSync(file, 'utf8')) as Report
} catch {
  say('The test runner ended without a report.')
}
rmSync(folder, { recursive: true, force: true })
const skipped = report ? report.numPendingTests + report.numTodoTests : 0
for (const suite of report?.testResults ?? []) {
  if (suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed'))
    say(`failed to load: ${suite.name}\n${suite.message}`)
}
if (skipped) {
  say(`${skipped} tests were skipped:`)
  for (const test of report?.testResults.flatMap((suite) => suite.assertionResults) ?? [])
    if (test.status === 'pending' || test.status === 'skipped' || test.status === 'todo') say(`  ${test.fullName}`)
}
// Without a browser the journeys are not even counted as skipped.
const failed = !report || code !== 0 || (process.env['CI'] === 'true' && (skipped > 0 || !browser))
process.exitCode = failed ? 1 : 0
const failures = report ? Math.max(report.numFailedTests, failed ? 1 : 0) : 1
say(`tests: ${report?.numPassedTests ?? 0} passed, ${failures} failed`)
