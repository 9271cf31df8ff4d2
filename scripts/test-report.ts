import { relative } from 'node:path'

/** What is read of the report of the runner. */
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

const unrun = new Set(['pending', 'skipped', 'todo'])

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
    skipped: tests.filter(({ status }) => unrun.has(status)).map(({ fullName }) => fullName),
  }
}

export const isUnloaded = ({ status, assertionResults }: Suite): boolean =>
  status === 'failed' && assertionResults.every((test) => test.status !== 'failed')

/** With more of them something is wrong that a second try would hide. */
const mostAgain = 2

/**
 * Files of journeys to try once more, each as a whole and with a product of its own: what a journey has done already mostly keeps its
 * single tests from passing when they begin again. None where anything else failed too.
 */
export function journeysToTryAgain({ testResults }: Report, root: string): string[] {
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))
  const isJourney = (file: string) => file.startsWith('apps/web/journeys/')
  return failed.length <= mostAgain && failed.every(isJourney) ? failed : []
}

/** The report with these files as they were the second time. */
export function withSecondTry(first: Report, second: Report): Report {
  const again = new Map(second.testResults.map((suite) => [suite.name, suite]))
  return { testResults: first.testResults.map((suite) => again.get(suite.name) ?? suite) }
}
