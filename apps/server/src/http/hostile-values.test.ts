import { encodeRison, errorCodes, ListQuery, type RouteContract } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { defaultFlags } from '../settings/config.ts'
import { testStores } from '../testing.ts'
import { undocumentedErrors } from './check-answers.testing.ts'
import { createSample, type JsonValue, type Schema } from './sample-value.testing.ts'

const hostileValues: JsonValue[] = [null, 'a\0b', { a: 1, toString: 1 }, [[1]]]
const hostileNumbers: JsonValue[] = [...hostileValues, -1, 1.5, 1e17, 1e30, -2.9e238, 'text']
/** Values sent instead of a scalar. */
const hostileFor = (scalar: JsonValue): JsonValue[] => (typeof scalar === 'number' ? hostileNumbers : hostileValues)
/** Values in documents that are stored as texts, which are read by several calls each. */
const hostileInTexts = (): JsonValue[] => [null, { a: 1, toString: 1 }]
const hostileTexts = ['-1', '1.5', '1'.repeat(17), '1e30', '9'.repeat(400), 'text', 'a\0b', '{"a":1}', '!(!(1))']

/** Yields the value with each part of it replaced, one at a time, and the path and the new value of that part. */
function* withHostileParts(
  value: JsonValue,
  instead: (scalar: JsonValue) => JsonValue[],
  place = '',
): Generator<[change: string, value: JsonValue]> {
  const isScalar = typeof value !== 'object' || value === null
  for (const other of isScalar ? instead(value) : [null, 'text']) yield [`${place} ${JSON.stringify(other)}`, other]
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const [change, one] of withHostileParts(item, instead, `${place}/${at}`)) yield [change, value.with(at, one)]
  } else if (!isScalar)
    for (const [key, item] of Object.entries(value))
      for (const [change, one] of withHostileParts(item, instead, `${place}/${key}`))
        yield [change, { ...value, [key]: one }]
}

/** Yields the value with each of its lists extended to `length`, one at a time, and the path of that list. */
function* withLongLists(value: JsonValue, length: number, place = ''): Generator<[place: string, value: JsonValue]> {
  if (Array.isArray(value)) {
    const [item = null] = value
    yield [place, Array.from({ length }, (_, index) => createVariant(item, index + 1))]
    for (const [where, one] of withLongLists(item, length, `${place}/0`)) yield [where, value.with(0, one)]
  } else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value))
      for (const [where, one] of withLongLists(item, length, `${place}/${key}`)) yield [where, { ...value, [key]: one }]
}

/** Returns a distinct item of the same kind for each number. */
function createVariant(item: JsonValue, number: number): JsonValue {
  if (typeof item === 'number') return number
  if (typeof item === 'string') return `${item}${number}`
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  const [first] = Object.entries(item)
  return first ? { ...item, [first[0]]: createVariant(first[1], number) } : item
}

const metric = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
const filter = (col: string, op: string, val: JsonValue): JsonValue => ({
  columns: ['Origin'],
  metrics: [metric],
  filters: [{ col, op, val }],
})
const step = (operation: string, options: JsonValue, columns: JsonValue[] = ['Origin']): JsonValue => ({
  columns,
  metrics: [metric],
  post_processing: [{ operation, options }],
})
const questions: JsonValue[] = [
  { columns: ['Origin'], metrics: [metric], row_limit: 5, row_offset: 1, series_columns: ['Origin'], series_limit: 2 },
  filter('Cylinders', '>', 4),
  filter('Cylinders', 'IN', [4]),
  filter('Year', '>', 4),
  filter('Origin', '==', 4),
  step('diff', { columns: { n: 'd' }, periods: 1 }),
  step('rolling', { rolling_type: 'mean', window: 2, min_periods: 1, columns: { n: 'r' } }),
  step('rolling', {
    rolling_type: 'quantile',
    window: 2,
    rolling_type_options: { quantile: 0.5 },
    columns: { n: 'r' },
  }),
  step('compare', { source_columns: ['n'], compare_columns: ['n'], compare_type: 'ratio', precision: 2 }),
  step('boxplot', { groupby: ['Origin'], metrics: ['n'], whisker_type: 'percentile', percentiles: [5, 95] }),
  step('histogram', { column: 'n', groupby: [], bins: 3 }),
  step('aggregate', { groupby: ['Origin'], aggregates: { n: { operator: 'percentile', options: { q: 50 } } } }),
  step('prophet', { time_grain: 'P1Y', periods: 2, confidence_interval: 0.8, yearly_seasonality: 3, index: 'Year' }, [
    'Year',
  ]),
  step('resample', { rule: '1D', method: 'asfreq', fill_value: 1 }, ['Year']),
  {
    columns: ['Origin', 'Cylinders'],
    metrics: [metric],
    post_processing: [
      {
        operation: 'pivot',
        options: {
          index: ['Origin'],
          columns: ['Cylinders'],
          aggregates: { n: { operator: 'mean' } },
          metric_fill_value: 1,
        },
      },
      { operation: 'flatten', options: { drop_levels: [0] } },
    ],
  },
]
const onCars = { datasource: { id: 1, type: 'table' } }
const ofOrigin = { filters: [{ col: 'Origin', op: 'IN', val: ['Japan'] }] }
const dataMask = {
  'NATIVE_FILTER-a': {
    id: 'NATIVE_FILTER-a',
    extraFormData: { ...ofOrigin, time_range: '1970 : 1980', granularity_sqla: 'Year', time_grain_sqla: 'P1Y' },
    filterState: { value: ['Japan'], label: 'Japan' },
    ownState: { search: 'a' },
  },
}
/** Form of a chart. */
const form: Record<string, JsonValue> = {
  viz_type: 'table',
  datasource: '1__table',
  slice_id: 1,
  metrics: [metric, 'count'],
  groupby: ['Origin'],
  adhoc_filters: [
    { clause: 'WHERE', expressionType: 'SIMPLE', subject: 'Origin', operator: 'IN', comparator: ['Japan'] },
    { clause: 'WHERE', expressionType: 'SQL', sqlExpression: 'Cylinders > 1' },
  ],
  time_range: '1970 : 1980',
  granularity_sqla: 'Year',
  time_grain_sqla: 'P1Y',
  row_limit: 10,
  order_desc: true,
  time_compare: ['1 year ago'],
  url_params: { a: 'b' },
  extra_form_data: ofOrigin,
  annotation_layers: [
    { name: 'a', annotationType: 'FORMULA', value: '1', show: true, style: 'solid' },
    { name: 'b', annotationType: 'EVENT', sourceType: 'NATIVE', value: 1, show: true, overrides: { time_range: null } },
  ],
}
const scope = { rootPath: ['ROOT_ID'], excluded: [2] }
const metadata: JsonValue = {
  native_filter_configuration: [
    {
      id: 'NATIVE_FILTER-a',
      name: 'A',
      type: 'NATIVE_FILTER',
      filterType: 'filter_select',
      targets: [{ datasetId: 1, column: { name: 'Origin' } }],
      scope,
      chartsInScope: [1],
      cascadeParentIds: ['NATIVE_FILTER-b'],
      defaultDataMask: dataMask['NATIVE_FILTER-a'],
      controlValues: { enableEmptyFilter: true, sortMetric: 'count' },
      adhoc_filters: form['adhoc_filters'] ?? [],
      time_range: '1970 : 1980',
    },
  ],
  chart_configuration: { 1: { id: 1, crossFilters: { scope, chartsInScope: [1] } } },
  global_chart_configuration: { scope, chartsInScope: [1] },
  default_filters: '{"1":{"Origin":["Japan"]}}',
  filter_scopes: { 1: { Origin: { scope: ['ROOT_ID'], immune: [2] } } },
  expanded_slices: { 1: true },
  timed_refresh_immune_slices: [1],
  color_scheme: 'supersetColors',
  label_colors: { Japan: '#ffffff' },
  shared_label_colors: ['Japan'],
  refresh_frequency: 10,
  cross_filters_enabled: true,
  filter_bar_orientation: 'VERTICAL',
}
const node = (type: string, id: string, children: string[], meta: JsonValue = {}) => ({
  [id]: { type, id, children, parents: ['ROOT_ID'], meta },
})
const positions: JsonValue = {
  DASHBOARD_VERSION_KEY: 'v2',
  ...node('ROOT', 'ROOT_ID', ['GRID_ID']),
  ...node('GRID', 'GRID_ID', ['ROW-1']),
  ...node('ROW', 'ROW-1', ['CHART-1', 'MARKDOWN-1'], { background: 'BACKGROUND_TRANSPARENT' }),
  ...node('CHART', 'CHART-1', [], { chartId: 1, width: 4, height: 50, sliceName: 'c', uuid: 'u' }),
  ...node('MARKDOWN', 'MARKDOWN-1', [], { code: 'text', width: 4, height: 50 }),
}
const context: JsonValue = {
  ...onCars,
  queries: [questions[0]!],
  form_data: form,
  result_format: 'json',
  result_type: 'full',
}

/** Documents that are stored as texts, by the call that stores them, and the calls that read them afterwards. */
const textDocuments: [
  put: string,
  field: string,
  document: JsonValue,
  reads: (string | [path: string, body: JsonValue])[],
][] = [
  [
    '/api/v1/chart/1',
    'params',
    form,
    [
      '/api/v1/chart/1',
      '/api/v1/chart/1/data/',
      '/api/v1/explore/?slice_id=1',
      '/api/v1/chart/export/?q=!(1)',
      '/api/v1/chart/1/versions/',
      '/api/v1/dashboard/1/charts',
      ['/api/v1/dashboard/1/data', { charts: [{ id: 1 }], data_mask: dataMask }],
    ],
  ],
  [
    '/api/v1/chart/1',
    'query_context',
    context,
    ['/api/v1/chart/1', '/api/v1/chart/1/data/', '/api/v1/chart/export/?q=!(1)'],
  ],
  [
    '/api/v1/dashboard/1',
    'json_metadata',
    metadata,
    [
      '/api/v1/dashboard/1',
      '/api/v1/dashboard/1/charts',
      '/api/v1/dashboard/1/datasets',
      '/api/v1/dashboard/1/versions/',
      '/api/v1/dashboard/export/?q=!(1)',
      ['/api/v1/dashboard/1/data', { charts: [{ id: 1 }], data_mask: dataMask }],
      ['/api/v1/dashboard/1/copy/', { dashboard_title: 'copy', json_metadata: '{}', duplicate_slices: true }],
    ],
  ],
  [
    '/api/v1/dashboard/1',
    'position_json',
    positions,
    [
      '/api/v1/dashboard/1',
      '/api/v1/dashboard/1/charts',
      '/api/v1/dashboard/1/tabs',
      '/api/v1/dashboard/1/versions/',
      '/api/v1/dashboard/export/?q=!(1)',
      ['/api/v1/dashboard/1/data', { charts: [{ id: 1 }] }],
    ],
  ],
  [
    '/api/v1/dataset/1',
    'extra',
    { certification: { certified_by: 'a', details: 'b' }, warning_markdown: 'c' },
    ['/api/v1/dataset/1', '/api/v1/dataset/', '/api/v1/explore/?datasource_type=table&datasource_id=1'],
  ],
  [
    '/api/v1/dataset/1',
    'template_params',
    { a: 'b', c: 1 },
    ['/api/v1/dataset/1', ['/api/v1/chart/data', { ...onCars, queries: [questions[0]!] }]],
  ],
]
/** Bodies for contracts with an open schema. */
const documents: Record<string, JsonValue[]> = {
  'POST /api/v1/chart/data': [
    { ...onCars, queries: [], custom_cache_timeout: 10, form_data: { slice_id: 1, dashboardId: 1 } },
    ...questions.map((query) => ({ ...onCars, queries: [query] })),
  ],
  'POST /api/v1/explore/permalink': [{ formData: form, urlParams: [['a', 'b']] }],
  'POST /api/v1/dashboard/1/permalink': [
    { dataMask, activeTabs: ['TAB-1'], anchor: 'TAB-1', urlParams: [['a', 'b']], chartStates: { 1: { a: 1 } } },
  ],
  'POST /api/v1/dashboard/1/data': [{ charts: [{ id: 1, form_data: form, state: { a: 1 } }], data_mask: dataMask }],
}
/** Field values for forms, sent as JSON text. */
const forms: Record<string, JsonValue> = {
  'POST /tabstateview/': { queryEditor: { dbId: 1, name: 't', sql: 'SELECT 1', queryLimit: 10, remoteId: 1 } },
  'PUT /tabstateview/:id': { database_id: 1, query_limit: 5, saved_query_id: 1, version: 1 },
  'POST /tableschemaview/': { table: { queryEditorId: 1, dbId: 1, name: 'cars' } },
  'POST /superset/validate_sql_json/': { database_id: 1, sql: 'SELECT 1' },
  'POST /superset/sqllab_viz/': { data: { dbId: 1, datasourceName: 'v', sql: 'SELECT 1' } },
  'POST /superset/get_or_create_table/': { data: { dbId: 1, datasourceName: 'cars' } },
  'POST /savedqueryviewapi/api/create': { db_id: 1, label: 's', sql: 'SELECT 1' },
}
const formatRoute = ({ method, path }: RouteContract): string => `${method} ${path}`
/** A response that reports a failure of the server, also for one chart of a dashboard. */
const isFailure = ({ statusCode, body }: { statusCode: number; body: string }): boolean =>
  statusCode >= 500 || body.includes(errorCodes.internal.message)

interface Request {
  method: string
  path: string
  /** Position and value of the hostile part. */
  with: string
  body?: string
  type?: string
}

const buildPath = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '1'))

type Content = Pick<Request, 'body' | 'type'>

const buildContent = ({ body }: RouteContract, value: JsonValue): Content =>
  body === 'form'
    ? {
        body: new URLSearchParams(
          Object.entries(Object(value) as object).map(
            ([field, one]) => [field, JSON.stringify(one)] as [string, string],
          ),
        ).toString(),
        type: 'application/x-www-form-urlencoded',
      }
    : { body: JSON.stringify(value), type: 'application/json' }

/** Bodies for a contract: documents from above where its schema is open, otherwise one generated from the schema. */
function buildBodies(contract: RouteContract): JsonValue[] {
  const name = formatRoute(contract).replace(':id', '1')
  const plain =
    forms[formatRoute(contract)] ??
    (typeof contract.body === 'object' ? createSample(contract.body as Schema) : undefined)
  return documents[name] ?? (plain === undefined ? [] : [plain])
}

/** Yields requests of a contract with one list of the body extended to `length`. */
function* generateLongRequests(contract: RouteContract, length: number): Generator<Request> {
  const { method } = contract
  const path = buildPath(contract.path, {})
  for (const body of buildBodies(contract))
    for (const [place, one] of withLongLists(body, length))
      yield { method, path, with: `body${place}`, ...buildContent(contract, one) }
}

/** Yields requests of a contract with one unexpected value in its body or `q`, or one unexpected text in the URL. */
function* generateRequests(contract: RouteContract): Generator<Request> {
  const { method, params, query, rison } = contract
  const fields = (schema: unknown) => Object.entries((schema as Schema | undefined)?.properties ?? {})
  const path = buildPath(contract.path, {})
  const bodies = buildBodies(contract)
  const [first] = bodies
  const content = first === undefined ? {} : buildContent(contract, first)
  const search = new URLSearchParams(
    fields(query).map(([field, one]) => [field, String(createSample(one))] as [string, string]),
  )
  const q = rison ? encodeRison(createSample(rison as Schema)) : undefined
  const address = (at: string, more: Record<string, string> = {}): string => {
    const all = new URLSearchParams(search)
    if (q !== undefined) all.set('q', q)
    for (const [field, value] of Object.entries(more)) all.set(field, value)
    return all.size === 0 ? at : `${at}?${all.toString()}`
  }
  for (const text of hostileTexts) {
    for (const [field] of fields(params))
      yield { method, path: address(buildPath(contract.path, { [field]: text })), with: `${field} ${text}`, ...content }
    for (const [field] of fields(query)) {
      yield { method, path: address(path, { [field]: text }), with: `${field} ${text}`, ...content }
      const twice = `${address(path, { [field]: text })}&${field}=1`
      yield { method, path: twice, with: `${field} twice, ${text}`, ...content }
    }
  }
  if (rison)
    for (const [change, one] of withHostileParts(createSample(rison as Schema), hostileFor))
      yield { method, path: address(path, { q: JSON.stringify(one) }), with: `q${change}`, ...content }
  for (const given of bodies)
    for (const [change, one] of withHostileParts(given, hostileFor))
      yield { method, path: address(path), with: `body${change}`, ...buildContent(contract, one) }
}

describe.each(testStores)('hostile values on %s', (_name, store) => {
  let cars: CarsServer
  beforeAll(async () => {
    // Other test files run in this process, too.
    undocumentedErrors.clear()
    cars = await startCarsServer({ store, settings: { flags: { ...defaultFlags, DYNAMIC_PLUGINS: true } } })
    const admin = cars.server.as('admin')
    for (const [resource, body] of Object.entries({
      chart: { slice_name: 'c', datasource_id: cars.dataset, datasource_type: 'table', viz_type: 'table' },
      dashboard: { dashboard_title: 'd' },
      saved_query: { label: 's', sql: 'select 1', db_id: 1 },
      css_template: { template_name: 't', css: '' },
      theme: { theme_name: 't', json_data: '{}' },
      tag: { name: 't' },
      annotation_layer: { name: 'l' },
      rowlevelsecurity: { name: 'r', filter_type: 'Base', tables: [cars.dataset], roles: [1], clause: '1 = 1' },
      report: { type: 'Report', name: 'r', crontab: '0 9 * * *', dashboard: 1 },
      'security/groups': { name: 'g' },
      'security/user_registrations': { username: 'r', first_name: 'r', last_name: 'r', email: 'r@example.com' },
    }))
      expect((await admin.post(`/api/v1/${resource}/`, body)).statusCode).toBe(201)
  })
  afterAll(() => cars.close())

  const send = ({ method, path, body, type }: Request) =>
    cars.server
      .as('admin')
      .send(method, path, body === undefined ? {} : { payload: body, headers: { 'content-type': String(type) } })
  /** All values on SQLite, and every fourth on PostgreSQL, which only refuses other values in its columns. */
  function* sampled<T>(all: Iterable<T>): Generator<T> {
    let at = 0
    for (const one of all) if (store === 'sqlite' || at++ % 4 === 0) yield one
  }
  const statusOf = async (request: Request): Promise<number> => (await send(request)).statusCode

  it('regression: unexpected values for each part of each contract never cause a 5xx', async () => {
    const failed: unknown[] = []
    for (const contract of cars.server.app.contracts) {
      if (contract.isEndless) continue
      for (const request of sampled(generateRequests(contract))) {
        const response = await send(request)
        if (isFailure(response)) failed.push([response.statusCode, formatRoute(contract), request.with])
      }
    }
    expect(failed).toEqual([])
  }, 240_000)

  it('every error of the calls above has a status of the OpenAPI document', () => {
    expect([...undocumentedErrors].toSorted()).toEqual([])
  })

  it('accepts the unchanged documents that the test above modifies', async () => {
    for (const [name, bodies] of Object.entries(documents))
      for (const body of bodies) {
        const [method = '', path = ''] = name.split(' ')
        const options = { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        const response = await cars.server.as('admin').send(method, path, options)
        expect(response.statusCode, `${JSON.stringify(body)}: ${response.body}`).toBeLessThan(300)
      }
  })

  it('regression: no number in a list filter causes a 5xx', async () => {
    const failed: unknown[] = []
    const lists = cars.server.app.contracts.filter(({ path, rison }) => path.endsWith('/') && rison === ListQuery)
    for (const { path } of lists) {
      const { filters = {} } = (await cars.server.as('admin').get(`${path}_info`)).json<{
        filters?: Record<string, { operator: string }[]>
      }>()
      const ofLog =
        path === '/api/v1/log/' ? ['user_id', 'dttm', 'user'].map((col) => [col, numberOperators] as const) : []
      for (const [col, operators] of [...Object.entries(filters), ...ofLog])
        for (const { operator: opr } of [...operators, { operator: 'in' }, { operator: 'not_in' }])
          for (const value of [1.5, -2.9e238, [1e30]]) {
            const q = JSON.stringify({ filters: [{ col, opr, value }] })
            const status = await statusOf({ method: 'GET', path: `${path}?q=${encodeURIComponent(q)}`, with: '' })
            if (status >= 500) failed.push([status, path, col, opr, value])
          }
    }
    expect(lists.length).toBeGreaterThan(7)
    expect(failed).toEqual([])
  }, 120_000)

  it('compares with numbers that no column can hold', async () => {
    const countOf = async (opr: string, value: number) => {
      const q = JSON.stringify({ filters: [{ col: 'id', opr, value }] })
      const response = await cars.server.as('admin').get(`/api/v1/chart/?q=${encodeURIComponent(q)}`)
      return response.json<{ count: number }>().count
    }
    const all = await countOf('gt', -1)
    expect(all).toBeGreaterThan(0)
    expect(await Promise.all([0.5, -1e30].map((value) => countOf('gt', value)))).toEqual([all, all])
    expect(await Promise.all([0.5, 1e30].map((value) => countOf('lt', value)))).toEqual([0, all])
    expect(await Promise.all([0.5, 1e30].map((value) => countOf('eq', value)))).toEqual([0, 0])
    expect(await Promise.all([0.5, 1e30].map((value) => countOf('neq', value)))).toEqual([all, all])
  })

  it('regression: a page past the end is empty, regardless of its number', async () => {
    for (const page of [1e6, Number.MAX_SAFE_INTEGER]) {
      const response = await cars.server.as('admin').get(`/api/v1/chart/?q=(page:${page},page_size:100)`)
      expect([response.statusCode, response.json()]).toMatchObject([200, { count: 1, ids: [], result: [] }])
    }
  })

  it('regression: queries updated since times outside of the date range', async () => {
    for (const since of ['-2.9e238', '1e17', '8640000000000001', '-1.5'])
      for (const path of [`/api/v1/query/updated_since?q=(last_updated_ms:${since})`, `/superset/queries/${since}`])
        expect([path, (await cars.server.as('admin').get(path)).statusCode]).toEqual([path, 200])
  })

  it('regression: no number in an event prevents it or others from being logged', async () => {
    const numbers = ['1', '-1', '1.5', '1e17', '1e30', '1e999', '-2.9e238', '"text"', 'null']
    const events = numbers.flatMap((number) =>
      ['source_id', 'slice_id', 'duration'].map(
        (field) => `{"event_name":"sent","source":"slice","${field}":${number}}`,
      ),
    )
    const sent = await cars.server.as('admin').send('POST', '/superset/log/?explode=events', {
      payload: new URLSearchParams({ events: `[${events.join(',')}]` }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(sent.statusCode).toBe(200)
    await cars.server.app.audit.flush()
    const kept = await cars.server.deps.db.selectFrom('log').select('id').where('action', '=', 'sent').execute()
    expect(kept).toHaveLength(events.length)
  })

  it('regression: numbers inside of texts in documents never cause a 5xx', async () => {
    const admin = cars.server.as('admin')
    const statuses: [string, number][] = []
    for (const number of ['1e30', '1.5', '-2.9e238', '9'.repeat(40)]) {
      const key = `${number}__table`
      const position = `{"CHART-1":{"type":"CHART","id":"CHART-1","children":[],"meta":{"chartId":${number}}}}`
      const answers = [
        await admin.get(`/superset/fetch_datasource_metadata?datasourceKey=${key}`),
        await admin.post('/api/v1/explore/permalink', { formData: { datasource: key, slice_id: 1 } }),
        await admin.get(`/api/v1/explore/?datasource_type=table&datasource_id=${number}`),
        await admin.get(`/api/v1/explore/?slice_id=${number}`),
        await admin.put('/api/v1/dashboard/1', { position_json: position }),
        await admin.put('/api/v1/dashboard/1', {
          json_metadata: `{"positions":${position},"refresh_frequency":${number}}`,
        }),
        await admin.put('/api/v1/chart/1', { params: `{"datasource":"${key}","slice_id":${number}}` }),
        await admin.post('/api/v1/chart/data', { datasource: { id: number, type: 'query' }, queries: [{}] }),
      ]
      for (const [at, { statusCode }] of answers.entries()) statuses.push([`${at} ${number}`, statusCode])
    }
    expect(statuses.filter(([, status]) => status >= 500)).toEqual([])
  })

  it('regression: unexpected values in documents that are stored as texts never cause a 5xx', async () => {
    const failed: unknown[] = []
    const admin = cars.server.as('admin')
    for (const [path, field, document, reads] of textDocuments) {
      const put = async (one: JsonValue) => (await admin.put(path, { [field]: JSON.stringify(one) })).statusCode
      expect([path, field, await put(document)]).toEqual([path, field, 200])
      for (const [change, one] of sampled(withHostileParts(document, hostileInTexts))) {
        const status = await put(one)
        if (status >= 500) failed.push([status, `PUT ${path}`, field + change])
        for (const read of status === 200 ? reads : []) {
          const response = await (typeof read === 'string' ? admin.get(read) : admin.post(read[0], read[1] as object))
          if (isFailure(response)) failed.push([response.statusCode, read, field + change])
        }
      }
      await put(document)
    }
    expect(failed).toEqual([])
  }, 240_000)

  it.each(['QUERY', 'PROPFIND', 'TRACE', 'SEARCH', 'LINK'])(
    'regression: %s is not served at any path',
    async (method) => {
      for (const path of ['/health', '/api/v1/chart/', '/superset/welcome/', '/nowhere'])
        for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-type': 'nonsense' }]) {
          const response = await cars.server.as('admin').send(method, path, { headers })
          expect([400, 404, 405, 415], `${method} ${path}`).toContain(response.statusCode)
        }
    },
  )

  it('never returns a 5xx for lists with more entries than a statement accepts values', async () => {
    const length = store === 'sqlite' ? 40_000 : 70_000
    const failed: unknown[] = []
    for (const contract of cars.server.app.contracts) {
      if (contract.reply === 'stream') continue
      for (const request of generateLongRequests(contract, length)) {
        const status = await statusOf(request)
        if (status >= 500) failed.push([status, formatRoute(contract), request.with])
      }
    }
    expect(failed).toEqual([])
  }, 120_000)

  it('regression: refuses a q with more entries than a statement accepts values, with a message', async () => {
    const ids = Array.from({ length: 70_000 }, (_, index) => index + 1)
    const q = (value: JsonValue) => `q=${encodeURIComponent(JSON.stringify(value))}`
    const admin = cars.server.as('admin')
    for (const [method, path] of [
      ['DELETE', `/api/v1/chart/?${q(ids)}`],
      ['GET', `/api/v1/dashboard/favorite_status/?${q(ids)}`],
      ['GET', `/api/v1/dataset/export/?${q(ids)}`],
      ['GET', `/api/v1/chart/?${q({ filters: [{ col: 'id', opr: 'in', value: ids }] })}`],
      ['GET', `/api/v1/chart/related/owners?${q({ include_ids: ids })}`],
    ] as const) {
      const response = await admin.send(method, path)
      expect([response.statusCode, response.body]).toEqual([
        413,
        expect.stringContaining('The parameter q must have at most'),
      ])
    }
  })

  it('regression: handles more ids than a statement accepts', async () => {
    const ids = Array.from({ length: 70_000 }, (_, index) => index + 1)
    const admin = cars.server.as('admin')
    const calls = [
      await admin.put('/api/v1/chart/1', { owners: ids }),
      await admin.put('/api/v1/chart/1', { dashboards: ids }),
      await admin.put('/api/v1/dashboard/1', { roles: ids }),
      await admin.put(`/api/v1/dataset/${cars.dataset}`, { owners: ids }),
      await admin.put(`/api/v1/dataset/${cars.dataset}`, {
        columns: ids.slice(0, 33_000).map((id) => ({ column_name: `c${id}` })),
      }),
      await admin.put(`/api/v1/dataset/${cars.dataset}`, {
        metrics: ids.slice(0, 33_000).map((id) => ({ metric_name: `m${id}`, expression: '1' })),
      }),
      await admin.put(`/api/v1/dataset/${cars.dataset}`, { columns: [], metrics: [] }),
    ]
    for (const { statusCode } of calls.slice(0, -1)) expect([400, 413, 422]).toContain(statusCode)
    expect(calls.at(-1)?.statusCode).toBe(200)
  })
})

const numberOperators = ['eq', 'neq', 'gt', 'lt', 'rel_o_m'].map((operator) => ({ operator }))
