import { expect, it } from 'vitest'
import { queryFixture as query } from '../fixtures.testing.ts'
import {
  filterHistoryRows,
  collapseWhitespace,
  listedRunToHistoryRow,
  queryToHistoryRow,
  type ListedRun,
} from './history-rows.ts'

const listed: ListedRun = {
  id: 7,
  client_id: 'abc',
  sql: 'select 1',
  status: 'success',
  database: { id: 2, database_name: 'examples' },
  schema: 'main',
  start_time: '1000.5',
  end_time: 1250.5,
  rows: 3,
  error_message: null,
  tab_name: 'Churn',
}

it('reads server times as numbers or text', () => {
  expect(listedRunToHistoryRow(listed, [])).toMatchObject({
    startedMs: 1000.5,
    ms: 250,
    rows: 3,
    tabName: 'Churn',
    query: null,
  })
})

it('shows a run of this tab as the same row in both lists, with its current state', () => {
  const own = query({ id: 'abc', state: 'running' })
  expect(listedRunToHistoryRow(listed, [own])).toMatchObject({ id: 'abc', state: 'running', query: own })
})

it('searches text, tab and database', () => {
  const rows = [listedRunToHistoryRow(listed, []), queryToHistoryRow(query({ sql: 'SELECT\n  city', tab: 'Other' }))]
  expect(filterHistoryRows(rows, 'CITY').map(({ tabName }) => tabName)).toEqual(['Other'])
  expect(filterHistoryRows(rows, 'examp').map(({ tabName }) => tabName)).toEqual(['Churn'])
  expect(filterHistoryRows(rows, ' ')).toHaveLength(2)
})

it('shows SQL in one line', () => {
  expect(collapseWhitespace('select\n\t1,   2 ')).toBe('select 1, 2')
})
