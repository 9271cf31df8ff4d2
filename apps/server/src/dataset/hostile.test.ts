import { measureEventLoop } from '@parquetry/testing/processor-time'
import { flightsFile } from '@parquetry/testing/sample-tables'
import { dirname, join } from 'node:path'
import type { Response } from 'light-my-request'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { embeddedRow } from '../connection/embedded-table.ts'
import { dataFolderOf } from '../connection/source.ts'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import { addRole, grant } from '../security/grants.ts'
import { builtInRoles } from '../security/roles.ts'
import { addUser } from '../security/users.ts'
import type { Client, TestUser } from '../testing.ts'

/** Value in the table that only administrators and Alpha may read. */
const marker = 'top-secret-7f3'
/** In addition to the users of every test: one who may read `cars`, and one who may create datasets and owns one. */
type Who = TestUser | 'nobody' | 'reader' | 'owner'

let cars: CarsServer
let database: number
/** `hidden` is a dataset of SQL over the secret table, `owned` one over cars; the charts are on `hidden`. */
let hidden: number
let owned: number
let chart: number
let readersChart: number

const as = (who: Who): Client => cars.server.as(who as TestUser)
const send = (who: Who, method: string, path: string, body?: object): Promise<Response> =>
  as(who).send(method, path, body === undefined ? {} : { payload: body })

/** Images are drawn in the background, so that the first answers are 202 and say nothing. */
const sendUntilDrawn = (...call: Parameters<typeof send>): Promise<Response> =>
  vi.waitFor(
    async () => {
      const response = await send(...call)
      if (response.statusCode === 202) throw new Error('not drawn yet')
      return response
    },
    { timeout: 20_000 },
  )

async function make(who: Who, path: string, body: object): Promise<number> {
  const made = await as(who).post(path, body)
  expect(made.statusCode, made.body).toBe(201)
  return made.json<{ id: number }>().id
}

const change = (body: object, who: Who = 'owner', id = owned) => as(who).put(`/api/v1/dataset/${id}`, body)
const ask = (query: object, who: Who = 'owner', id = owned) =>
  as(who).post('/api/v1/chart/data', { datasource: { id, type: 'table' }, queries: [query], force: true })

interface Children {
  columns: { id: number; column_name: string }[]
  metrics: { id: number; metric_name: string; expression: string }[]
}
async function fetchChildren(id = owned): Promise<Children> {
  const { columns, metrics } = (await as('admin').get(`/api/v1/dataset/${id}`)).json<{ result: Children }>().result
  return {
    columns: columns.map(({ id: own, column_name }) => ({ id: own, column_name })),
    metrics: metrics.map(({ id: own, metric_name, expression }) => ({ id: own, metric_name, expression })),
  }
}

beforeAll(async () => {
  cars = await startCarsServer()
  const { db, runners } = cars.server.deps
  const home = await db.selectFrom('database').selectAll().executeTakeFirstOrThrow()
  database = home.id
  const table = { name: 'secret', file: 'secret.1.duckdb', version: 1, format: 'duckdb', table: 'data' } as const
  const select = `SELECT '${marker}' AS word, 1 AS id FROM source LIMIT 1`
  const path = join(dirname(flightsFile.path), 'cars.json')
  const folder = dataFolderOf(cars.server.home, home.uuid)
  await runners.load(folder, table, { path, format: 'json', select }, new AbortController().signal)
  await db.insertInto('embedded_table').values(embeddedRow(database, table)).execute()
  await make('admin', '/api/v1/dataset/', { database, table_name: 'secret' })
  hidden = await make('admin', '/api/v1/dataset/', { database, table_name: 'layoffs', sql: 'SELECT * FROM secret' })

  await addRole(db, 'Reader')
  await grantDataset(cars.server, cars.dataset, 'Reader')
  await addRole(db, 'Maker')
  for (const pair of builtInRoles['Alpha'] ?? [])
    if (pair[0] !== 'all_datasource_access' && pair[0] !== 'all_database_access') await grant(db, 'Maker', pair)
  const add = (username: string, ...roles: string[]) => addUser(db, { username, password: username, roles }, new Date())
  const reader = await add('reader', 'Gamma', 'Reader')
  const owner = await add('owner', 'Maker')
  cars.server.app.authenticator.forget()

  const sql = 'SELECT Cylinders AS id, Name AS name, Year AS born, Origin FROM cars'
  owned = await make('admin', '/api/v1/dataset/', { database, table_name: 'owned', sql, owners: [owner] })
  const params = JSON.stringify({ viz_type: 'table', query_mode: 'raw', all_columns: ['word'] })
  const body = { slice_name: 'Plan', datasource_id: hidden, datasource_type: 'table', viz_type: 'table', params }
  chart = await make('admin', '/api/v1/chart/', body)
  readersChart = await make('admin', '/api/v1/chart/', { ...body, slice_name: 'Mine', owners: [reader] })
}, 60_000)
afterAll(() => cars.close())

describe('a dataset that the user may not see', () => {
  type Call = [method: string, path: string, body?: object]
  const thumbnailOf = async (id: number): Promise<string> => {
    const { result } = (await as('admin').get(`/api/v1/chart/${id}`)).json<{ result: { thumbnail_url: string } }>()
    return result.thumbnail_url
  }
  const calls = async (): Promise<Call[]> => {
    const form_data = JSON.stringify({ groupby: ['word'] })
    const entry = { datasource_id: hidden, datasource_type: 'table', form_data }
    const { key } = (await as('admin').post('/api/v1/explore/form_data', entry)).json<{ key: string }>()
    const state = { formData: { datasource: `${hidden}__table`, groupby: ['word'] } }
    const link = (await as('admin').post('/api/v1/explore/permalink', state)).json<{ key: string }>().key
    const context = { datasource: { id: hidden, type: 'table' }, queries: [{ columns: ['word'] }] }
    const form = encodeURIComponent(JSON.stringify({ datasource: `${hidden}__table`, groupby: ['word'] }))
    return [
      ...['', '/usage', '/profile', '/related_objects', '/drill_info/', '/versions/', '/versions/1'].map(
        (path): Call => ['GET', `/api/v1/dataset/${hidden}${path}`],
      ),
      ['GET', `/api/v1/dataset/export/?q=!(${hidden})`],
      ['PUT', `/api/v1/dataset/${hidden}`, { description: 'x' }],
      ['PUT', `/api/v1/dataset/${hidden}/refresh`],
      ['DELETE', `/api/v1/dataset/${hidden}`],
      ['POST', '/api/v1/dataset/duplicate', { base_model_id: hidden, table_name: 'copy' }],
      ['POST', '/api/v1/dataset/get_or_create/', { database_id: database, table_name: 'secret' }],
      ['POST', '/api/v1/dataset/', { database, table_name: 'secret' }],
      ['POST', '/api/v1/dataset/source_columns', { database_id: database, table_name: 'secret' }],
      ['POST', '/api/v1/dataset/source_columns', { database_id: database, sql: 'SELECT * FROM secret' }],
      ['GET', `/datasource/get/table/${hidden}/`],
      ['GET', `/datasource/external_metadata/table/${hidden}/`],
      ['GET', '/datasource/external_metadata_by_name/?q=(datasource_type:table,database_name:d,table_name:secret)'],
      ['GET', `/superset/fetch_datasource_metadata?datasourceKey=${hidden}__table`],
      ['POST', `/datasource/samples?datasource_type=table&datasource_id=${hidden}`, {}],
      ['GET', `/api/v1/datasource/table/${hidden}/column/word/values/`],
      [
        'POST',
        `/api/v1/datasource/table/${hidden}/validate_expression/`,
        { expression: 'word', expression_type: 'column' },
      ],
      ['POST', '/api/v1/chart/data', context],
      ['GET', `/api/v1/chart/${chart}`],
      ['GET', `/api/v1/chart/${chart}/data/`],
      ['GET', await thumbnailOf(chart)],
      ['GET', `/api/v1/chart/${readersChart}/data/`],
      ['GET', await thumbnailOf(readersChart)],
      ['GET', `/api/v1/explore/form_data/${key}`],
      ['GET', `/api/v1/explore/?form_data_key=${key}`],
      ['GET', `/api/v1/explore/permalink/${link}`],
      ['GET', `/api/v1/explore/?permalink_key=${link}`],
      ['POST', '/api/v1/explore/permalink', state],
      ['POST', '/api/v1/explore/form_data', entry],
      ['GET', `/superset/explore_json/?form_data=${form}`],
      ['PUT', '/api/v1/chart/warm_up_cache', { chart_id: chart }],
      ['PUT', '/api/v1/dataset/warm_up_cache', { db_name: 'd', table_name: 'layoffs' }],
      ['POST', `/api/v1/trash/dataset/${hidden}/restore`, {}],
      ['GET', `/api/v1/database/${database}/table/secret/main/`],
    ]
  }

  it.each(['nobody', 'gamma', 'reader', 'owner'] as const)(
    'is missing or refused for %s in every request, without its names and values',
    async (who) => {
      for (const [method, path, body] of await calls()) {
        const { statusCode, body: told } = await sendUntilDrawn(who, method, path, body)
        const called = `${who} ${method} ${path}`
        // A chart without a saved query context has no query to run, even for its owner.
        const expected = path === `/api/v1/chart/${readersChart}/data/` ? [400, 401, 404] : [401, 403, 404, 422]
        expect(expected, `${called}: ${told}`).toContain(statusCode)
        expect(told, called).not.toMatch(/layoffs|"word"|top-secret/)
        if (!JSON.stringify(body ?? '').includes('secret') && !path.includes('secret'))
          expect(told, called).not.toContain('secret')
      }
      for (const path of [
        '/api/v1/dataset/',
        "/api/v1/dataset/?q=(filters:!((col:table_name,opr:ct,value:'la')))",
        '/superset/datasources/',
        `/api/v1/database/${database}/tables/?q=(schema_name:main)`,
        `/api/v1/database/${database}/related_objects/`,
        '/api/v1/trash/',
        `/api/v1/explore/?datasource_type=table&datasource_id=${hidden}`,
        `/explore/?datasource_type=table&datasource_id=${hidden}`,
        `/dataset/${hidden}`,
      ]) {
        const { statusCode, body } = await send(who, 'GET', path)
        expect(statusCode, path).toBeLessThan(500)
        expect(body, `${who} ${path}`).not.toMatch(/layoffs|"word"|secret/)
      }
    },
    60_000,
  )

  it('regression: neither a chart nor a search of the list reveals the current name of its dataset to the chart owner', async () => {
    const filters = (...each: string[]) => `/api/v1/chart/?q=(filters:!(${each.join()}),page_size:100)`
    const isMine = '(col:id,opr:chart_owned_created_favored_by_me,value:!t)'
    const listDatasets = async (who: Who, ...more: string[]) =>
      (await as(who).get(filters(...(who === 'reader' ? [isMine] : []), ...more))).json<{
        result: { id: number; datasource_name_text: string | null; table: object | null }[]
      }>().result

    for (const path of [
      filters(isMine),
      `/api/v1/chart/${readersChart}`,
      `/api/v1/chart/${readersChart}?q=(columns:!(slice_name,datasource_name_text,table.table_name))`,
      `/api/v1/explore/?slice_id=${readersChart}`,
      `/api/v1/chart/${readersChart}/versions/1`,
      `/api/v1/chart/?q=(columns:!(slice_name,datasource_url,datasource_name_text,params,table.default_endpoint))`,
    ]) {
      const { statusCode, body } = await send('reader', 'GET', path)
      expect(statusCode, path).toBe(200)
      expect(body, path).toContain('Mine')
      expect(body, path).not.toContain('layoffs')
    }
    const asks: [col: string, opr: string, value: string][] = [
      ['datasource_name', 'ct', 'layoff'],
      ['datasource_name', 'eq', 'layoffs'],
      ['datasource_name', 'nct', 'nothing'],
      ['slice_name', 'chart_all_text', 'layoff'],
    ]
    for (const [col, opr, value] of asks) {
      const asked = `(col:${col},opr:${opr},value:${value})`
      expect(await listDatasets('reader', asked), asked).toEqual([])
      expect((await listDatasets('admin', asked)).map(({ id }) => id)).toContain(readersChart)
    }
    const byWords = await listDatasets('reader', '(col:slice_name,opr:chart_all_text,value:mine)')
    expect(byWords).toMatchObject([{ id: readersChart, datasource_name_text: null, table: null }])
    const [known] = await listDatasets('admin', `(col:id,opr:eq,value:${readersChart})`)
    expect(known).toMatchObject({ datasource_name_text: 'layoffs', table: { table_name: 'layoffs' } })
  })

  it('regression: validating an expression does not reveal which dataset ids exist', async () => {
    const check = (id: number) =>
      as('gamma').post(`/api/v1/datasource/table/${id}/validate_expression/`, {
        expression: '1',
        expression_type: 'column',
      })
    const [one, none] = [await check(hidden), await check(987_654)]
    expect([one.statusCode, one.body]).toEqual([none.statusCode, none.body])
    expect(none.statusCode).toBe(404)
  })

  it('regression: creating a dataset does not reveal which tables have datasets of other users', async () => {
    for (const [path, body] of [
      ['/api/v1/dataset/', { database }],
      ['/api/v1/dataset/get_or_create/', { database_id: database }],
    ] as const) {
      const [there, gone] = [
        await as('owner').post(path, { ...body, table_name: 'secret' }),
        await as('owner').post(path, { ...body, table_name: 'gone' }),
      ]
      expect([there.statusCode, there.body]).toEqual([gone.statusCode, gone.body.replace('gone', 'secret')])
      expect(there.statusCode).toBe(422)
    }
    const [there, gone] = [
      await change({ sql: null, table_name: 'secret' }),
      await change({ sql: null, table_name: 'gone' }),
    ]
    expect([there.statusCode, there.body]).toEqual([422, gone.body.replace('gone', 'secret')])
    const known = await as('alpha').post('/api/v1/dataset/', { database, table_name: 'secret' })
    expect(known.body).toContain('Dataset secret already exists')
  })
})

describe('the owner of one dataset', () => {
  it('cannot reach another table through any field that they may write', async () => {
    const { columns, metrics } = await fetchChildren()
    const query = '(SELECT word FROM secret)'
    for (const body of [
      { sql: 'SELECT * FROM secret' },
      { sql: `SELECT ${query} AS id` },
      { sql: "SELECT {{ 'word FROM secret' }}" },
      { sql: 'SELECT 1; SELECT * FROM secret' },
      { columns: [...columns, { column_name: 'x', expression: query }] },
      { metrics: [...metrics, { metric_name: 'x', expression: `MAX(${query})` }] },
      { fetch_values_predicate: `EXISTS ${query}` },
      { fetch_values_predicate: '1 = 1) UNION (SELECT word FROM secret' },
      { database_id: 987_654 },
      { catalog: 'system' },
      { schema: 'information_schema' },
    ]) {
      const { statusCode, body: told } = await change(body)
      expect(statusCode, `${JSON.stringify(body)}: ${told}`).toBe(422)
      expect(told).not.toContain(marker)
    }
    expect(await fetchChildren()).toEqual({ columns, metrics })
  })

  it('cannot reach another table through a template, which is checked when it is rendered', async () => {
    const { flags } = cars.server.deps.settings
    const { columns, metrics } = await fetchChildren()
    const text = "{{ '(SELECT word FROM secret)' }}"
    flags['ENABLE_TEMPLATE_PROCESSING'] = true
    try {
      const saved = await change({
        columns: [...columns, { column_name: 'x', expression: text }],
        metrics: [
          ...metrics,
          { metric_name: 'x', expression: `MAX(${text})` },
          { metric_name: 'y', expression: `{{ metric('count', ${hidden}) }}` },
        ],
        fetch_values_predicate: `EXISTS ${text}`,
        template_params: '{"a": "SELECT * FROM secret"}',
      })
      expect(saved.statusCode, saved.body).toBe(200)
      for (const response of [
        await ask({ columns: ['x'] }),
        await ask({ metrics: ['x'] }),
        await ask({ metrics: ['y'] }),
        await ask({ columns: [{ sqlExpression: `(SELECT * FROM {{ dataset(${hidden}) }})`, label: 'z' }] }),
        await as('owner').get(`/api/v1/datasource/table/${owned}/column/id/values/`),
        await as('owner').get(`/api/v1/dataset/${owned}/profile?force=true`),
        await as('owner').post(`/datasource/samples?datasource_type=table&datasource_id=${owned}&force=true`, {}),
      ]) {
        expect([400, 403], response.body).toContain(response.statusCode)
        expect(response.body).not.toContain(marker)
      }
    } finally {
      flags['ENABLE_TEMPLATE_PROCESSING'] = false
      const restored = await change({ columns, metrics, fetch_values_predicate: null, template_params: null })
      expect(restored.statusCode).toBe(200)
    }
  })

  it('regression: a copy of a dataset has the same row-level security rules', async () => {
    const { db } = cars.server.deps
    const sql = 'SELECT * FROM cars'
    const id = await make('admin', '/api/v1/dataset/', { database, table_name: 'ruled', sql })
    await addRowLevelSecurityRule(db, id, 'Alpha', "Origin = 'Japan'")
    cars.server.app.authenticator.forget()
    const copy = await make('alpha', '/api/v1/dataset/duplicate', { base_model_id: id, table_name: 'copied' })
    const countIn = async (dataset: number) => {
      const response = await ask({ metrics: ['count'] }, 'alpha', dataset)
      return response.json<{ result: [{ data: [{ count: number }] }] }>().result[0].data[0].count
    }
    expect(await countIn(id)).toBe(79)
    expect(await countIn(copy)).toBe(79)
  })

  it('regression: a default URL cannot lead to another site', async () => {
    const hostile = ['/\t/evil.example/', '/\n\\evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example']
    for (const default_endpoint of hostile)
      expect((await change({ default_endpoint })).statusCode, default_endpoint).toBe(422)
    const { db } = cars.server.deps
    const set = (default_endpoint: string | null) =>
      db.updateTable('dataset').set({ default_endpoint }).where('id', '=', owned).execute()
    // A bundle may contain such a URL.
    await set('https://evil.example/')
    const shown = await as('owner').get(`/api/v1/explore/?datasource_type=table&datasource_id=${owned}`)
    const opened = [
      await as('owner').get('/api/v1/dataset/?q=(columns:!(explore_url,default_endpoint))'),
      await as('owner').get(`/api/v1/dataset/${owned}`),
      await as('owner').get(`/datasource/get/table/${owned}/`),
    ]
    await set(null)
    for (const { statusCode, body } of [shown, ...opened]) {
      expect(statusCode).toBe(200)
      expect(body).not.toContain('evil.example')
    }
  })

  it('regression: invalid `extra` and template parameters do not break the routes that open the dataset', async () => {
    const { columns, metrics } = await fetchChildren()
    for (const extra of [
      '{"certification":{"certified_by":{"a":1},"details":[1]},"warning_markdown":{"x":1}}',
      '{"certification":5}',
      '"text"',
      'null',
      '[]',
      'broken{',
      `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
    ]) {
      const body = {
        extra,
        columns: columns.map((column) => ({ ...column, extra })),
        metrics: metrics.map((metric) => ({ ...metric, extra })),
        template_params: extra,
      }
      expect((await change(body)).statusCode).toBe(200)
      for (const path of [
        `/api/v1/dataset/${owned}`,
        `/api/v1/dataset/${owned}/drill_info/`,
        `/datasource/get/table/${owned}/`,
        `/api/v1/explore/?datasource_type=table&datasource_id=${owned}`,
        `/api/v1/dataset/${owned}/versions/`,
        `/api/v1/dataset/export/?q=!(${owned})`,
      ])
        expect((await as('owner').get(path)).statusCode, `${extra.slice(0, 40)} ${path}`).toBe(200)
    }
    expect((await change({ extra: null, columns, metrics, template_params: null })).statusCode).toBe(200)
  })

  it.each(['__proto__', 'constructor', ' ', 'a"b', "a'b", 'a\nb', '{{ 1 }}', '*', '\ud800', '$1', '--', '/*', ';'])(
    'can query, filter, pivot, profile and export a column named %j',
    async (given) => {
      const before = await fetchChildren()
      const added = { column_name: given, expression: 'id + 1' }
      expect((await change({ columns: [...before.columns, added] })).statusCode).toBe(200)
      const name = given.toWellFormed()
      const options = { index: ['id'], columns: [name], aggregates: { count: { operator: 'sum' } } }
      for (const query of [
        { columns: [name], metrics: ['count'] },
        { columns: ['id'], filters: [{ col: name, op: 'IN', val: [5] }] },
        {
          columns: ['id', name],
          metrics: ['count'],
          post_processing: [{ operation: 'pivot', options }, { operation: 'flatten' }],
        },
      ]) {
        const response = await ask(query)
        expect(response.statusCode, response.body).toBe(200)
      }
      const [{ data }] = (await ask({ columns: [name] })).json<{ result: [{ data: object[] }] }>().result
      expect(Object.keys(data[0] ?? {})).toEqual([name])
      const profile = await as('owner').get(`/api/v1/dataset/${owned}/profile?force=true`)
      expect(profile.body).toContain(`"column_name":${JSON.stringify(name)},"nulls":0`)
      expect((await change({ columns: before.columns })).statusCode).toBe(200)
    },
  )
})

describe('a single chart or draft', () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
  let own: number
  beforeEach(async () => {
    const body = { slice_name: 'c', datasource_id: owned, datasource_type: 'table', viz_type: 'table' }
    own = await make('owner', '/api/v1/chart/', body)
  })

  it('regression: a deeply nested chart is refused, and a stored one does not break the list of charts', async () => {
    for (const field of ['params', 'query_context'])
      expect((await as('owner').put(`/api/v1/chart/${own}`, { [field]: deep })).statusCode, field).toBe(400)
    // Such a chart may already be stored.
    await cars.server.deps.db
      .updateTable('chart')
      .set({ params: deep, query_context: deep })
      .where('id', '=', own)
      .execute()
    for (const path of [
      `/api/v1/chart/${own}`,
      '/api/v1/chart/',
      '/api/v1/chart/?q=(columns:!(id,form_data))',
      `/api/v1/explore/?slice_id=${own}`,
      `/api/v1/form_data/?slice_id=${own}`,
      `/api/v1/dataset/${owned}/usage`,
      `/api/v1/chart/${own}/versions/`,
      `/api/v1/chart/export/?q=!(${own})`,
    ])
      expect((await as('admin').get(path)).statusCode, path).toBe(200)
  })

  it.each(['null', '5', '"text"', '[1]', '{"url_params":5}', '{"slice_id":{}}', '{"adhoc_filters":5}'])(
    'opens a draft that is %s',
    async (form_data) => {
      const entry = { datasource_id: owned, datasource_type: 'table', form_data }
      const made = await as('owner').post('/api/v1/explore/form_data', entry)
      expect(made.statusCode).toBe(201)
      const { key } = made.json<{ key: string }>()
      const path = `/api/v1/explore/?form_data_key=${key}&datasource_type=table&datasource_id=${owned}`
      const shown = await as('owner').get(path)
      expect(shown.statusCode, shown.body).toBe(200)
      expect(shown.json<{ result: { dataset: { name: string } } }>().result.dataset.name).toBe('owned')
    },
  )

  it('refuses a deeply nested draft', async () => {
    const entry = { datasource_id: owned, datasource_type: 'table', form_data: deep }
    expect((await as('owner').post('/api/v1/explore/form_data', entry)).statusCode).toBe(400)
  })
})

describe('a dataset of very many columns', () => {
  /** Before the fix, each of these blocked the event loop for five seconds to two minutes. */
  const mostHeldMs = 2000
  let wide: number
  beforeAll(async () => {
    wide = await make('owner', '/api/v1/dataset/', { database, table_name: 'wide', sql: 'SELECT 1 AS x' })
  })

  /** Returns how long the event loop was blocked, in milliseconds. */
  async function heldBy(work: () => Promise<Response>): Promise<number> {
    const { result: answer, longestMs } = await measureEventLoop(work)
    expect(answer.statusCode, answer.body.slice(0, 500)).toBeLessThan(300)
    return longestMs
  }

  it('regression: saving, renaming, copying and searching its usage do not block other requests', async () => {
    const added = Array.from({ length: 10_000 }, (_, index) => ({ column_name: `c${index}` }))
    expect(await heldBy(() => change({ columns: added }, 'owner', wide))).toBeLessThan(mostHeldMs)
    const { columns } = await fetchChildren(wide)
    expect(columns).toHaveLength(10_000)
    const renamed = columns.map(({ id, column_name }) => ({ id, column_name: `${column_name}r` }))
    const carry = { columns: renamed, carry_renames: true }
    expect(await heldBy(() => change(carry, 'owner', wide))).toBeLessThan(mostHeldMs)
    const copy = { base_model_id: wide, table_name: 'wider' }
    expect(await heldBy(() => as('owner').post('/api/v1/dataset/duplicate', copy))).toBeLessThan(mostHeldMs)

    const sqlExpression = Array.from({ length: 5000 }, (_, index) => `other${index}`).join(' + ')
    const params = JSON.stringify({
      viz_type: 'table',
      metrics: [{ expressionType: 'SQL', sqlExpression, label: 'm' }],
    })
    for (let n = 0; n < 5; n++) {
      const body = { slice_name: `w${n}`, datasource_id: wide, datasource_type: 'table', viz_type: 'table', params }
      await make('owner', '/api/v1/chart/', body)
    }
    expect(await heldBy(() => as('owner').get(`/api/v1/dataset/${wide}/usage`))).toBeLessThan(mostHeldMs)
  }, 120_000)
})
