import { relative } from 'node:path'

/** The parts of the JSON report of Vitest that are used. */
export interface Report {
  testResults: Suite[]
}

interface Suite {
  /** Path of the file. */
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string }[]
}

const notRun = new Set(['pending', 'skipped', 'todo'])

export interface TestCounts {
  passed: number
  failed: number
  /** Full names of the tests. */
  skipped: string[]
}

/** Counts the tests. A file that could not be loaded counts as one failed test. */
export function countTests({ testResults }: Report): TestCounts {
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

/** Paths of files with skipped tests, relative to the root. */
export const listSkippedFiles = ({ testResults }: Report, root: string): string[] =>
  testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => notRun.has(status)))
    .map(({ name }) => relative(root, name))

/** Failed tests of several runs: `file > full name` and the number of runs in which the test failed. */
export function collectFailures(reports: readonly Report[], root: string): Map<string, number> {
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

/** If more files failed, nothing is retried. */
const maxRetried = 2

/**
 * Failed files to retry. A file is retried as a whole because its tests depend on each other. Empty if too many files failed, or
 * one that may not be retried.
 * @param mayRetry  file names of journeys
 */
export function listFilesToRetry({ testResults }: Report, root: string, mayRetry: readonly string[]): string[] {
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))
  const allowed = mayRetry.map((name) => `apps/web/journeys/${name}`)
  return failed.length <= maxRetried && failed.every((file) => allowed.includes(file)) ? failed : []
}

/** Replaces the retried files of the first report with those of the second. */
export function mergeRetry(first: Report, second: Report): Report {
  const again = new Map(second.testResults.map((suite) => [suite.name, suite]))
  return { testResults: first.testResults.map((suite) => again.get(suite.name) ?? suite) }
}
