import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.ts'
import { type RunningServer, start } from '../start.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openPostgres } from './open-postgres.ts'
import { storePath } from './open.ts'

/**
 * Home folders of earlier versions, packed as JSON: path → base64. Each has an administrator admin / admin, a user viewer /
 * viewer-of-2026 with Gamma, a database with the uploaded table `sales`, a row-level security rule that shows only the region north to Gamma, a virtual
 * dataset over it, a chart on a dashboard, a saved query, a past run, and a dataset in the trash. From schema 24 on, the rule compares
 * with an attribute of a group.
 */
const folder = fileURLToPath(new URL('homes/', import.meta.url))
const homes = readdirSync(folder).map((file) => ({ file, version: Number(/schema-(\d+)/.exec(file)?.[1]) }))
const postgresUrl = process.env['PARQUETRY_TEST_POSTGRES']

const cleanUp: (() => unknown)[] = []
afterAll(async () => {
  for (const step of cleanUp.toReversed()) await step()
})

function unpackHome(file: string): string {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-old-home-'))
  cleanUp.push(() => rmSync(home, { recursive: true, force: true }))
  const files = JSON.parse(gunzipSync(readFileSync(join(folder, file))).toString()) as Record<string, string>
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), Buffer.from(content, 'base64'), { mode: 0o600 })
  }
  return home
}

/** Moves the store of a home to a new PostgreSQL database with the schema of that time. @returns its URL */
async function moveToPostgres(home: string, version: number): Promise<string> {
  const name = `old_home_${process.pid}_${version}`
  const admin = new pg.Client({ connectionString: postgresUrl })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name}`)
  cleanUp.push(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  })
  const url = new URL(postgresUrl!)
  url.pathname = `/${name}`
  const store = await openPostgres(url.href)
  await migrate(store, async () => {}, migrations.slice(0, version))
  const sqlite = new Database(storePath(home))
  const tables = sqlite
    .prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
    .all() as { name: string }[]
  await store.db.connection().execute(async (db) => {
    await sql`set session_replication_role = replica`.execute(db)
    for (const { name: table } of tables) {
      await sql`delete from ${sql.table(table)}`.execute(db)
      for (const row of sqlite.prepare(`select * from "${table}"`).all() as Record<string, unknown>[])
        await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
          values (${sql.join(Object.values(row))})`.execute(db)
    }
    // New rows get numbers after those of the copied ones.
    const { rows: sequences } = await sql<{ table_name: string; sequence: string }>`select table_name,
      pg_get_serial_sequence(quote_ident(table_name), 'id') as sequence from information_schema.columns
      where column_name = 'id' and column_default like 'nextval%'`.execute(db)
    for (const { table_name, sequence } of sequences)
      await sql`select setval(${sequence}, coalesce(max(id), 1)) from ${sql.table(table_name)}`.execute(db)
  })
  sqlite.close()
  rmSync(storePath(home))
  await store.close()
  return url.href
}

async function startHome(home: string, metadataUrl: string | null): Promise<RunningServer> {
  const env = { PARQUETRY_PORT: '0', PARQUETRY_EXAMPLES: '0', PARQUETRY_LOG: 'silent' }
  const settings = await readSettings(metadataUrl ? { ...env, PARQUETRY_METADATA_URL: metadataUrl } : env, { home })
  const server = await start(settings)
  cleanUp.push(() => server.stop())
  return server
}

/** A client that signs in by token. */
async function signIn(url: string, username: string, password: string) {
  let authorization = ''
  async function call<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'content-type': 'application/json' }), ...(authorization && { authorization }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.status, `${path}: ${text}`).toBeLessThan(300)
    return JSON.parse(text) as T
  }
  const login = { username, password, provider: 'db' }
  authorization = `Bearer ${(await call<{ access_token: string }>('/api/v1/security/login', login)).access_token}`
  return call
}

describe.each(homes)('the home $file', ({ file, version }) => {
  it('opens with its store in SQLite and still works', () => checkHome(null))
  it.skipIf(!postgresUrl)('opens with its store in PostgreSQL and still works', () => checkHome(version))

  async function checkHome(postgresVersion: number | null): Promise<void> {
    const home = unpackHome(file)
    const { url } = await startHome(home, postgresVersion === null ? null : await moveToPostgres(home, postgresVersion))
    const admin = await signIn(url, 'admin', 'admin')
    const names = async (path: string, field: string) =>
      (await admin<{ result: Record<string, unknown>[] }>(path)).result.map((row) => row[field])
    expect(await names('/api/v1/dataset/', 'table_name')).toEqual(expect.arrayContaining(['sales', 'north']))
    expect(await names('/api/v1/chart/', 'slice_name')).toEqual(['Sales by region'])
    expect(await names('/api/v1/dashboard/', 'dashboard_title')).toEqual(['Old dashboard'])
    expect(await names('/api/v1/saved_query/', 'label')).toEqual(['All sales'])
    expect(await names('/api/v1/query/', 'sql')).toEqual(['SELECT 1 AS a'])
    expect(await names('/api/v1/annotation_layer/', 'name')).toEqual(['Releases'])
    expect(await names('/api/v1/css_template/', 'template_name')).toEqual(['Plain'])

    const query = {
      datasource: { id: 1, type: 'table' },
      queries: [{ columns: ['region'], metrics: ['count'], orderby: [['region', true]] }],
    }
    type Rows = { result: [{ data: { region: string | null; count: number }[] }] }
    const rowsOf = async (call: typeof admin) =>
      (await call<Rows>('/api/v1/chart/data', query)).result[0].data.map(({ region, count }) => [region, count])
    expect(await rowsOf(admin)).toEqual(
      expect.arrayContaining([
        ['north', 2],
        ['south', 1],
        [null, 1],
      ]),
    )
    const viewer = await signIn(url, 'viewer', 'viewer-of-2026')
    expect(await rowsOf(viewer)).toEqual([['north', 2]])
  }
})
