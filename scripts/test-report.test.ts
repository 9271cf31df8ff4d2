import { describe, expect, it } from 'vitest'
import { countOf, journeysToTryAgain, withSecondTry, type Report } from './test-report.ts'

const suite = (name: string, ...statuses: string[]): Report['testResults'][number] => ({
  name: `/project/${name}`,
  status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, at) => ({ status, fullName: `${name} ${at}` })),
})
const again = (...testResults: Report['testResults']) => journeysToTryAgain({ testResults }, '/project')
const journey = (name: string, ...statuses: string[]) => suite(`apps/web/journeys/${name}.journey.test.ts`, ...statuses)

describe('what is tried once more', () => {
  it('is the file of a journey that failed, as a whole', () => {
    expect(again(suite('scripts/a.test.ts', 'passed'), journey('lists', 'passed', 'failed'))).toEqual([
      'apps/web/journeys/lists.journey.test.ts',
    ])
  })
  it('is nothing where anything else failed, or much did', () => {
    expect(again(suite('scripts/a.test.ts', 'failed'), journey('lists', 'failed'))).toEqual([])
    expect(again(journey('a', 'failed'), journey('b', 'failed'), journey('c', 'failed'))).toEqual([])
  })
  it('is nothing where all passed', () => {
    expect(again(journey('lists', 'passed', 'skipped'))).toEqual([])
  })
})

describe('a run', () => {
  const first: Report = { testResults: [suite('a.test.ts', 'passed', 'todo'), journey('lists', 'passed', 'failed')] }

  it('counts what passed, failed and was skipped, and a file that did not load as a failure', () => {
    expect(countOf(first)).toEqual({ passed: 2, failed: 1, skipped: ['a.test.ts 1'] })
    expect(countOf({ testResults: [suite('a.test.ts')] })).toEqual({ passed: 0, failed: 1, skipped: [] })
  })

  it('has of a file that was tried again what it gave then, be it better or not', () => {
    const better: Report = { testResults: [journey('lists', 'passed', 'passed')] }
    const worse: Report = { testResults: [journey('lists', 'failed', 'failed')] }
    expect(countOf(withSecondTry(first, better))).toMatchObject({ passed: 3, failed: 0 })
    expect(countOf(withSecondTry(first, worse))).toMatchObject({ passed: 1, failed: 2 })
    expect(countOf(withSecondTry(first, { testResults: [] }))).toMatchObject({ passed: 2, failed: 1 })
  })
})
