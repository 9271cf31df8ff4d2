import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { startTestServer, type TestServer } from '../testing.ts'

describe('databases in SQLite files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-files-'))
  const root = join(folder, 'root')
  let runners: Runners
  let server: TestServer
  let database: number

  const writeFile = (path: string) => {
    const db = new Database(path)
    db.exec(`CREATE TABLE sales (name TEXT, amount INTEGER); INSERT INTO sales VALUES ('a', 1), ('b', 2)`)
    db.close()
  }
  const add = (path: string, name = path) =>
    server.as('admin').post('/api/v1/database/', { database_name: name, sqlalchemy_uri: `sqlite:///${path}` })
  const run = async (sql: string, database_id = database) => {
    const response = await server.as('admin').post('/api/v1/sqllab/execute/', { database_id, sql, runAsync: false })
    return { status: response.statusCode, body: response.body, data: response.json<{ data?: unknown[] }>().data }
  }

  beforeAll(async () => {
    mkdirSync(root)
    writeFile(join(root, 'sales.db'))
    writeFile(join(folder, 'outside.db'))
    runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 128, spillFolder: join(folder, 'spill') })
    server = await startTestServer({ runners })
    Object.assign(server.deps.settings, {
      files: [root, server.home],
      config: { ...server.deps.settings.config, PREVENT_UNSAFE_DB_CONNECTIONS: false },
    })
    const made = await add(join(root, 'sales.db'), 'sales')
    expect(made.statusCode, made.body).toBe(201)
    database = made.json<{ id: number }>().id
  })
  afterAll(async () => {
    await server.close()
    await runners.close(0)
    rmSync(folder, { recursive: true, force: true })
  })

  it('are read below the folders of PARQUETRY_FILES', async () => {
    const { data, body } = await run('SELECT name, amount FROM sales ORDER BY 1')
    expect(data, body).toEqual([
      { name: 'a', amount: 1 },
      { name: 'b', amount: 2 },
    ])
  })

  it('are refused by default, including stored ones', async () => {
    const before = server.deps.settings.config
    Object.assign(server.deps.settings, { config: { ...before, PREVENT_UNSAFE_DB_CONNECTIONS: true } })
    try {
      const answer = await add(join(root, 'sales.db'), 'again')
      expect(answer.statusCode).toBe(400)
      expect(answer.body).toContain('SQLiteDialect_pysqlite cannot be used as a data source for security reasons.')
      const response = await run('SELECT 1')
      expect(response.status).toBe(400)
      expect(response.body).toContain('cannot be used as a data source for security reasons')
    } finally {
      Object.assign(server.deps.settings, { config: before })
    }
  })

  it('are never the metadata store, under any path', async () => {
    const store = join(server.home, 'parquetry.sqlite')
    symlinkSync(store, join(root, 'link.db'))
    linkSync(store, join(root, 'hard.db'))
    symlinkSync(server.home, join(root, 'home'))
    for (const path of [
      store,
      join(root, 'link.db'),
      join(root, 'hard.db'),
      join(root, 'home', 'parquetry.sqlite'),
      join(root, '..', 'outside.db'),
      join(folder, 'outside.db'),
      join(root, 'nowhere.db'),
    ]) {
      const response = await add(path)
      expect([path, response.statusCode]).toEqual([path, 422])
      expect(response.body).toContain('does not exist in the folders listed in PARQUETRY_FILES')
    }
    for (const path of [':memory:', `${store}?mode=rw`, `file:${store}`]) {
      expect((await add(path)).statusCode, path).toBe(400)
    }
  })

  it('are checked with every query, in case another file has replaced them', async () => {
    const path = join(root, 'later.db')
    writeFile(path)
    const { id } = (await add(path, 'later')).json<{ id: number }>()
    expect((await run('SELECT 1 AS x', id)).data).toEqual([{ x: 1 }])
    renameSync(path, join(root, 'moved.db'))
    symlinkSync(join(server.home, 'parquetry.sqlite'), path)
    const response = await run('SELECT * FROM user', id)
    expect(response.status).toBe(422)
    expect(response.body).toContain('does not exist in the folders listed in PARQUETRY_FILES')
  })

  it.each([
    `ATTACH 'x.db' AS other`,
    'DETACH main',
    'PRAGMA query_only = 0',
    'PRAGMA database_list',
    `VACUUM INTO '/tmp/copied.db'`,
    'DELETE FROM sales',
    'CREATE TABLE t (a)',
    `INSERT INTO sales VALUES ('c', 3)`,
    `SELECT load_extension('/tmp/x.so')`,
    `SELECT readfile('/etc/hostname')`,
    `SELECT writefile('/tmp/x', 'y')`,
    `SELECT fts3_tokenizer('x')`,
    `SELECT * FROM pragma_database_list`,
    `SELECT * FROM zipfile('/tmp/x')`,
    `SELECT sqlite_compileoption_used('X')`,
    'SELECT 1; SELECT 2; ATTACH 1 AS x',
  ])('refuses %s', async (sql) => {
    const { status, data } = await run(sql)
    expect(data).toBeUndefined()
    expect([400, 403]).toContain(status)
    expect((await run('SELECT COUNT(*) AS n FROM sales')).data).toEqual([{ n: 2 }])
  })
})
