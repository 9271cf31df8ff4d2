import { flightsFile, recordedTables, sampleTables } from '@parquetry/testing/sample-tables'
import { sampleColumns } from '@parquetry/testing/sample-columns'
import { defaultLimits } from '@parquetry/model'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Runners } from './runners/runners.ts'

export interface ReferenceDatabase {
  name: string
  url: string
  drop(): Promise<void>
}

/**
 * Creates a separate database on a PostgreSQL server with the tables of the recorded responses, so that no other data can appear
 * in a response. Text sorts by bytes, as in the recordings.
 * @param folder  for the temporary file of `flights`
 */
export async function createReferenceDatabase(
  server: string,
  runners: Runners,
  folder: string,
): Promise<ReferenceDatabase> {
  const name = `reference_${randomBytes(6).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await query(server, `CREATE DATABASE ${name} TEMPLATE template0 LOCALE 'C.UTF-8'`)
  const database: ReferenceDatabase = {
    name,
    url: url.href,
    drop: async () => {
      await query(server, `DROP DATABASE ${name} WITH (FORCE)`)
      await query(server, `DROP ROLE IF EXISTS ${name}`)
    },
  }
  try {
    for (const [table, { rows }] of Object.entries(sampleTables(recordedTables)))
      await load(url.href, table, JSON.stringify(rows))
    await load(url.href, 'flights', await flights(runners, folder))
    await query(url.href, 'ANALYZE')
    await leaveSuperuser(server, url.href, name)
    return database
  } catch (error) {
    await database.drop()
    throw error
  }
}

/** Makes the connecting user a plain owner of the database, because the responses were recorded as such a user. */
async function leaveSuperuser(server: string, url: string, name: string): Promise<void> {
  await query(server, `CREATE ROLE ${name} NOLOGIN`)
  await query(server, `ALTER DATABASE ${name} OWNER TO ${name}`)
  await query(url, `ALTER SCHEMA public OWNER TO ${name}`)
  await query(
    url,
    `DO $$ DECLARE t text; BEGIN
       FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
         EXECUTE format('ALTER TABLE %I OWNER TO ${name}', t);
       END LOOP;
     END $$`,
  )
  await query(server, `ALTER ROLE ${new URL(url).username} IN DATABASE ${name} SET role = '${name}'`)
}

async function query(url: string, sql: string, values?: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql, values)
  } finally {
    await client.end()
  }
}

async function load(url: string, table: string, rows: string): Promise<void> {
  const columns = (sampleColumns[table] ?? []).map(({ name, type }) => `"${name}" ${type}`)
  await query(url, `CREATE TABLE ${table} (${columns.join(', ')})`)
  await query(url, `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [rows])
}

/** Returns the rows as JSON text, read by the embedded engine because the file is Parquet. */
async function flights(runners: Runners, folder: string): Promise<string> {
  const { signal } = new AbortController()
  const table = { name: 'flights', file: 'flights.1.duckdb', version: 1, format: 'duckdb', table: 'data' } as const
  const select = `SELECT * FROM source LIMIT ${flightsFile.rows}`
  await runners.load(folder, table, { ...flightsFile, select }, signal)
  const { body } = await runners.run(
    {
      source: { kind: 'embedded', engine: 'duckdb', id: 'reference', folder, tables: [table] },
      statements: [{ name: '', text: 'SELECT * FROM flights', values: [] }],
      joins: [],
      steps: [],
      columns: [],
      encode: { as: 'rows', times: 'iso' },
      limits: { ...defaultLimits, rows: flightsFile.rows },
      guard: 'ours',
    },
    signal,
  )
  return body.toString()
}
