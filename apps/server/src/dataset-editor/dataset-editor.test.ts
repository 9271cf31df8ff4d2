import type { DatasetDetail, DatasetObject, DatasetProfile, DatasetUsage, MissingReference } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
let path: string
const as = (user: TestUser) => cars.server.as(user)
const db = () => cars.server.deps.db
const userId = async (username: TestUser) =>
  (await db().selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id

const addOwner = async (username: TestUser) =>
  db()
    .insertInto('dataset_owner')
    .values({ dataset_id: cars.dataset, user_id: await userId(username) })
    .execute()

async function detail(): Promise<DatasetDetail> {
  const response = await as('admin').get(path)
  expect(response.statusCode, response.body).toBe(200)
  return response.json<{ result: DatasetDetail }>().result
}

const columnsNow = async () => (await detail()).columns.map(({ id, column_name }) => ({ id, column_name }))

async function addChart(user: TestUser, slice_name: string, params: object): Promise<number> {
  const response = await as(user).post('/api/v1/chart/', {
    slice_name,
    viz_type: 'table',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({ viz_type: 'table', datasource: `${cars.dataset}__table`, ...params }),
    query_context: JSON.stringify({
      queries: [{ columns: ['Origin'], filters: [{ col: 'Year', op: 'IS NOT NULL' }] }],
    }),
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}

beforeAll(async () => {
  cars = await startCarsServer()
  path = `/api/v1/dataset/${cars.dataset}`
  await addOwner('alpha')
}, 60_000)
afterAll(() => cars.close())

describe('an owner edits a dataset', () => {
  it('DSET-001, DSET-002, DSET-003: saves every field of the dataset, its columns and its metrics', async () => {
    const before = await detail()
    const [first, ...others] = before.columns
    const described = {
      id: first?.id,
      column_name: 'Origin',
      verbose_name: 'Made in',
      description: '**Where** it was made',
      groupby: true,
      filterable: false,
      is_dttm: false,
      advanced_data_type: 'country',
      extra: JSON.stringify({
        certification: {
          certified_by: 'Ana',
          details: 'checked',
        },
        warning_markdown: 'old',
      }),
    }
    const metric = {
      metric_name: 'power',
      verbose_name: 'Mean power',
      expression: 'AVG(Horsepower)',
      d3format: ',.1f',
      description: 'In hp',
      warning_text: 'few rows',
      currency: {
        symbol: 'EUR',
        symbolPosition: 'suffix',
      },
      extra: JSON.stringify({
        certification: { certified_by: 'Ana' },
        warning_markdown: 'few',
      }),
    }
    const count = { metric_name: 'count', expression: 'COUNT(*)' }
    expect(first?.column_name).not.toBe('Origin')
    const response = await as('alpha').put(path, {
      columns: [
        ...others.map(({ id, column_name }) =>
          column_name === 'Origin'
            ? {
                ...described,
                id,
              }
            : {
                id,
                column_name,
              },
        ),
        {
          id: first?.id,
          column_name: first?.column_name,
        },
        {
          column_name: 'decade',
          expression: "date_trunc('decade', Year)",
          is_dttm: true,
          python_date_format: '%Y',
        },
      ],
      metrics: [
        ...before.metrics.map(({ id, metric_name, expression }) => ({
          id,
          metric_name,
          expression,
        })),
        metric,
        count,
      ],
      description: 'All cars',
      main_dttm_col: 'Year',
      offset: -3,
      cache_timeout: 60,
      filter_select_enabled: true,
      fetch_values_predicate: 'Horsepower > 0',
      template_params: '{"a": 1}',
      always_filter_main_dttm: true,
      extra: JSON.stringify({
        warning_markdown: 'a sample',
        disallow_adhoc_metrics: true,
      }),
      changed_on: before.changed_on,
    })
    expect(response.statusCode, response.body).toBe(200)
    const object = (await as('alpha').get(`/datasource/get/table/${cars.dataset}/`)).json<DatasetObject>()
    expect(object).toMatchObject({
      id: cars.dataset,
      type: 'table',
      table_name: 'cars',
      name: 'cars',
      datasource_name: 'cars',
      schema: null,
      description: 'All cars',
      main_dttm_col: 'Year',
      offset: -3,
      cache_timeout: 60,
      sql: null,
      filter_select: true,
      fetch_values_predicate: 'Horsepower > 0',
      template_params: '{"a": 1}',
      extra: '{"warning_markdown":"a sample","disallow_adhoc_metrics":true}',
      verbose_map: {
        Origin: 'Made in',
        power: 'Mean power',
        __timestamp: 'Time',
      },
      column_formats: { power: ',.1f' },
      currency_formats: { power: { symbol: 'EUR', symbolPosition: 'suffix' } },
      is_sqllab_view: false,
      health_check_message: null,
    })
    expect(object.database.id).toBeGreaterThan(0)
    expect(object.select_star).toContain('SELECT')
    expect(object.time_grain_sqla.length).toBeGreaterThan(3)
    expect((object as { edit_url?: string }).edit_url).toBe(`/tablemodelview/edit/${cars.dataset}`)
    expect(object.owners.map(({ id }) => id)).toEqual([await userId('alpha')])
    expect(object.columns.find(({ column_name }) => column_name === 'Origin')).toMatchObject({
      verbose_name: 'Made in',
      description: '**Where** it was made',
      type: 'VARCHAR',
      type_generic: 1,
      groupby: true,
      filterable: false,
      is_dttm: false,
      advanced_data_type: 'country',
      expression: null,
      is_certified: true,
      certified_by: 'Ana',
      certification_details: 'checked',
      warning_markdown: 'old',
    })
    expect(object.columns.find(({ column_name }) => column_name === 'decade')).toMatchObject({
      expression: "date_trunc('decade', Year)",
      is_dttm: true,
      type_generic: 2,
      python_date_format: '%Y',
    })
    expect(object.metrics.find(({ metric_name }) => metric_name === 'power')).toMatchObject({
      verbose_name: 'Mean power',
      expression: 'AVG(Horsepower)',
      description: 'In hp',
      d3format: ',.1f',
      warning_text: 'few rows',
      warning_markdown: 'few',
      is_certified: true,
      certified_by: 'Ana',
      currency: {
        symbol: 'EUR',
        symbolPosition: 'suffix',
      },
    })
    const power = (await detail()).metrics.find(({ metric_name }) => metric_name === 'power')
    expect(power).toMatchObject({ currency: { symbol: 'EUR' }, uuid: expect.any(String) as string })
  })

  it('refuses a save based on an older version and invalid SQL expressions, without changing anything', async () => {
    const before = await detail()
    const stale = await as('alpha').put(path, { description: 'lost', changed_on: '2020-01-01T00:00:00.000' })
    expect(stale.statusCode, stale.body).toBe(409)
    const columns = [...(await columnsNow()), { column_name: 'bad', expression: 'Year FROM' }]
    const wrong = await as('alpha').put(path, { description: 'lost', columns })
    expect(wrong.statusCode, wrong.body).toBe(422)
    expect(wrong.body).toContain('The calculated column \\"bad\\" is not a valid SQL expression.')
    const ago = expect.any(String) as string
    expect(await detail()).toEqual({ ...before, changed_on_humanized: ago })
  })

  it('saves folders of columns and metrics, including new ones, and refuses entries in two folders', async () => {
    const uuid = 'aaaaaaaa-0000-4000-8000-000000000001'
    const { columns, metrics } = await detail()
    const [count] = metrics
    const requestedFolders = [
      { uuid: 'f1', type: 'folder', name: 'Engine', children: [{ uuid }, { uuid: count?.uuid }, { uuid: 'gone' }] },
    ]
    const all = [
      ...columns.map(({ id, column_name }) => ({ id, column_name })),
      { column_name: 'strong', expression: 'Horsepower > 150', uuid },
    ]
    const saved = await as('alpha').put(path, { columns: all, folders: requestedFolders })
    expect(saved.statusCode, saved.body).toBe(200)
    const kept = [
      {
        uuid: 'f1',
        type: 'folder',
        name: 'Engine',
        children: [
          {
            uuid,
            type: 'column',
          },
          {
            uuid: count?.uuid,
            type: 'metric',
          },
        ],
      },
    ]
    expect((await detail()).folders).toEqual(kept)
    const twice = await as('alpha').put(path, { folders: [...requestedFolders, { uuid }] })
    expect(twice.statusCode).toBe(422)
    expect(twice.body).toContain('twice')
    expect((await detail()).folders).toEqual(kept)
  })
})

describe('usage of a dataset', () => {
  const form = { groupby: ['Origin'], metrics: ['count'], adhoc_filters: [] }
  let mine: number
  let theirs: number
  let board: number
  const usage = async (user: TestUser) => (await as(user).get(`${path}/usage`)).json<{ result: DatasetUsage }>().result

  beforeAll(async () => {
    mine = await addChart('alpha', 'Mine', form)
    const sql = { label: 'x', sqlExpression: 'upper(Name)', expressionType: 'SQL' }
    theirs = await addChart('admin', 'Theirs', { groupby: ['Origin', sql] })
    const filter = {
      id: 'NATIVE_FILTER-1',
      type: 'NATIVE_FILTER',
      name: 'Country',
      filterType: 'filter_select',
      targets: [
        {
          datasetId: cars.dataset,
          column: { name: 'Origin' },
        },
      ],
      controlValues: { sortMetric: 'count' },
      scope: {
        rootPath: ['ROOT_ID'],
        excluded: [],
      },
    }
    const made = await as('alpha').post('/api/v1/dashboard/', {
      dashboard_title: 'Board',
      json_metadata: JSON.stringify({ native_filter_configuration: [filter] }),
    })
    expect(made.statusCode, made.body).toBe(201)
    board = made.json<{ id: number }>().id
  })

  it('lists charts, filters and dashboards by column and metric, with their owners', async () => {
    const { charts, dashboards, hidden } = await usage('alpha')
    expect(
      charts.map(({ id, may_edit, columns, metrics, mentioned }) => ({ id, may_edit, columns, metrics, mentioned })),
    ).toEqual([
      { id: mine, may_edit: true, columns: ['Origin'], metrics: ['count'], mentioned: [] },
      { id: theirs, may_edit: false, columns: ['Origin'], metrics: [], mentioned: ['Name'] },
    ])
    expect(charts[1]?.owners).toEqual(['Ada Admin'])
    expect(dashboards).toEqual([
      {
        id: board,
        title: 'Board',
        may_edit: true,
        charts: [],
        filters: [
          {
            name: 'Country',
            columns: ['Origin'],
            metrics: ['count'],
          },
        ],
      },
    ])
    expect(hidden).toEqual({ charts: 0, columns: {}, metrics: {} })
  })

  it('reveals nothing to users who may not read the dataset', async () => {
    for (const call of ['usage', 'profile']) {
      const { statusCode, body } = await as('gamma').get(`${path}/${call}`)
      expect(statusCode, body).toBe(404)
      expect(body).not.toContain('Origin')
    }
    const source = { database_id: (await detail()).database.id, table_name: 'cars' }
    const found = await as('sqllab').post('/api/v1/dataset/source_columns', source)
    expect([403, 422]).toContain(found.statusCode)
    expect(found.body).not.toContain('Origin')
  })

  it('applies a rename to charts and filters that the owner may change, and only on request', async () => {
    const rename = async (from: string, to: string, more: object) => {
      const columns = (await columnsNow()).map(({ id, column_name }) => ({
        id,
        column_name: column_name === from ? to : column_name,
      }))
      const response = await as('alpha').put(path, { columns, ...more })
      expect(response.statusCode, response.body).toBe(200)
      return response.json<{ carried?: { charts: number[]; dashboards: number[] } }>().carried
    }
    const chartOf = async (id: number) =>
      db().selectFrom('chart').select(['params', 'query_context']).where('id', '=', id).executeTakeFirstOrThrow()
    const before = await chartOf(mine)
    expect(await rename('Origin', 'country', {})).toBeUndefined()
    expect(await chartOf(mine)).toEqual(before)
    await rename('country', 'Origin', {})

    expect(await rename('Origin', 'country', { carry_renames: true })).toEqual({ charts: [mine], dashboards: [board] })
    const after = await chartOf(mine)
    expect(JSON.parse(after.params ?? '')).toMatchObject({ groupby: ['country'], metrics: ['count'] })
    expect(JSON.parse(after.query_context ?? '')).toEqual({
      queries: [{ columns: ['country'], filters: [{ col: 'Year', op: 'IS NOT NULL' }] }],
    })
    expect(JSON.parse((await chartOf(theirs)).params ?? '')).toMatchObject({ groupby: ['Origin', expect.anything()] })
    const { json_metadata } = await db()
      .selectFrom('dashboard')
      .select('json_metadata')
      .where('id', '=', board)
      .executeTakeFirstOrThrow()
    expect(json_metadata).toContain('"name":"country"')
    const versions = await db()
      .selectFrom('version')
      .select('kind')
      .where('kind', 'in', ['chart', 'dashboard'])
      .execute()
    expect(versions.map(({ kind }) => kind)).toContain('dashboard')
    await rename('country', 'Origin', { carry_renames: true })
  })
})

describe('missing references', () => {
  const fetchMissing = async (user: TestUser) => {
    const response = await as(user).get(`${path}/lost_names`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json<{ result: MissingReference[] }>().result
  }
  const put = async (user: TestUser, body: object) => {
    const response = await as(user).put(path, body)
    expect(response.statusCode, response.body).toBe(200)
  }
  const renameColumn = async (from: string, to: string) =>
    (await columnsNow()).map(({ id, column_name }) => ({ id, column_name: column_name === from ? to : column_name }))

  it('report who renamed what to what, through all renames, until the name exists again', async () => {
    expect((await fetchMissing('admin')).map(({ name }) => name)).not.toContain('Origin')
    await put('alpha', { columns: await renameColumn('Origin', 'land') })
    await put('admin', { columns: await renameColumn('land', 'country') })
    const renamedReferences = (await fetchMissing('alpha')).filter(({ now }) => now !== null)
    expect(renamedReferences).toEqual([
      { kind: 'column', name: 'Origin', now: 'country', by: 'Ada Admin', at: renamedReferences[0]?.at },
      { kind: 'column', name: 'land', now: 'country', by: 'Ada Admin', at: renamedReferences[0]?.at },
    ])
    expect(renamedReferences[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT/)
    await put('alpha', { columns: await renameColumn('country', 'Origin') })
    expect((await fetchMissing('admin')).map(({ name, now }) => [name, now])).toEqual([
      ['country', 'Origin'],
      ['land', 'Origin'],
    ])
  })

  it('report names removed by a save, by a single request and by the source, and none that exist again', async () => {
    const { metrics, columns } = await detail()
    await put('alpha', {
      columns: [
        ...columns.map(({ id, column_name }) => ({ id, column_name })),
        { column_name: 'twice', expression: 'Cylinders * 2' },
        { column_name: 'late' },
      ],
      metrics: [
        ...metrics.map(({ id, metric_name, expression }) => ({ id, metric_name, expression })),
        { metric_name: 'much', expression: 'SUM(Cylinders)' },
      ],
    })
    const made = await detail()
    const much = made.metrics.find(({ metric_name }) => metric_name === 'much')
    expect((await as('alpha').delete(`${path}/metric/${much?.id}`)).statusCode).toBe(200)
    await put('alpha', { columns: (await columnsNow()).filter(({ column_name }) => column_name !== 'twice') })
    expect((await as('alpha').put(`${path}/refresh`, {})).statusCode).toBe(200)
    const gone = (await fetchMissing('alpha')).filter(({ now }) => now === null)
    expect(gone.map(({ kind, name, by }) => ({ kind, name, by }))).toEqual([
      { kind: 'metric', name: 'much', by: 'alpha' },
      { kind: 'column', name: 'twice', by: 'alpha' },
      { kind: 'column', name: 'late', by: 'alpha' },
    ])
    await put('alpha', { columns: [...(await columnsNow()), { column_name: 'twice', expression: '2' }] })
    expect((await fetchMissing('alpha')).map(({ name }) => name)).not.toContain('twice')
    await put('alpha', { columns: (await columnsNow()).filter(({ column_name }) => column_name !== 'twice') })
  })

  it('mark the charts in a list that have missing references, for users who may read the dataset', async () => {
    const chart = await addChart('admin', 'Of countries', { groupby: ['land'], metrics: ['much', 'count'] })
    const db = cars.server.deps.db
    await db
      .insertInto('chart_owner')
      .values({ chart_id: chart, user_id: await userId('gamma') })
      .execute()
    const q = `(columns:!(id,lost_names),filters:!((col:id,opr:eq,value:${chart})))`
    const listCharts = async (user: TestUser) =>
      (await as(user).get(`/api/v1/chart/?q=${encodeURIComponent(q)}`)).json<{ result: object[] }>().result
    expect(await listCharts('alpha')).toMatchObject([
      {
        lost_names: [
          { name: 'land', now: 'Origin', by: 'alpha' },
          { name: 'much', now: null },
        ],
      },
    ])
    expect(await listCharts('gamma')).toEqual([{ id: chart, lost_names: [] }])
  })

  it('reveal no name to users who may not read the dataset', async () => {
    const { statusCode, body } = await as('gamma').get(`${path}/lost_names`)
    expect(statusCode, body).toBe(404)
    expect(body).not.toContain('twice')
  })
})

describe('the profile', () => {
  const profile = async (user: TestUser, more = '') => {
    const response = await as(user).get(`${path}/profile${more}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json<{ result: DatasetProfile }>().result
  }

  it('counts all columns in one statement and the bars in another, and is cached', async () => {
    const before = cars.runs()
    const { row_count, columns } = await profile('admin', '?force=true')
    expect(cars.runs() - before).toBe(2)
    expect(row_count).toBe(406)
    const of = (name: string) => columns.find(({ column_name }) => column_name === name)
    expect(of('Origin')).toMatchObject({ nulls: 0, distinct: 3, min: 'Europe', max: 'USA', bars: [], error: null })
    const power = of('Horsepower')
    expect(power).toMatchObject({ nulls: 6, min: 46, max: 230 })
    expect(power?.bars).toHaveLength(12)
    expect(power?.bars.reduce((sum, { count }) => sum + count, 0)).toBe(400)
    const year = of('Year')
    expect(year?.bars.reduce((sum, { count }) => sum + count, 0)).toBe(406)
    expect(year?.min).toBe(Date.UTC(1970, 0, 1))
    await profile('admin')
    expect(cars.runs() - before).toBe(2)
  })

  it('counts distinct values exactly for few rows, where the engine estimates them first', async () => {
    const { columns } = await profile('admin', '?force=true')
    const names = columns.map(({ column_name }) => column_name)
    const metric = (column_name: string) => ({
      expressionType: 'SIMPLE',
      column: { column_name },
      aggregate: 'COUNT_DISTINCT',
      label: column_name,
    })
    const counted = await as('admin').post('/api/v1/chart/data', {
      datasource: { id: cars.dataset, type: 'table' },
      queries: [{ columns: [], metrics: names.map(metric) }],
    })
    expect(counted.statusCode, counted.body).toBe(200)
    const [exact] = counted.json<{ result: { data: Record<string, number>[] }[] }>().result[0]?.data ?? []
    expect(Object.fromEntries(columns.map(({ column_name, distinct }) => [column_name, distinct]))).toEqual(exact)
    expect(columns.filter(({ distinct_is_near }) => distinct_is_near)).toEqual([])
  })

  it('has one bar per value for few integers', async () => {
    const { columns } = await profile('admin')
    const cylinders = columns.find(({ column_name }) => column_name === 'Cylinders')
    expect(cylinders?.bars.map(({ from, to }) => [from, to])).toEqual([3, 4, 5, 6, 7, 8].map((n) => [n, n]))
  })

  it('covers only rows that the user may read, and an error affects only its own column', async () => {
    await addRowLevelSecurityRule(db(), cars.dataset, 'Alpha', "Origin = 'Japan'")
    cars.server.app.authenticator.forget()
    const columns = [...(await columnsNow()), { column_name: 'broken', expression: 'CAST(Name AS INTEGER)' }]
    const saved = await as('alpha').put(path, { columns })
    expect(saved.statusCode, saved.body).toBe(200)
    const mine = await profile('alpha')
    const whole = await profile('admin')
    expect([mine.row_count, whole.row_count]).toEqual([79, 406])
    const origin = mine.columns.find(({ column_name }) => column_name === 'Origin')
    expect(origin).toMatchObject({ distinct: 1, min: 'Japan', max: 'Japan' })
    expect(mine.columns.find(({ column_name }) => column_name === 'broken')?.error).toBeTruthy()
  })
})
