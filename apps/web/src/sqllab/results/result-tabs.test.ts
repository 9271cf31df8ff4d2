import { expect, it } from 'vitest'
import { queryFixture as query, tableFixture as table } from '../fixtures.testing.ts'
import { resolveActiveTab, resultTabs } from './result-tabs.ts'

const values = (...args: Parameters<typeof resultTabs>) =>
  resultTabs(...args).map(({ value, number }) => [value, number])

it('SQL-033: a tab shows one result, and its history beside it', () => {
  expect(values([], [])).toEqual([
    ['r:', null],
    ['history', null],
  ])
  const last = query({ id: 'b', startDttm: 9000, endDttm: 9100 })
  expect(values([last, query({ id: 'a', startDttm: 1000, endDttm: 2000 })], [])).toEqual([
    ['r:b', null],
    ['history', null],
  ])
})

it('shows a tab for each statement of a batch, in the order they ran, regardless of duration', () => {
  const run = [
    query({ id: 'c', batch: 'all', startDttm: 90_000, state: 'running' }),
    query({ id: 'b', batch: 'all', startDttm: 2000, endDttm: 90_000 }),
    query({ id: 'a', batch: 'all', startDttm: 1000, endDttm: 1500 }),
    query({ id: 'old', batch: 'before', startDttm: 900, endDttm: 999 }),
  ]
  expect(values(run, [])).toEqual([
    ['r:a', 1],
    ['r:b', 2],
    ['r:c', 3],
    ['history', null],
  ])
})

it('shows a statement alone that ran right after another, but not in its batch', () => {
  const queries = [
    query({ id: 'b', startDttm: 1501 }),
    query({ id: 'a', batch: 'all', startDttm: 1000, endDttm: 1500 }),
  ]
  expect(values(queries, []).map(([value]) => value)).toEqual(['r:b', 'history'])
})

it('SQL-032: shows open previews after the history', () => {
  const preview = query({ id: 'p', isDataPreview: true, startDttm: 5000 })
  const run = query({ id: 'a', startDttm: 1000 })
  const tables = [table({ id: 't1', dataPreviewQueryId: 'p' }), table({ id: 't2', dataPreviewQueryId: 'gone' })]
  expect(values([preview, run], tables).map(([value]) => value)).toEqual(['r:a', 'history', 'p:t1'])
})

it('keeps the selection until a new run', () => {
  const first = query({ id: 'a', startDttm: 1000 })
  const second = query({ id: 'b', startDttm: 9000 })
  const chosen = { value: 'history', newest: 'a' }
  expect(resolveActiveTab(resultTabs([first], []), chosen, first)).toBe('history')
  expect(resolveActiveTab(resultTabs([second, first], []), chosen, second)).toBe('r:b')
  expect(resolveActiveTab(resultTabs([first], []), { value: 'p:closed', newest: 'a' }, first)).toBe('r:a')
})

it('shows an earlier run opened from the history in its own tab until a new run', () => {
  const first = query({ id: 'a', startDttm: 1000, endDttm: 1100 })
  const second = query({ id: 'b', startDttm: 9000 })
  const chosen = { value: 'r:a', newest: 'b' }
  const tabs = resultTabs([second, first], [], chosen)
  expect(tabs.map(({ value }) => value)).toEqual(['r:b', 'r:a', 'history'])
  expect(resolveActiveTab(tabs, chosen, second)).toBe('r:a')
})
