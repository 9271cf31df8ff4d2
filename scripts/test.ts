// `npm test [-- files or vitest options]`: all tests, against a real browser and real database servers.
// Ends with `tests: N passed, N failed`; `--install` gets the programs by apt when they are missing.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findBrowser } from './services/browser.ts'
import { getServices } from './services/get.ts'
import type { TestServer } from './services/service.ts'
import { services } from './services/services.ts'
import { countOf, isUnloaded, journeysToTryAgain, withSecondTry, type Report } from './test-report.ts'
import { unhandledVariable } from './unhandled.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const args = process.argv.slice(2)
const isCI = process.env['CI'] === 'true'
const mayInstall = args.includes('--install') || isCI
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

/** @returns the runner's report; undefined where it is not all that is wrong: it broke off, or errors were thrown outside of tests */
async function run(files: readonly string[]): Promise<Report | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
  const [file, unhandled] = [join(folder, 'report.json'), join(folder, 'unhandled')]
  const vitest = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      '--reporter=./scripts/slowest.ts',
      '--reporter=./scripts/unhandled.ts',
      `--outputFile.json=${file}`,
      ...(browser ? [] : ['--project', 'node', '--project', 'web']),
      ...files,
    ],
    {
      stdio: 'inherit',
      env: {
        // The processes that tests start load hundreds of modules each.
        NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile'),
        ...process.env,
        [unhandledVariable]: unhandled,
        ...(browser && { PARQUETRY_TEST_BROWSER: browser }),
        ...Object.fromEntries([...servers].map(([variable, { url }]) => [variable, url])),
      },
    },
  )
  const stop = (signal: NodeJS.Signals): void => void vitest.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const code = await new Promise<number>((resolve) => vitest.on('close', (status) => resolve(status ?? 1)))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    if (!existsSync(unhandled) && (code === 0 || countOf(report).failed > 0)) return report
    say('Something failed outside of the tests.')
    return undefined
  } catch {
    say('The test runner ended without a report.')
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

let report = await run(rest)
const again = report && isCI ? journeysToTryAgain(report, process.cwd()) : []
if (report && again.length > 0) {
  say(`\nTried once more as a whole, each with a product of its own:\n${again.map((name) => `  ${name}`).join('\n')}`)
  const second = await run(again)
  report = second && withSecondTry(report, second)
}
for (const server of servers.values()) server.stop()

const { passed, failed, skipped } = report ? countOf(report) : { passed: 0, failed: 1, skipped: [] }
for (const suite of report?.testResults ?? [])
  if (isUnloaded(suite)) say(`failed to load: ${suite.name}\n${suite.message}`)
if (skipped.length > 0) say(`${skipped.length} tests were skipped:\n${skipped.map((name) => `  ${name}`).join('\n')}`)
// Without a browser the journeys are not even counted as skipped.
const isLess = isCI && (skipped.length > 0 || !browser)
process.exitCode = failed > 0 || isLess ? 1 : 0
say(`tests: ${passed} passed, ${Math.max(failed, process.exitCode)} failed`)
