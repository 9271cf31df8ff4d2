import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedTable } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Instance } from '../shared/driver.ts'
import { duckdbDriver } from './driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-duckdb-describe-'))
const limits = { memoryLimitMb: 256, threads: 1, spillFolder: join(folder, 'spill') }
let instance: Instance

beforeAll(async () => {
  const path = join(folder, 'one.csv')
  writeFileSync(path, 'x\n1\n')
  const table: EmbeddedTable = { name: 'Counted "it"', file: 'a.1.duckdb', version: 1, format: 'duckdb', table: 'data' }
  const select = 'SELECT range AS i FROM range(12345)'
  const { signal } = new AbortController()
  await duckdbDriver.load({ folder, table, from: { path, format: 'csv', select }, signal }, limits)
  const csv: EmbeddedTable = { name: 'csv', file: 'one.csv', version: 1, format: 'csv', table: '' }
  instance = await duckdbDriver.open(folder, [table, csv], limits)
})
afterAll(() => {
  instance.close()
  rmSync(folder, { recursive: true })
})

it('returns the row count of a table without counting, and none for a text file', async () => {
  const session = await instance.session()
  expect(await session.describe({ what: 'tables', schema: null })).toEqual({
    what: 'tables',
    tables: [
      { name: 'Counted "it"', type: 'table', rows: 12_345 },
      { name: 'csv', type: 'table' },
    ],
  })
  expect(await session.describe({ what: 'table', schema: null, table: 'counted "IT"' })).toMatchObject({ rows: 12_345 })
  expect(await session.describe({ what: 'table', schema: null, table: 'csv' })).not.toHaveProperty('rows')
  await session.close()
})

it('regression: an unknown schema has no tables, and main is found in any case', async () => {
  const session = await instance.session()
  expect(await session.describe({ what: 'tables', schema: 'sales' })).toEqual({ what: 'tables', tables: [] })
  await expect(session.describe({ what: 'table', schema: 'sales', table: 'csv' })).rejects.toMatchObject({
    code: 'table_missing',
  })
  for (const schema of [null, '', 'main', 'MAIN']) {
    expect(await session.describe({ what: 'tables', schema })).toMatchObject({ tables: [{}, {}] })
    expect(await session.describe({ what: 'table', schema, table: 'csv' })).toMatchObject({ columns: [{ name: 'x' }] })
  }
  await session.close()
})

it('API-009: lists only functions that can be called by name', async () => {
  const session = await instance.session()
  const described = await session.describe({ what: 'functions' })
  const names = described.what === 'functions' ? described.names : []
  expect(names).toEqual(expect.arrayContaining(['abs', 'date_trunc', 'list_transform', 'sum', 'strftime']))
  expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  await session.close()
})
