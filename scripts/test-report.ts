import { relative } from 'node:path'

/** The part of the runner's JSON report that is read here. */
export interface Report {
  testResults: Suite[]
}

interface Suite {
  /** Path of its file. */
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string }[]
}

const notRun = new Set(['pending', 'skipped', 'todo'])

export interface Count {
  passed: number
  failed: number
  /** Their full names. */
  skipped: string[]
}

/** A file that could not be loaded has no tests and counts as a failed one. */
export function countOf({ testResults }: Report): Count {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const unloaded = testResults.filter(isUnloaded)
  return {
    passed: tests.filter(({ status }) => status === 'passed').length,
    failed: tests.filter(({ status }) => status === 'failed').length + unloaded.length,
    skipped: tests.filter(({ status }) => notRun.has(status)).map(({ fullName }) => fullName),
  }
}

export const isUnloaded = ({ status, assertionResults }: Suite): boolean =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed')

/** Files with skipped tests, relative to the root. */
export const skippedIn = ({ testResults }: Report, root: string): string[] =>
  testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => notRun.has(status)))
    .map(({ name }) => relative(root, name))

/** Failed tests of several runs, as `file > full name`, with the number of runs in which each failed. */
export function failuresOf(reports: readonly Report[], root: string): Map<string, number> {
  const failures = new Map<string, number>()
  const count = (name: string): void => void failures.set(name, (failures.get(name) ?? 0) + 1)
  for (const { testResults } of reports)
    for (const suite of testResults) {
      const file = relative(root, suite.name)
      if (isUnloaded(suite)) count(file)
      for (const { status, fullName } of suite.assertionResults) if (status === 'failed') count(`${file} > ${fullName}`)
    }
  return failures
}

/** More failures than this are not chance. */
const maxRetried = 2

/**
 * Files to run a second time, each as a whole, since its tests build on each other. None when a file failed that may not be
 * retried, or too many did.
 * @param mayRetry  file names of journeys
 */
export function toRetry({ testResults }: Report, root: string, mayRetry: readonly string[]): string[] {
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))
  const allowed = mayRetry.map((name) => `apps/web/journeys/${name}`)
  return failed.length <= maxRetried && failed.every((file) => allowed.includes(file)) ? failed : []
}

/** The first report with the retried files as they were the second time. */
export function withRetry(first: Report, second: Report): Report {
  const again = new Map(second.testResults.map((suite) => [suite.name, suite]))
  return { testResults: first.testResults.map((suite) => again.get(suite.name) ?? suite) }
}
