import { encodeRison, type PermissionPair } from '@parquetry/model'
import type { Response } from 'light-my-request'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, revoke } from '../security/grants.ts'
import type { Client, TestUser } from '../testing.ts'
import { grantTable, marker } from './hostile.testing.ts'
import { type ExecuteResult, newId, startTestLab, type TestLab } from './testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const schema = `hostile_endpoints_${process.pid}`
/** Column of `secret`, which is not granted. */
const column = 'hidden_column_7f3'

/** Ids that an attacker may know: of another user's run over `secret`, its database and the dataset of `secret`. */
interface KnownIds {
  id: number
  client_id: string
  key: string
  database: number
  secret: number
}
type EndpointCall = (client: Client, ids: KnownIds) => Promise<Response>

const q = (value: object) => `q=${encodeURIComponent(encodeRison(value))}`
const form = (fields: Record<string, string>) => ({
  payload: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const run =
  (sql: string, more: object = {}): EndpointCall =>
  (client, { database }) =>
    client.post('/api/v1/sqllab/execute/', { database_id: database, schema, sql, client_id: newId(), ...more })
const asDataset =
  (sql: string): EndpointCall =>
  (client, { database }) =>
    client.send(
      'POST',
      '/superset/sqllab_viz/',
      form({ data: JSON.stringify({ dbId: database, schema, datasourceName: newId(), sql }) }),
    )

/** Requests for another user's results, and for a table that is not granted. */
const deniedRequests: Record<string, EndpointCall> = {
  'a run': run('SELECT * FROM secret'),
  'a run in the background': run('SELECT * FROM secret', { runAsync: true }),
  'a run as frames': (client, { database }) =>
    client.send('POST', '/api/v1/sqllab/execute/', {
      payload: { database_id: database, schema, sql: 'SELECT * FROM secret' },
      headers: { accept: 'application/vnd.parquetry.frames' },
    }),
  'the legacy call': (client, { database }) =>
    client.send('POST', '/superset/sql_json/', {
      payload: { database_id: database, schema, sql: 'SELECT * FROM secret' },
    }),
  'a new table': run('SELECT * FROM secret', { select_as_cta: true, ctas_method: 'TABLE', tmp_table_name: 'copied' }),
  'a new view': run('SELECT * FROM secret', { select_as_cta: true, ctas_method: 'VIEW', tmp_table_name: 'copied' }),
  'a template that writes the SQL': run(`SELECT * FROM {{ 'sec' ~ 'ret' }}`),
  'a parameter that writes the SQL': run('SELECT * FROM {{ t }}', { templateParams: '{"t": "secret"}' }),
  'a parameter that ends its string': run(`SELECT name FROM cars WHERE name = '{{ t }}'`, {
    templateParams: JSON.stringify({ t: `' UNION SELECT ${column} FROM secret --` }),
  }),
  'a condition of a template': run(`SELECT * FROM {% if current_user_id() %}secret{% else %}cars{% endif %}`),
  'the dataset macro': (client, ids) => run(`SELECT * FROM {{ dataset(${ids.secret}) }}`)(client, ids),
  'the metric macro': (client, ids) => run(`SELECT '{{ metric("leaky", ${ids.secret}) }}' FROM cars`)(client, ids),
  'an undefined template variable': run('SELECT * FROM {{ secret }}'),
  results: (client, { key }) => client.get(`/api/v1/sqllab/results/?${q({ key })}`),
  'results by the legacy call': (client, { key }) => client.get(`/superset/results/${key}/`),
  'a file': (client, { client_id }) => client.get(`/api/v1/sqllab/export/${client_id}/`),
  'a file of all rows': (client, { client_id }) =>
    client.get(`/api/v1/sqllab/export/${client_id}/?format=parquet&rows=all`),
  'a file by the legacy call': (client, { client_id }) => client.get(`/superset/csv/${client_id}`),
  'a streamed file': (client, { client_id }) =>
    client.send('POST', '/api/v1/sqllab/export_streaming/', form({ client_id })),
  'stopping the run': (client, { client_id }) => client.post('/api/v1/query/stop', { client_id }),
  'the run itself': (client, { id }) => client.get(`/api/v1/query/${id}`),
  'a chart of the run': (client, { id }) =>
    client.post('/api/v1/chart/data', {
      datasource: { id, type: 'query' },
      queries: [{ columns: [column], metrics: [] }],
    }),
  'form data of the run': (client, { id }) =>
    client.post('/api/v1/explore/form_data', { datasource_id: id, datasource_type: 'query', form_data: '{}' }),
  'a cost estimate': (client, { database }) =>
    client.post('/api/v1/sqllab/estimate/', { database_id: database, schema, sql: 'SELECT * FROM secret' }),
  'a cost estimate by the legacy call': (client, { database }) =>
    client.send(
      'POST',
      `/superset/estimate_query_cost/${database}/${schema}/`,
      form({ sql: '"SELECT * FROM secret"' }),
    ),
  'a cost estimate of a template': (client, { database }) =>
    client.post('/api/v1/sqllab/estimate/', { database_id: database, schema, sql: `SELECT * FROM {{ 'secret' }}` }),
  'a dataset of SQL': asDataset('SELECT * FROM secret'),
  'a dataset whose template hides a table': asDataset(
    'SELECT name FROM cars {% if true %} UNION SELECT * FROM secret {% endif %}',
  ),
  'a dataset whose template writes a table': asDataset(
    `SELECT name FROM cars WHERE 1 = {{ "1 UNION SELECT * FROM secret" }}`,
  ),
  'a dataset of a function': asDataset(`SELECT query_to_xml('SELECT * FROM secret', true, true, '')`),
  'a dataset of a stored function': asDataset('SELECT leak()'),
  'a dataset of a SHOW statement': asDataset('SHOW ALL'),
  'a dataset of a system catalog': asDataset('SELECT * FROM pg_class'),
  'a dataset of a table': (client, { database }) =>
    client.post('/api/v1/dataset/', { database, schema, table_name: 'secret' }),
  'a dataset of a table, fetched or created': (client, { database }) =>
    client.post('/api/v1/dataset/get_or_create/', { database_id: database, schema, table_name: 'secret' }),
  'SELECT * of a table': (client, { database }) =>
    client.get(`/api/v1/database/${database}/select_star/secret/${schema}/`),
  'columns of a table': (client, { database }) =>
    client.get(`/api/v1/database/${database}/table_metadata/?name=secret&schema=${schema}`),
  'columns of a table by the legacy call': (client, { database }) =>
    client.get(`/api/v1/database/${database}/table/secret/${schema}/`),
  'extra metadata of a table': (client, { database }) =>
    client.get(`/api/v1/database/${database}/table_metadata/extra/?name=secret&schema=${schema}`),
  'the dataset itself': (client, { secret }) => client.get(`/api/v1/dataset/${secret}`),
  'rows of the dataset': (client, { secret }) =>
    client.post('/api/v1/chart/data', { datasource: { id: secret, type: 'table' }, queries: [{ columns: [column] }] }),
  'samples of the dataset': (client, { secret }) =>
    client.post(`/datasource/samples?datasource_id=${secret}&datasource_type=table`, {}),
  'values of the dataset': (client, { secret }) =>
    client.get(`/api/v1/datasource/table/${secret}/column/${column}/values/`),
}

/** Requests that need not be denied, because their responses contain none of the secret data. */
const filteredRequests: Record<string, EndpointCall> = {
  'changed queries': (client) => client.get('/api/v1/query/updated_since?q=(last_updated_ms:0)'),
  'query history': (client) => client.get('/api/v1/query/'),
  'Explore on the run': (client, { id }) => client.get(`/api/v1/explore/?datasource_type=query&datasource_id=${id}`),
  'Explore on the dataset': (client, { secret }) =>
    client.get(`/api/v1/explore/?datasource_type=table&datasource_id=${secret}`),
  'tables of the schema': (client, { database }) =>
    client.get(`/api/v1/database/${database}/tables/?${q({ schema_name: schema, force: true })}`),
  'diagnostics of SQL': (client, { database }) =>
    client.post(`/api/v1/database/${database}/validate_sql/`, { schema, sql: `SELECT ${column}x FROM secret` }),
  'diagnostics of a function': (client, { database }) =>
    client.post(`/api/v1/database/${database}/validate_sql/`, { schema, sql: `SELECT leak('${column}'::int)` }),
  datasets: (client) => client.get('/api/v1/dataset/'),
  'legacy list of datasets': (client) => client.get('/superset/datasources/'),
  'initial state of SQL Lab': (client) => client.get('/api/v1/sqllab/'),
}

/** Names and values that would end their quotes if they were not escaped. */
const quotedRequests: Record<string, EndpointCall> = {
  'a table name that closes its quotes': run('SELECT * FROM cars', {
    select_as_cta: true,
    ctas_method: 'TABLE',
    tmp_table_name: `secret" AS SELECT * FROM secret; --`,
  }),
  'filter values that end their string': run(
    `SELECT name FROM cars WHERE name IN ({{ "'" ~ filter_values('a')[0] ~ "'" }})`,
    {
      templateParams: JSON.stringify({
        _filters: [{ col: 'a', op: 'IN', val: [`') UNION SELECT ${column} FROM secret --`] }],
      }),
    },
  ),
}

describe.skipIf(!url)('requests for data that is not granted', () => {
  let lab: TestLab
  let ids: KnownIds
  let cars: number
  async function runAsOwner(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const sql of statements) await client.query(sql)
    await client.end()
  }
  beforeAll(async () => {
    await runAsOwner(
      `CREATE SCHEMA ${schema}`,
      `CREATE TABLE ${schema}.cars AS SELECT 1 AS id, 'a' AS name`,
      `CREATE TABLE ${schema}.secret AS SELECT '${marker}'::text AS ${column}`,
      `CREATE FUNCTION ${schema}.leak() RETURNS text LANGUAGE sql AS 'SELECT ${column} FROM ${schema}.secret'`,
    )
    const flags = { ENABLE_TEMPLATE_PROCESSING: true, SQLLAB_BACKEND_PERSISTENCE: true, KV_STORE: true }
    lab = await startTestLab({ settings: { flags } })
    const database = await lab.connect({
      database_name: 'pg',
      sqlalchemy_uri: url,
      allow_ctas: true,
      allow_cvas: true,
      allow_run_async: true,
    })
    cars = await grantTable(lab, database, { schema, table: 'cars' })
    const made = await lab.server.as('admin').post('/api/v1/dataset/', { database, schema, table_name: 'secret' })
    const secret = made.json<{ id: number }>().id
    await lab.server.deps.db
      .updateTable('dataset_metric')
      .set({ metric_name: 'leaky', expression: `max('${marker}')` })
      .where('dataset_id', '=', secret)
      .execute()
    const client_id = newId()
    const ran = await lab.run('SELECT * FROM secret', { database_id: database, schema, client_id })
    const { query_id: id, query } = ran.json<ExecuteResult & { query_id: number }>()
    ids = { id, client_id, key: query.resultsKey!, database, secret }
  }, 60_000)
  afterAll(async () => {
    await lab.close()
    await runAsOwner(`DROP SCHEMA ${schema} CASCADE`)
  })

  const users: readonly (TestUser | 'nobody')[] = ['sqllab', 'gamma', 'publicuser', 'nobody']
  const expectNoSecret = ({ body }: Response) => {
    expect(body).not.toContain(marker)
    expect(body).not.toContain(`${column}"`)
  }

  it.each(Object.keys(deniedRequests))('are denied: %s', async (name) => {
    for (const user of users) {
      const response = await deniedRequests[name]!(lab.server.as(user), ids)
      if (name === 'a run in the background' && response.statusCode === 202) {
        const { query } = response.json<{ query: { id: string } }>()
        const ended = await lab.until(query.id, 'failed', user as TestUser)
        expect(ended.resultsKey).toBeNull()
        continue
      }
      if (name === 'a parameter that ends its string') expect(response.body).not.toContain(marker)
      else expectNoSecret(response)
      expect([302, 400, 401, 403, 404, 405, 410, 422], `${user}: ${response.statusCode} ${response.body}`).toContain(
        response.statusCode,
      )
    }
  })

  it.each(Object.keys(quotedRequests))('cannot escape their quotes: %s', async (name) => {
    const response = await quotedRequests[name]!(lab.server.as('sqllab'), ids)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.body).not.toContain(marker)
    expect(response.json<ExecuteResult>().data).toEqual([])
  })

  it.each(Object.keys(filteredRequests))('reveal nothing: %s', async (name) => {
    for (const user of users) {
      const response = await filteredRequests[name]!(lab.server.as(user), ids)
      expect(response.statusCode, response.body).toBeLessThan(500)
      expectNoSecret(response)
      expect(response.body).not.toContain(ids.key)
    }
  })

  it('return the data to administrators', async () => {
    const admin = lab.server.as('admin')
    for (const name of [
      'a run',
      'results',
      'a file',
      'a chart of the run',
      'rows of the dataset',
      'a template that writes the SQL',
    ])
      expect((await deniedRequests[name]!(admin, ids)).body, name).toContain(marker)
    for (const name of ['columns of a table', 'SELECT * of a table'])
      expect((await deniedRequests[name]!(admin, ids)).body, name).toContain(column)
  })

  it('saved queries, tabs and the runs in them are visible only to their owner', async () => {
    const [admin, other] = [lab.server.as('admin'), lab.server.as('sqllab')]
    const text = `SELECT '${marker}'`
    const saved = (await admin.post('/api/v1/saved_query/', { label: 'x', sql: text, db_id: ids.database })).json<{
      id: number
    }>()
    const tab = (
      await admin.send(
        'POST',
        '/tabstateview/',
        form({ queryEditor: JSON.stringify({ dbId: ids.database, name: 'x', sql: text }) }),
      )
    ).json<{ id: number }>()
    const own = (
      await other.send(
        'POST',
        '/tabstateview/',
        form({
          queryEditor: JSON.stringify({ dbId: ids.database, name: 'x', sql: '', latestQueryId: ids.client_id }),
        }),
      )
    ).json<{ id: number }>()
    await other.send('PUT', `/tabstateview/${own.id}`, form({ latest_query_id: JSON.stringify(ids.client_id) }))
    await other.send('POST', `/tabstateview/${own.id}/migrate_query`, form({ queryId: JSON.stringify(ids.client_id) }))
    for (const path of [
      `/api/v1/saved_query/${saved.id}`,
      '/api/v1/saved_query/',
      `/savedqueryviewapi/api/get/${saved.id}`,
      `/api/v1/saved_query/export/?${q([saved.id])}`,
      `/tabstateview/${tab.id}`,
      `/tabstateview/${own.id}`,
      '/api/v1/sqllab/',
    ]) {
      const { body, statusCode } = await other.get(path)
      expect(body, path).not.toContain(marker)
      expect(body, path).not.toContain(ids.key)
      expect(body, path).not.toContain('FROM secret')
      expect(statusCode, path).toBeLessThan(500)
    }
    expect((await admin.get(`/api/v1/query/${ids.id}`)).body).toContain('FROM secret')
  })

  describe('after a permission was revoked', () => {
    const findCarsPermission = async (): Promise<PermissionPair> => {
      const { view } = await lab.server.deps.db
        .selectFrom('permission')
        .select('view')
        .where('name', '=', 'datasource_access')
        .where('view', 'like', `%(id:${cars})`)
        .executeTakeFirstOrThrow()
      return ['datasource_access', view]
    }
    const withRevoked = async (right: PermissionPair, act: () => Promise<void>) => {
      const { db } = lab.server.deps
      await revoke(db, 'sql_lab', right)
      lab.server.app.authenticator.forget()
      try {
        await act()
      } finally {
        await grant(db, 'sql_lab', right)
        lab.server.app.authenticator.forget()
      }
    }
    const runInSqlLab = async (sql: string, more: object = {}) => {
      const response = await lab.run(sql, { database_id: ids.database, schema, client_id: newId(), ...more }, 'sqllab')
      expect(response.statusCode, response.body).toBe(200)
      const { query_id: id, query } = response.json<ExecuteResult & { query_id: number }>()
      return { ...ids, id, client_id: query.id, key: query.resultsKey! }
    }

    it.each(['results', 'results by the legacy call', 'a file', 'a streamed file', 'a chart of the run'])(
      'denies the user’s own run as well: %s',
      async (name) => {
        const own = await runInSqlLab('SELECT name FROM cars')
        const other = lab.server.as('sqllab')
        await withRevoked(await findCarsPermission(), async () => {
          expect([403, 404, 410]).toContain((await deniedRequests[name]!(other, own)).statusCode)
        })
      },
    )

    it('regression: a stored result is authorized by what it read, whatever its template renders today', async () => {
      // The template depends on the user's roles.
      const sql = `SELECT name FROM {% if 'sql_lab' in current_user_roles() %}cars{% else %}(SELECT 1 AS name) AS q{% endif %}`
      const own = await runInSqlLab(sql)
      const { db } = lab.server.deps
      expect(await deniedRequests['results']!(lab.server.as('sqllab'), own)).toMatchObject({ statusCode: 200 })
      await db.updateTable('query').set({ sql: 'SELECT 1 AS name' }).where('id', '=', own.id).execute()
      await withRevoked(await findCarsPermission(), async () => {
        expect([403, 404]).toContain((await deniedRequests['results']!(lab.server.as('sqllab'), own)).statusCode)
      })
    })

    it('regression: a queued job does not run for a user who may no longer run SQL', async () => {
      const { deps } = lab.server
      const right: PermissionPair = ['can_execute_sql_query', 'SQLLab']
      const user = await deps.db
        .selectFrom('user')
        .select('id')
        .where('username', '=', 'sqllab')
        .executeTakeFirstOrThrow()
      const own = await runInSqlLab('SELECT name FROM cars')
      await deps.db
        .updateTable('query')
        .set({ status: 'pending', results_key: null })
        .where('id', '=', own.id)
        .execute()
      await withRevoked(right, async () => {
        const request = { client_id: own.client_id, database_id: ids.database, schema, sql: 'SELECT name FROM cars' }
        await deps.jobs.add('sqllab.run', { queryId: own.id, request }, user.id)
        await expect
          .poll(
            async () =>
              (await deps.db.selectFrom('query').selectAll().where('id', '=', own.id).executeTakeFirst())?.status,
            {
              timeout: 10_000,
            },
          )
          .toBe('failed')
      })
    })
  })
})
