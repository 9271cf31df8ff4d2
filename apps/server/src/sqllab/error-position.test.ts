import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { startTestServer, type TestServer } from '../testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']

let server: TestServer
let runners: Runners
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-position-'))
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'files', 'cars.csv'), 'id,name\n1,ä\n')
  runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 128, spillFolder: join(folder, 'spill') })
  server = await startTestServer({ runners, settings: { files: [folder] } })
}, 60_000)
afterAll(async () => {
  await server.close()
  await runners.close(0)
  rmSync(folder, { recursive: true, force: true })
})

const engines: [name: string, uri: () => string][] = [
  ['DuckDB', () => `duckdb:///${join(folder, 'files', 'cars.csv')}`],
  ...(url ? [['PostgreSQL', () => url] as [string, () => string]] : []),
]

describe.each(engines)('an error of %s', (name, uri) => {
  let database: number
  beforeAll(async () => {
    const made = await server.as('admin').post('/api/v1/database/', { database_name: name, sqlalchemy_uri: uri() })
    database = made.json<{ id: number }>().id
  })

  it.each([
    'SELECT nope',
    '-- 😀 first\nSELECT nope',
    'SELECT 1;\n\nSELECT 2;\n  SELECT 1,\n    nope; SELECT 3',
    `SELECT 'é😀;' ; /* ü */ SELECT nope`,
    `SELECT 1; SELECT * FROM nope`,
    `SELECT 1; SELECT 2 FRM nope nope`,
  ])('has its position in the whole text: %j', async (sql) => {
    const response = await server.as('admin').post('/api/v1/sqllab/execute/', { database_id: database, sql })
    const { errors } = response.json<{ errors: { extra: { line: number; column: number; offset: number } }[] }>()
    const { line, column, offset } = errors[0]!.extra
    expect(sql.slice(offset)).toMatch(/^nope\b/)
    const before = sql.slice(0, offset).split('\n')
    expect([line, column]).toEqual([before.length, before.at(-1)!.length + 1])
  })
})
