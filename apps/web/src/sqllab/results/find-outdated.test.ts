import { expect, it } from 'vitest'
import { queryFixture as query } from '../fixtures.testing.ts'
import { findOutdated } from './find-outdated.ts'

const find = (sql: string, ran: string, part = {}) =>
  findOutdated([query({ id: 'a', sql: ran, ...part })], { sql, loaded: true }, 'duckdb')

it('marks a result once the statement that ran was changed, and not when others were', () => {
  expect(find('SELECT 1; SELECT 2', 'SELECT 1')).toEqual([])
  expect(find('-- new\nSELECT 0; SELECT 1', 'SELECT 1', { from: 0 })).toEqual([])
  expect(find('SELECT 3; SELECT 2', 'SELECT 1')).toEqual(['a'])
  expect(find('', 'SELECT 1')).toEqual(['a'])
})

it('does not mark previews, tabs whose text is not loaded, and runs that the server knows without comments', () => {
  expect(find('', 'SELECT 1', { isDataPreview: true })).toEqual([])
  expect(findOutdated([query({ sql: 'x' })], { sql: '', loaded: false }, 'duckdb')).toEqual([])
  expect(find('SELECT /* all */ 1', 'SELECT           1')).toEqual([])
})
