import { type DatasetDetail, GenericType } from '@parquetry/model'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { startCarsServer } from './testing.ts'

interface TestDatabase {
  server: TestServer
  database: number
  close(): Promise<void>
}

const url = process.env['PARQUETRY_TEST_POSTGRES']

async function onDuckdb(): Promise<TestDatabase> {
  const cars = await startCarsServer()
  const { database_id } = await cars.server.deps.db
    .selectFrom('dataset')
    .select('database_id')
    .where('id', '=', cars.dataset)
    .executeTakeFirstOrThrow()
  return { server: cars.server, database: database_id, close: () => cars.close() }
}

async function onPostgres(): Promise<TestDatabase> {
  const spillFolder = mkdtempSync(join(tmpdir(), 'parquetry-spill-'))
  const runners: Runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 128, spillFolder })
  const server = await startTestServer({ runners })
  const body = { database_name: 'typed', sqlalchemy_uri: url?.replace(/^postgres:/, 'postgresql:') }
  const made = await server.as('admin').post('/api/v1/database/', body)
  expect(made.statusCode, made.body).toBe(201)
  const close = async () => {
    await server.close()
    await runners.close(0)
    rmSync(spillFolder, { recursive: true, force: true })
  }
  return { server, database: made.json<{ id: number }>().id, close }
}

/** Type names of the engine, which are more specific than the generic types. */
const engines = {
  DuckDB: { open: onDuckdb, isThere: true, number: 'INTEGER', text: 'VARCHAR', day: 'DATE' },
  PostgreSQL: { open: onPostgres, isThere: Boolean(url), number: 'INTEGER', text: 'STRING', day: 'DATE' },
}

describe.each(Object.entries(engines))('%s', (name, { open, isThere, number, text, day }) => {
  describe.skipIf(!isThere)('a calculated column without a type', () => {
    let place: TestDatabase
    let path: string
    const as = () => place.server.as('admin')

    beforeAll(async () => {
      place = await open()
      const sql = "SELECT 1 AS n, 'a' AS word, CAST('2026-01-02' AS date) AS begun"
      const made = await as().post('/api/v1/dataset/', { database: place.database, table_name: `of ${name}`, sql })
      expect(made.statusCode, made.body).toBe(201)
      path = `/api/v1/dataset/${made.json<{ id: number }>().id}`
    }, 60_000)
    afterAll(() => place?.close())

    const columns = async () => {
      const { result } = (await as().get(path)).json<{ result: DatasetDetail }>()
      return result.columns
    }
    const facts = async (column_name: string) => {
      const { type, type_generic } = (await columns()).find((each) => each.column_name === column_name) ?? {}
      return { type: type?.toUpperCase() ?? null, type_generic }
    }
    const save = async (changed: Record<string, object>) => {
      const stored = await columns()
      const kept = stored.map(({ id, column_name, type, expression }) => ({
        id,
        column_name,
        type,
        expression,
        ...changed[column_name],
      }))
      const added = Object.entries(changed)
        .filter(([column_name]) => stored.every((each) => each.column_name !== column_name))
        .map(([column_name, fields]) => ({ column_name, ...fields }))
      const response = await as().put(path, { columns: [...kept, ...added] })
      expect(response.statusCode, response.body).toBe(200)
    }

    it('gets the type reported by the engine on save; types set by users are unchanged', async () => {
      await save({
        twice: { expression: 'n + 1' },
        empty: { expression: 'upper(word)', type: '' },
        day: { expression: 'begun' },
        own: { expression: 'n + 2', type: 'MONEY' },
        wrong: { expression: 'nothing + 1' },
      })
      expect(await facts('twice')).toEqual({ type: number, type_generic: GenericType.NUMERIC })
      expect(await facts('empty')).toEqual({ type: text, type_generic: GenericType.STRING })
      expect(await facts('day')).toEqual({ type: day, type_generic: GenericType.TEMPORAL })
      expect((await facts('own')).type).toBe('MONEY')
      expect((await facts('wrong')).type).toBeNull()
    })

    it('follows its expression if the type was learned', async () => {
      await save({ twice: { expression: 'upper(word)' }, own: { expression: 'word' } })
      expect(await facts('twice')).toEqual({ type: text, type_generic: GenericType.STRING })
      expect((await facts('own')).type).toBe('MONEY')
    })

    it('also gets its type by a sync with the source', async () => {
      await place.server.deps.db
        .updateTable('dataset_column')
        .set({ type: null, type_generic: null })
        .where('column_name', '=', 'day')
        .execute()
      expect((await facts('day')).type).toBeNull()
      const response = await as().put(`${path}/refresh`, {})
      expect(response.statusCode, response.body).toBe(200)
      expect(await facts('day')).toEqual({ type: day, type_generic: GenericType.TEMPORAL })
    })

    it('is typed in the version of its save, and typed again when an older version is restored', async () => {
      const newest = async () => {
        const { result } = (await as().get(`${path}/versions/`)).json<{ result: { n: number }[] }>()
        return result[0]?.n ?? 0
      }
      const restore = async (n: number) => {
        const response = await as().post(`${path}/versions/${n}/restore`, {})
        expect(response.statusCode, response.body).toBe(200)
      }
      await save({ twice: { expression: 'lower(word)', type: '' } })
      await save({ twice: { expression: 'n + 3' } })
      const [n, { db }] = [await newest(), place.server.deps]
      const { document } = await db
        .selectFrom('version')
        .select('document')
        .where('kind', '=', 'dataset')
        .where('object_id', '=', Number(path.split('/').at(-1)))
        .where('n', '=', n)
        .executeTakeFirstOrThrow()
      const kept = JSON.parse(document) as { columns: { column_name: string; type: string | null }[] }
      expect(kept.columns.find(({ column_name }) => column_name === 'twice')?.type?.toUpperCase()).toBe(number)
      await save({ twice: { expression: 'begun', type: 'MONEY' } })
      await restore(n)
      expect(await facts('twice')).toEqual({ type: number, type_generic: GenericType.NUMERIC })

      const columns = kept.columns.map((column) => ({
        ...column,
        type: column.column_name === 'twice' ? null : column.type,
      }))
      await db
        .updateTable('version')
        .set({ document: JSON.stringify({ ...kept, columns }) })
        .where('kind', '=', 'dataset')
        .where('object_id', '=', Number(path.split('/').at(-1)))
        .where('n', '=', n)
        .execute()
      await restore(n)
      expect(await facts('twice')).toEqual({ type: number, type_generic: GenericType.NUMERIC })
    })
  })
})
