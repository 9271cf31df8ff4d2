import { type AsyncEvent, framesType } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import type { Response } from 'light-my-request'
import { expect } from 'vitest'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import { grant } from '../security/grants.ts'
import type { TestUser } from '../testing.ts'
import { newId, type TestLab } from './testing.ts'

/** Content of every table and view that is not granted. */
export const marker = 'top-secret-7f3'

/** SQL by what it attempts. */
export interface Attempts {
  /** Show the marker to users who may read everything: without `authorizeSql` they would show it to all users. */
  reading: readonly string[]
  /**
   * Reveal other tables, settings or sessions, write, wait, or are not a single statement: rejected whatever they would return.
   */
  refused: readonly string[]
  /** Allowed for users who may read one table. */
  open: readonly string[]
}

/**
 * Creates a dataset from a table of a database or from SQL, and grants its data to all users with SQL Lab. @returns the dataset's
 * id
 */
export async function grantTable(
  { server }: Pick<TestLab, 'server'>,
  database: number,
  { schema, table, sql }: { schema: string | null; table: string; sql?: string },
): Promise<number> {
  const made = await server.as('admin').post('/api/v1/dataset/', { database, schema, table_name: table, sql })
  if (made.statusCode !== 201) throw new Error(made.body)
  const { id } = made.json<{ id: number }>()
  await grantDataset(server, id, 'sql_lab')
  return id
}

/**
 * Asserts that an expression reveals nothing of the marker anywhere in a query on a granted dataset, to users who may not read
 * all data.
 */
export async function expectNoLeakInCharts({ server }: TestLab, dataset: number, sqlExpression: string): Promise<void> {
  const column = { sqlExpression, label: 'x', expressionType: 'SQL' }
  const questions = {
    column: { columns: [column] },
    metric: { metrics: [{ ...column, sqlExpression: `max(${sqlExpression})` }] },
    order: { columns: ['id'], orderby: [[column, true]] },
    WHERE: { columns: ['id'], extras: { where: `${sqlExpression} IS NOT NULL` } },
    'WHERE that ends': { columns: ['id'], extras: { where: `${sqlExpression} IS NOT NULL;` } },
    HAVING: { columns: ['id'], metrics: ['count'], extras: { having: `max(${sqlExpression}) IS NOT NULL` } },
    filter: { columns: ['id'], filters: [{ col: column, op: 'IS NOT NULL' }] },
  }
  for (const [place, query] of Object.entries(questions)) {
    const { statusCode, body } = await server.as('sqllab').post('/api/v1/chart/data', {
      datasource: { id: dataset, type: 'table' },
      queries: [query],
      force: true,
    })
    expect(body, place).not.toContain(marker)
    expect([400, 403], `${place}: ${body}`).toContain(statusCode)
  }
}

/**
 * Asserts that an expression reveals nothing of the marker as a metric, a calculated column or the predicate of a dataset that
 * was stored before these were checked, however the dataset is queried.
 */
export async function expectNoLeakInDatasets({ server }: TestLab, dataset: number, expression: string): Promise<void> {
  const { db } = server.deps
  const sqllab = server.as('sqllab')
  const own = await db
    .selectFrom('dataset_metric')
    .selectAll()
    .where('dataset_id', '=', dataset)
    .executeTakeFirstOrThrow()
  const setTo = async (
    metric: string,
    column: string | null,
    predicate: string | null,
    expressions_by_fk: number | null,
  ) => {
    await db.updateTable('dataset_metric').set({ expression: metric }).where('id', '=', own.id).execute()
    await db
      .updateTable('dataset')
      .set({ fetch_values_predicate: predicate, expressions_by_fk })
      .where('id', '=', dataset)
      .execute()
    await db.deleteFrom('dataset_column').where('dataset_id', '=', dataset).where('column_name', '=', 'own').execute()
    if (column === null) return
    const { created_on, changed_on } = own
    const flags = { is_dttm: 0, is_active: 1, groupby: 1, filterable: 1 }
    await db
      .insertInto('dataset_column')
      .values({
        uuid: randomUUID(),
        dataset_id: dataset,
        column_name: 'own',
        expression: column,
        created_on,
        changed_on,
        ...flags,
      })
      .execute()
  }
  const before = await db
    .selectFrom('dataset')
    .select('expressions_by_fk')
    .where('id', '=', dataset)
    .executeTakeFirstOrThrow()
  const chart = (query: object, more: object = {}) =>
    sqllab.post('/api/v1/chart/data', {
      datasource: { id: dataset, type: 'table' },
      queries: [query],
      force: true,
      ...more,
    })
  const filter = { col: 'own', op: 'IS NOT NULL' }
  const samples = (body: object) =>
    sqllab.post(`/datasource/samples?datasource_type=table&datasource_id=${dataset}&force=true`, body)
  const values = (column: string) => sqllab.get(`/api/v1/datasource/table/${dataset}/column/${column}/values/`)
  const saved = await savedOver({ server }, dataset)
  const { database_id, schema } = await db
    .selectFrom('dataset')
    .select(['database_id', 'schema'])
    .where('id', '=', dataset)
    .executeTakeFirstOrThrow()
  const macro = (sql: string) =>
    sqllab.post('/api/v1/sqllab/execute/', { database_id, schema, sql, client_id: newId() })
  const attempts: Record<string, () => Promise<Response>> = {
    metric: () => chart({ metrics: ['count'] }),
    'order by the metric': () => chart({ columns: ['id'], orderby: [['count', true]] }),
    'rank of series': () =>
      chart({
        columns: ['id'],
        metrics: ['count'],
        series_columns: ['id'],
        series_limit: 1,
        series_limit_metric: 'count',
      }),
    column: () => chart({ columns: ['own'] }),
    aggregate: () =>
      chart({ metrics: [{ expressionType: 'SIMPLE', aggregate: 'MAX', column: { column_name: 'own' }, label: 'x' }] }),
    filter: () => chart({ columns: ['id'], filters: [filter] }),
    export: () => chart({ columns: ['own'] }, { result_format: 'csv' }),
    'query text': () => chart({ columns: ['own'] }, { result_type: 'query' }),
    samples: () => samples({}),
    'drill to detail': () => samples({ filters: [filter] }),
    frames: () =>
      sqllab.send('POST', '/api/v1/chart/data', {
        payload: { datasource: { id: dataset, type: 'table' }, queries: [{ columns: ['own'] }], force: true },
        headers: { accept: framesType },
      }),
    'a saved chart': () => sqllab.get(`/api/v1/chart/${saved.chart}/data/?force=true`),
    'a dashboard': () => sqllab.post(`/api/v1/dashboard/${saved.dashboard}/data`, { charts: [{ id: saved.chart }] }),
    'a job': () => asJob({ server }, () => chart({ columns: ['own'] })),
    'the macro of the dataset': () => macro(`SELECT * FROM {{ dataset(${dataset}, columns=['own']) }}`),
    'the macro of the metric': () => macro(`SELECT {{ metric('count', ${dataset}) }} AS n FROM cars`),
    'values of the column': () => values('own'),
    'values behind the predicate': () => values('id'),
  }
  await setTo(`max(${expression})`, expression, `${expression} IS NOT NULL`, null)
  const { flags } = server.deps.settings
  flags['ENABLE_TEMPLATE_PROCESSING'] = true
  try {
    for (const [place, ask] of Object.entries(attempts)) {
      const { statusCode, body } = await ask()
      expect(body, place).not.toContain(marker)
      if (place === 'query text' || place === 'a dashboard') expect(body, place).toContain('error')
      else expect([400, 403], `${place}: ${body}`).toContain(statusCode)
    }
    const untouched = await chart({ columns: ['id'] })
    expect(untouched.statusCode, untouched.body).toBe(200)
  } finally {
    flags['ENABLE_TEMPLATE_PROCESSING'] = false
    await setTo(own.expression, null, null, before.expressions_by_fk)
  }
  await provesUnsaved({ server }, dataset, expression)
}

/** Creates a chart of `sqllab` on a dataset, and a dashboard with it. */
async function savedOver({ server }: Pick<TestLab, 'server'>, dataset: number) {
  const sqllab = server.as('sqllab')
  const form = { viz_type: 'table', datasource: `${dataset}__table`, query_mode: 'raw', all_columns: ['own'] }
  const idOf = (made: Response): number => {
    if (made.statusCode !== 201) throw new Error(made.body)
    return made.json<{ id: number }>().id
  }
  const dashboard = idOf(await sqllab.post('/api/v1/dashboard/', { dashboard_title: 'd', published: true }))
  const chart = idOf(
    await sqllab.post('/api/v1/chart/', {
      slice_name: 'c',
      viz_type: 'table',
      datasource_id: dataset,
      datasource_type: 'table',
      params: JSON.stringify(form),
      query_context: JSON.stringify({ datasource: { id: dataset, type: 'table' }, queries: [{ columns: ['own'] }] }),
      dashboards: [dashboard],
    }),
  )
  return { chart, dashboard }
}

/** Outcome of a query in the background: its event, or the response that the event links to. */
async function asJob({ server }: Pick<TestLab, 'server'>, ask: () => Promise<Response>): Promise<Response> {
  const { flags } = server.deps.settings
  const sqllab = server.as('sqllab')
  flags['GLOBAL_ASYNC_QUERIES'] = true
  try {
    const accepted = await ask()
    if (accepted.statusCode !== 202) return accepted
    const { job_id } = accepted.json<AsyncEvent>()
    for (;;) {
      const { result } = (await sqllab.get('/api/v1/async_event/')).json<{ result: AsyncEvent[] }>()
      const event = result.find((one) => one.job_id === job_id)
      if (event?.status === 'error') return Object.assign(accepted, { statusCode: 400, body: JSON.stringify(event) })
      if (event) return await sqllab.get(event.result_url ?? '')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  } finally {
    flags['GLOBAL_ASYNC_QUERIES'] = false
  }
}

/** Asserts that an owner who may not read all data cannot save the expression. */
async function provesUnsaved({ server }: Pick<TestLab, 'server'>, dataset: number, expression: string): Promise<void> {
  const { db } = server.deps
  await grant(db, 'sql_lab', ['can_write', 'Dataset'])
  const { id: user_id } = await db
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'sqllab')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('dataset_owner')
    .values({ dataset_id: dataset, user_id })
    .onConflict((on) => on.doNothing())
    .execute()
  server.app.authenticator.forget()
  const bodies = [
    { metrics: [{ metric_name: 'own', expression: `max(${expression})` }] },
    { columns: [{ column_name: 'id' }, { column_name: 'own', expression }] },
    { fetch_values_predicate: `${expression} IS NOT NULL` },
  ]
  for (const body of bodies) {
    const [field] = Object.keys(body)
    const response = await server.as('sqllab').put(`/api/v1/dataset/${dataset}`, body)
    expect(response.statusCode, response.body).toBe(422)
    expect(Object.keys(response.json<{ message: object }>().message), response.body).toEqual([field])
  }
  await db.deleteFrom('dataset_owner').where('dataset_id', '=', dataset).where('user_id', '=', user_id).execute()
}

export interface Campaign {
  run(sql: string, user: TestUser, more?: object): Promise<Response>
  /** For `it.each` over `Attempts.reading`. */
  expectReading(sql: string): Promise<void>
  expectRefused(sql: string): Promise<void>
  expectAllowed(sql: string): Promise<void>
}

/** @param place  database and schema of the SQL */
export function campaign(lab: () => TestLab, place: () => { database_id: number; schema: string | null }): Campaign {
  const run: Campaign['run'] = (sql, user, more = {}) =>
    lab().run(sql, { ...place(), client_id: newId(), ...more }, user)
  async function provesRefused(sql: string): Promise<void> {
    for (const more of [{}, { schema: null }]) {
      const { statusCode, body } = await run(sql, 'sqllab', more)
      expect(body).not.toContain(marker)
      expect([400, 403, 413], body).toContain(statusCode)
    }
  }
  return {
    run,
    expectRefused: provesRefused,
    async expectReading(sql) {
      const open = await run(sql, 'admin')
      expect(open.body).toContain(marker)
      await provesRefused(sql)
    },
    async expectAllowed(sql) {
      const { statusCode, body } = await run(sql, 'sqllab')
      expect(statusCode, body).toBe(200)
      expect(body).not.toContain(marker)
    },
  }
}

/** SQL of an engine that only administrators may run, with a table whose rows they may open to others. */
export interface AdminOnlyAttempts {
  texts: readonly string[]
  /** Schema and name. */
  table: readonly [schema: string, name: string]
}

/** Lets `alpha`, who may read every table but is not an administrator, write SQL. */
export async function grantSqlLabToAlpha({ server }: Pick<TestLab, 'server'>): Promise<void> {
  const { db } = server.deps
  const { id: user_id } = await db
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'alpha')
    .executeTakeFirstOrThrow()
  const { id: role_id } = await db
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'sql_lab')
    .executeTakeFirstOrThrow()
  await db.insertInto('user_role').values({ user_id, role_id }).execute()
  server.app.authenticator.forget()
}

/** Asserts that SQL Lab and virtual datasets deny `alpha`, and that an administrator may run the SQL. */
export async function expectAdminOnly(
  { server, run }: TestLab,
  { database_id, schema }: { database_id: number; schema: string | null },
  sql: string,
): Promise<void> {
  const ask = (user: TestUser) => run(sql, { database_id, schema, client_id: newId() }, user)
  const refused = await ask('alpha')
  expect(refused.statusCode, refused.body).toBe(403)
  expect(refused.body).toContain('for administrators only')
  const open = await ask('admin')
  expect(open.statusCode, open.body).toBe(200)
  const made = await server
    .as('alpha')
    .post('/api/v1/dataset/', { database: database_id, schema, table_name: `mine ${newId()}`, sql })
  expect(made.statusCode, made.body).toBe(422)
}

/**
 * Asserts that `alpha` cannot create a dataset of an engine table with secrets, but can read what SQL of an administrator shows
 * of it.
 */
export async function expectOpenedByAdmin(
  { server }: TestLab,
  { database_id, schema }: { database_id: number; schema: string | null },
  [place, name]: AdminOnlyAttempts['table'],
): Promise<void> {
  const make = (user: TestUser, body: object) =>
    server.as(user).post('/api/v1/dataset/', { database: database_id, ...body })
  const own = await make('alpha', { schema: place, table_name: name })
  expect(own.statusCode, own.body).toBe(422)
  const idOf = (made: Response): number => {
    expect(made.statusCode, made.body).toBe(201)
    return made.json<{ id: number }>().id
  }
  const table = idOf(await make('admin', { schema: place, table_name: name }))
  const sql = `SELECT count(*) AS n FROM ${place}.${name}`
  const shared = idOf(await make('admin', { schema, table_name: `shared ${newId()}`, sql }))
  const askAs = async (user: TestUser, id: number, query: object) =>
    (
      await server
        .as(user)
        .post('/api/v1/chart/data', { datasource: { id, type: 'table' }, queries: [query], force: true })
    ).statusCode
  const count = { metrics: ['count'] }
  const samples = await server.as('alpha').post(`/datasource/samples?datasource_type=table&datasource_id=${table}`, {})
  expect([await askAs('alpha', table, count), samples.statusCode, await askAs('admin', table, count)]).toEqual([
    403, 403, 200,
  ])
  expect(await askAs('alpha', shared, { columns: ['n'] })).toBe(200)
  const setAuthor = (sql_by_fk: number | null) =>
    server.deps.db.updateTable('dataset').set({ sql_by_fk }).where('id', '=', shared).execute()
  const { id } = await server.deps.db
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'alpha')
    .executeTakeFirstOrThrow()
  for (const author of [null, id]) {
    await setAuthor(author)
    expect(await askAs('alpha', shared, { columns: ['n'] })).toBe(403)
  }
}
