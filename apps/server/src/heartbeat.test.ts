import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDatabase } from './database.testing.ts'
import { recordHeartbeatAndRecover } from './heartbeat.ts'
import type { Runners } from './runners/runners.ts'
import { readSettings } from './settings/settings.ts'
import { start } from './start.ts'
import { startTestServer, type TestServer } from './testing.ts'

const postgresUrl = process.env['PARQUETRY_TEST_POSTGRES']

describe.skipIf(!postgresUrl)('servers that share a store', () => {
  let server: TestServer
  let database: number
  beforeAll(async () => {
    server = await startTestServer({ store: postgresUrl! })
    database = await addDatabase(server)
  })
  afterAll(() => server.close())

  async function addWork(owner: string): Promise<{ query: () => Promise<string>; job: () => Promise<string> }> {
    const { db } = server.deps
    const client_id = `${owner}1234567`.slice(0, 11)
    const { id: user_id } = await db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('query')
      .values({
        client_id,
        database_id: database,
        user_id,
        sql: 'SELECT 1',
        limiting_factor: 'NOT_LIMITED',
        select_as_cta: 0,
        status: 'running',
        progress: 0,
        extra_json: '{}',
        changed_on: '2026-01-01T00:00:00.000',
        start_time: Date.now(),
        owner,
      })
      .execute()
    await db
      .insertInto('job')
      .values({
        uuid: `job of ${owner}`,
        kind: 'none',
        payload: '{}',
        state: 'running',
        user_id: 1,
        attempts: 1,
        result: null,
        error: null,
        created_on: new Date().toISOString().slice(0, -1),
        started_on: null,
        ended_on: null,
        owner,
      })
      .execute()
    return {
      query: async () =>
        (await db.selectFrom('query').select('status').where('client_id', '=', client_id).executeTakeFirstOrThrow())
          .status,
      job: async () =>
        (await db.selectFrom('job').select('state').where('uuid', '=', `job of ${owner}`).executeTakeFirstOrThrow())
          .state,
    }
  }
  const see = (id: string, secondsAgo: number) =>
    sql`insert into server (id, seen_at) values (${id}, extract(epoch from clock_timestamp()) * 1000 - ${secondsAgo * 1000})`.execute(
      server.deps.db,
    )

  it('regression: a living server ends the queries and jobs of one that is silent, and of no other', async () => {
    const [dead, living] = [await addWork('dead'), await addWork('living')]
    await see('dead', 21)
    await see('living', 5)
    await recordHeartbeatAndRecover({ ...server.deps })
    expect([await dead.query(), await dead.job()]).toEqual(['failed', 'failed'])
    expect([await living.query(), await living.job()]).toEqual(['running', 'running'])
    const { rows } = await sql<{ id: string }>`select id from server order by id`.execute(server.deps.db)
    expect(rows.map(({ id }) => id)).toEqual([server.deps.server, 'living'].toSorted())
  })

  it('regression: two servers that start at once on an empty store both succeed', async () => {
    const name = `two_starts_${process.pid}`
    const admin = new pg.Client({ connectionString: postgresUrl })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    const url = new URL(postgresUrl!)
    url.pathname = `/${name}`
    const homes = [1, 2].map((n) => mkdtempSync(join(tmpdir(), `parquetry-two-starts-${n}-`)))
    const servers = await Promise.all(
      homes.map(async (home) => {
        const env = {
          PARQUETRY_PORT: '0',
          PARQUETRY_EXAMPLES: '0',
          PARQUETRY_LOG: 'silent',
          PARQUETRY_METADATA_URL: url.href,
          PARQUETRY_ADMIN_USERNAME: 'admin',
          PARQUETRY_ADMIN_PASSWORD: 'admin',
        }
        const runners = { close: () => Promise.resolve() } as Partial<Runners> as Runners
        return start(await readSettings(env, { home }), { runners })
      }),
    )
    const statuses = await Promise.all(servers.map(async (each) => (await fetch(`${each.url}/health`)).status))
    expect(statuses).toEqual([200, 200])
    await Promise.all(servers.map((each) => each.stop()))
    for (const home of homes) rmSync(home, { recursive: true, force: true })
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  })
})
