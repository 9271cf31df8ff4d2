import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  countTests,
  collectFailures,
  listSkippedFiles,
  listFilesToRetry,
  mergeRetry,
  type Report,
} from './test-report.ts'

const suite = (name: string, ...statuses: string[]): Report['testResults'][number] => ({
  name: `/project/${name}`,
  status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
  message: '',
  assertionResults: statuses.map((status, index) => ({ status, fullName: `${name} ${index}` })),
})
const journey = (name: string, ...statuses: string[]) => suite(`apps/web/journeys/${name}.journey.test.ts`, ...statuses)

describe('a retry', () => {
  const listed = ['lists.journey.test.ts', 'grid.journey.test.ts', 'drill.journey.test.ts']
  const again = (...testResults: Report['testResults']) => listFilesToRetry({ testResults }, '/project', listed)

  it('runs the whole file of a listed journey that failed', () => {
    expect(again(suite('scripts/a.test.ts', 'passed'), journey('lists', 'passed', 'failed'))).toEqual([
      'apps/web/journeys/lists.journey.test.ts',
    ])
  })
  it('is skipped for other files, and when one of them failed too', () => {
    expect(again(journey('explore', 'failed'))).toEqual([])
    expect(again(suite('scripts/a.test.ts', 'failed'), journey('lists', 'failed'))).toEqual([])
  })
  it('is skipped when more than two files failed', () => {
    expect(again(journey('lists', 'failed'), journey('grid', 'failed'), journey('drill', 'failed'))).toEqual([])
  })
  it('is skipped when everything passed', () => {
    expect(again(journey('lists', 'passed', 'skipped'))).toEqual([])
  })
})

describe('journeys that may be retried', () => {
  /** May decrease, but never increase: a journey that fails by chance is fixed the same day. */
  const mostListed = 0
  const listed = Object.entries(
    JSON.parse(readFileSync('apps/web/journeys/retries.json', 'utf8')) as Record<string, string>,
  )

  it('do not increase in number', () => expect(listed.length).toBe(mostListed))

  it('exist, each with a reason', () => {
    for (const [file, reason] of listed) {
      expect(existsSync(`apps/web/journeys/${file}`), file).toBe(true)
      expect(reason.length, file).toBeGreaterThan(20)
    }
  })
})

describe('a run', () => {
  const first: Report = { testResults: [suite('a.test.ts', 'passed', 'todo'), journey('lists', 'passed', 'failed')] }

  it('counts passed, failed and skipped tests, and a file that did not load as a failure', () => {
    expect(countTests(first)).toEqual({ passed: 2, failed: 1, skipped: ['a.test.ts 1'] })
    expect(countTests({ testResults: [suite('a.test.ts')] })).toEqual({ passed: 0, failed: 1, skipped: [] })
  })

  it('names the files with skipped tests', () => {
    expect(listSkippedFiles(first, '/project')).toEqual(['a.test.ts'])
  })

  it('takes the result of a retried file from the retry, better or not', () => {
    const better: Report = { testResults: [journey('lists', 'passed', 'passed')] }
    const worse: Report = { testResults: [journey('lists', 'failed', 'failed')] }
    expect(countTests(mergeRetry(first, better))).toMatchObject({ passed: 3, failed: 0 })
    expect(countTests(mergeRetry(first, worse))).toMatchObject({ passed: 1, failed: 2 })
    expect(countTests(mergeRetry(first, { testResults: [] }))).toMatchObject({ passed: 2, failed: 1 })
  })

  it('counts for each test how many of several runs it failed in', () => {
    const other: Report = { testResults: [suite('a.test.ts'), journey('lists', 'failed', 'failed')] }
    expect(Object.fromEntries(collectFailures([first, other], '/project'))).toEqual({
      'a.test.ts': 1,
      'apps/web/journeys/lists.journey.test.ts > apps/web/journeys/lists.journey.test.ts 0': 1,
      'apps/web/journeys/lists.journey.test.ts > apps/web/journeys/lists.journey.test.ts 1': 2,
    })
  })
})
