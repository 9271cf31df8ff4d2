// `npm test [-- --install] [--repeat N] [files or Vitest options]`: runs the tests on a real browser and real database servers.
// The last line is `tests: N passed, N failed`.
//   --install   installs missing tools and database servers first; a skipped test then counts as a failure
//   --repeat N  runs the selected tests N times while other processes keep all cores busy, to find unstable tests
import { readFileSync } from 'node:fs'
import { keepCoresBusy } from './keep-busy.ts'
import { runVitest } from './run-vitest.ts'
import { browser } from './services/browser.ts'
import { installMissing, isAvailable } from './services/install-missing.ts'
import type { TestServer } from './services/service.ts'
import { services, tools } from './services/services.ts'
import { parseTestArgs } from './test-args.ts'
import {
  countTests,
  collectFailures,
  isUnloaded,
  listSkippedFiles,
  listFilesToRetry,
  mergeRetry,
  type Report,
} from './test-report.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const asList = (names: readonly string[]): string => names.map((name) => `  ${name}`).join('\n')

const { mayInstall, repeat, files, forVitest } = parseTestArgs(process.argv.slice(2))
const needed = services.filter(
  ({ onlyFor }) => !onlyFor || files.length === 0 || onlyFor.some((file) => files.some((name) => file.includes(name))),
)
if (mayInstall) installMissing([...tools, ...needed])
const missing = [...tools, ...needed].filter((tool) => !isAvailable(tool))

const env: Record<string, string> = {}
for (const { variable, find } of tools) {
  const path = find()
  if (variable && path) env[variable] = path
}
const servers: TestServer[] = []
await Promise.all(
  needed.map(async ({ variable, find, start }) => {
    const programs = process.env[variable] ? undefined : find()
    if (!programs) return
    const server = await start(programs)
    servers.push(server)
    env[variable] = server.url
  }),
)

const hasBrowser = !missing.includes(browser)
const run = (args: readonly string[]): Promise<Report | undefined> =>
  runVitest([...(hasBrowser ? [] : ['--project', 'node', '--project', 'web']), ...args], env)

const report = repeat > 1 ? await runRepeatedly() : await runWithRetries()
for (const server of servers) server.stop()

const { passed, failed, skipped } = report ? countTests(report) : { passed: 0, failed: 1, skipped: [] }
for (const suite of report?.testResults ?? [])
  if (isUnloaded(suite)) print(`Could not load ${suite.name}:\n${suite.message}`)
if (skipped.length > 0)
  print(`Skipped ${skipped.length} ${skipped.length === 1 ? 'test' : 'tests'}:\n${asList(skipped)}`)
const advice = mayInstall ? 'It could not be installed.' : 'Run `npm test -- --install` to install it.'
for (const { title, variable } of missing)
  print(
    `${title} was not found, so tests that need it were skipped. ${advice}${variable ? ` To use an existing one, set ${variable}.` : ''}`,
  )

const optional = needed.filter(({ isOptional }) => isOptional)
const maySkip = optional.filter((service) => missing.includes(service)).flatMap(({ onlyFor = [] }) => onlyFor)
const isIncomplete =
  mayInstall &&
  (missing.some((tool) => !optional.some((service) => service === tool)) ||
    (report !== undefined && listSkippedFiles(report, process.cwd()).some((file) => !maySkip.includes(file))))
process.exitCode = failed > 0 || isIncomplete ? 1 : 0
print(`tests: ${passed} passed, ${Math.max(failed, process.exitCode)} failed`)

/** Runs the tests once, then retries failed journeys if they may be retried and nothing else failed. */
async function runWithRetries(): Promise<Report | undefined> {
  const first = await run(forVitest)
  if (!first) return undefined
  const mayRetry = Object.keys(JSON.parse(readFileSync('apps/web/journeys/retries.json', 'utf8')) as object)
  const again = listFilesToRetry(first, process.cwd(), mayRetry)
  if (again.length === 0) return first
  print(`\nRetrying these files, each with a new server:\n${asList(again)}`)
  const second = await run(again)
  return second && mergeRetry(first, second)
}

async function runRepeatedly(): Promise<Report | undefined> {
  const reports: Report[] = []
  const release = keepCoresBusy()
  try {
    for (let turn = 1; turn <= repeat; turn += 1) {
      print(`\nRun ${turn} of ${repeat} with all cores busy`)
      const one = await run(forVitest)
      if (!one) return undefined
      reports.push(one)
    }
  } finally {
    release()
  }
  const failures = collectFailures(reports, process.cwd())
  if (failures.size > 0)
    print(`\nUnstable or failing:\n${asList([...failures].map(([name, count]) => `${count} of ${repeat}  ${name}`))}`)
  return { testResults: reports.flatMap(({ testResults }) => testResults) }
}
