import { expect, it } from 'vitest'
import { readCreateTable } from './read-create-table.ts'

const read = (text: string) => readCreateTable(text, 'duckdb')

it('reads name and query of CREATE TABLE AS, and the offset of the query, to which error positions are relative', () => {
  const text = '-- yearly\ncreate table Main."a ""b""" AS\nSELECT 1 AS x;'
  expect(read(text)).toEqual({ name: 'a "b"', sql: 'SELECT 1 AS x;', from: text.indexOf('SELECT') })
  expect(read('CREATE TABLE t1 AS WITH a AS (SELECT 1) FROM a')?.name).toBe('t1')
  expect(read('CREATE TABLE t AS FROM cars')?.sql).toBe('FROM cars')
})

it.each([
  'SELECT 1',
  'CREATE TABLE t (a int)',
  'CREATE OR REPLACE TABLE t AS SELECT 1',
  'CREATE TABLE other.t AS SELECT 1',
  'CREATE VIEW t AS SELECT 1',
  'CREATE TABLE t AS SELECT 1; SELECT 2',
  "SELECT 'create table t as select 1'",
])('leaves other statements to the engine: %s', (text) => {
  expect(read(text)).toBeNull()
})
