import { buildQueryContext, loadStoredForm } from '@parquetry/charts'
import { createMessageReader } from '@parquetry/frame'
import { AppError, englishTranslator, framesType, type AnnotationResults, type QueryHead } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant } from '../security/grants.ts'
import { formatLayerError } from './annotations.ts'
import { startCarsServer, type CarsServer } from './testing.ts'

let cars: CarsServer
let layer: number
let line: number
let annotated: number
beforeAll(async () => {
  cars = await startCarsServer()
  layer = await createObject('/api/v1/annotation_layer/', { name: 'Oil' })
  await createObject(`/api/v1/annotation_layer/${layer}/annotation/`, {
    short_descr: 'Crisis',
    long_descr: 'An embargo',
    start_dttm: '1973-10-17T00:00:00',
    end_dttm: '1974-03-18T00:00:00',
  })
  line = await chart('Power', { annotation_layers: [{ ...nativeLayer(), name: 'Own' }] })
  annotated = await chart('Annotated', { annotation_layers: JSON.stringify([nativeLayer(), chartLayer(line)]) })
  const { db } = cars.server.deps
  await grant(db, 'Gamma', ['datasource_access', `[d].[cars](id:${cars.dataset})`])
})
afterAll(() => cars.close())

async function createObject(path: string, body: object): Promise<number> {
  const response = await cars.server.as('admin').post(path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}
const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
const power = {
  expressionType: 'SIMPLE',
  aggregate: 'AVG',
  column: { column_name: 'Horsepower' },
  label: 'power',
}
const chart = (slice_name: string, params: object): Promise<number> =>
  createObject('/api/v1/chart/', {
    slice_name,
    viz_type: 'echarts_timeseries_line',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({
      x_axis: 'Year',
      granularity_sqla: 'Year',
      time_grain_sqla: 'P1Y',
      metrics: [power],
      ...params,
    }),
  })

const visible = { show: true, showMarkers: false }
const nativeLayer = (value: unknown = layer) => ({
  ...visible,
  name: 'Crises',
  annotationType: 'INTERVAL',
  sourceType: 'NATIVE',
  value,
})
const chartLayer = (value: unknown, overrides = {}) => ({
  ...visible,
  name: 'Power',
  annotationType: 'TIME_SERIES',
  sourceType: 'line',
  value,
  overrides,
})

async function requestLayers(layers: object[], { as = 'admin', accept = framesType, slice_id = 0, headers = {} } = {}) {
  const body = {
    datasource: { id: cars.dataset, type: 'table' },
    queries: [{ columns: ['Origin'], metrics: [count], annotation_layers: layers }],
    form_data: { slice_id },
  }
  return cars.server.as(as as 'admin').send('POST', '/api/v1/chart/data', {
    payload: JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept, ...headers },
  })
}
const readHead = (raw: Buffer): QueryHead =>
  createMessageReader()
    .push(raw)
    .map(({ head }) => head as unknown as QueryHead)
    .find(({ header }) => header)!
async function fetchAnnotations(...args: Parameters<typeof requestLayers>): Promise<AnnotationResults> {
  const response = await requestLayers(...args)
  expect(response.statusCode, response.body).toBe(200)
  return readHead(response.rawPayload).annotations!
}

const crisis = {
  start_dttm: Date.UTC(1973, 9, 17),
  end_dttm: Date.UTC(1974, 2, 18),
  short_descr: 'Crisis',
  long_descr: 'An embargo',
  json_metadata: null,
}

describe('annotation layers of a chart', () => {
  it('CHART-030: native layers return the stored annotations in the columns of the API', async () => {
    const { data } = await fetchAnnotations([nativeLayer()])
    expect(data).toEqual({
      Crises: {
        columns: ['start_dttm', 'end_dttm', 'short_descr', 'long_descr', 'json_metadata'],
        records: [crisis],
      },
    })
    const json = await requestLayers([nativeLayer(String(layer))], { accept: 'application/json' })
    expect(json.json<{ result: [{ annotation_data: object }] }>().result[0].annotation_data).toEqual(data)
  })

  it('CHART-022: layers of another chart return the rows of its query, without its own layers', async () => {
    const { data, errors } = await fetchAnnotations([chartLayer(line)])
    expect(data['Power']?.records[0]).toEqual({ Year: Date.UTC(1970, 0), power: expect.closeTo(148.857, 3) })
    expect(data['Power']?.records).toHaveLength(12)
    expect(errors).toEqual({})
  })

  it('time range, grain and shift of a layer can be overridden', async () => {
    const narrow = await fetchAnnotations([chartLayer(line, { time_range: '1971-01-01 : 1973-01-01' })])
    expect(narrow.data['Power']?.records.map(({ Year }) => Year)).toEqual([Date.UTC(1971, 0), Date.UTC(1972, 0)])
    const coarse = await fetchAnnotations([chartLayer(line, { time_grain_sqla: 'P1W', time_range: null })])
    expect(coarse.data['Power']?.records[0]?.['Year']).toBe(Date.UTC(1969, 11, 29))
    const range = { time_range: '1971-01-01 : 1972-01-01' }
    const plain = await fetchAnnotations([chartLayer(line, { time_range: '1970-01-01 : 1971-01-01' })])
    const shifted = await fetchAnnotations([chartLayer(line, { ...range, time_shift: '1 year' })])
    const [first] = plain.data['Power']?.records ?? []
    expect(shifted.data['Power']?.records).toEqual([{ Year: Date.UTC(1971, 0), power: first?.['power'] }])
    const open = await fetchAnnotations([chartLayer(line, { time_shift: '4 years' })])
    expect(open.data['Power']?.records).toHaveLength(12)
    expect(open.data['Power']?.records[0]).toEqual({ Year: Date.UTC(1974, 0), power: first?.['power'] })
    const invalid = await fetchAnnotations([chartLayer(line, { time_shift: 'long ago' })])
    expect(invalid.errors['Power']).toContain('ambiguous')
  })

  it('a layer can add filters, and returns the name of its chart', async () => {
    const japan = { clause: 'WHERE', expressionType: 'SIMPLE', subject: 'Origin', operator: '==', comparator: 'Japan' }
    const narrow = {
      adhoc_filters: [japan],
      filters: [
        { col: 'Cylinders', op: '==', val: 4 },
        { col: 'nope', op: '==', val: 1 },
      ],
    }
    const { data, errors } = await fetchAnnotations([chartLayer(line, narrow)])
    expect([errors, data['Power']?.slice_name]).toEqual([{}, 'Power'])
    const whole = (await fetchAnnotations([chartLayer(line)])).data['Power']?.records[0]
    expect(data['Power']?.records[0]?.['Year']).toBe(whole?.['Year'])
    expect(data['Power']?.records[0]?.['power']).not.toBe(whole?.['power'])
  })

  it('a multi-chart returns the charts that the user may see, and reports a missing one', async () => {
    const form = {
      viz_type: 'line_multi',
      datasource: `${cars.dataset}__table`,
      line_charts: [line],
      line_charts_2: [99_999],
    }
    const opened = (await loadStoredForm(form))!
    const context = buildQueryContext(opened.chart, opened.form)
    const response = await cars.server.as('gamma').send('POST', '/api/v1/chart/data', {
      payload: JSON.stringify(context),
      headers: { 'content-type': 'application/json', accept: framesType },
    })
    const { annotations, header } = readHead(response.rawPayload)
    expect(header.rowcount).toBe(1)
    expect(annotations?.data[`#${line}`]).toMatchObject({ slice_name: 'Power', records: expect.any(Array) as unknown })
    expect(annotations?.errors).toEqual({ '#99999': 'Error: The chart does not exist' })
  })

  it('regression: a map of several charts is not rejected because of the layers it requests', async () => {
    const opened = (await loadStoredForm({
      viz_type: 'deck_multi',
      datasource: `${cars.dataset}__table`,
      deck_slices: [line],
    }))!
    const response = await cars.server.as('gamma').send('POST', '/api/v1/chart/data', {
      payload: JSON.stringify(buildQueryContext(opened.chart, opened.form)),
      headers: { 'content-type': 'application/json', accept: framesType },
    })
    expect(response.statusCode, response.body).toBe(200)
    const { annotations } = readHead(response.rawPayload)
    expect(annotations?.data[line]).toMatchObject({ form_data: { viz_type: 'echarts_timeseries_line' } })
  })

  it('regression: layers of many rows neither fill the memory of the server nor block it', async () => {
    const label = 'x'.repeat(2000)
    const wide = await createObject('/api/v1/chart/', {
      slice_name: 'Wide',
      viz_type: 'table',
      datasource_id: cars.dataset,
      datasource_type: 'table',
      params: JSON.stringify({
        query_mode: 'raw',
        all_columns: Array.from({ length: 3 }, (_, index) => ({
          expressionType: 'SQL',
          sqlExpression: 'Name',
          label: label + index,
        })),
      }),
    })
    const layers = Array.from({ length: 6 }, (_, index) => ({ ...chartLayer(wide), name: `${index}` }))
    const { data, errors } = await fetchAnnotations([...layers, chartLayer(line)])
    // 2.5 MB each
    expect([Object.keys(errors).length, data['Power']?.records.length]).toEqual([3, expect.any(Number)])
    expect(errors[Object.keys(errors)[0]!]).toContain('Lower its row limit')
  })

  it('regression: the number of filters of a layer is limited', async () => {
    const filters = Array.from({ length: 1001 }, (_, index) => ({ col: 'Origin', op: '==', val: `x${index}` }))
    const response = await requestLayers([chartLayer(line, { filters })])
    expect([response.statusCode, response.body]).toEqual([
      400,
      expect.stringContaining('Longer than maximum length 1000.'),
    ])
    const adhoc_filters = Array.from({ length: 600 }, () => ({
      clause: 'WHERE',
      expressionType: 'SIMPLE',
      subject: 'Origin',
      operator: '==',
      comparator: 'USA',
    }))
    const both = { filters: filters.slice(0, 600), adhoc_filters }
    expect((await fetchAnnotations([chartLayer(line, both)])).errors).toEqual({
      Power: 'A query can have up to 1,000 filters.',
    })
  })

  it('CHART-023: a failing layer has its own error; the other layers and the chart are returned', async () => {
    const response = await requestLayers([
      nativeLayer(),
      { ...nativeLayer(99_999), name: 'Gone' },
      { ...chartLayer(99_999), name: 'Lost' },
    ])
    const { annotations, header } = readHead(response.rawPayload)
    expect(header.rowcount).toBe(3)
    expect(Object.keys(annotations!.data)).toEqual(['Crises'])
    expect(annotations!.errors).toEqual({
      Gone: 'Error: The annotation layer does not exist',
      Lost: 'Error: The chart does not exist',
    })
  })

  it('JSON requests fail as a whole, as in the API', async () => {
    const response = await requestLayers([chartLayer(99_999)], { accept: 'application/json' })
    expect([response.statusCode, response.json()]).toEqual([400, { message: 'Error: The chart does not exist' }])
  })

  it('CHART-028: a layer of a chart without rows is not an error', async () => {
    const { data, errors } = await fetchAnnotations([chartLayer(line, { time_range: '1950-01-01 : 1951-01-01' })])
    expect([data['Power']?.records, errors]).toEqual([[], {}])
  })

  it('CHART-032, CHART-036: `force` on a layer reruns only that layer', async () => {
    await fetchAnnotations([chartLayer(line)])
    const runsOf = async (layers: object[]) => {
      const before = cars.runs()
      await fetchAnnotations(layers)
      return cars.runs() - before
    }
    expect(await runsOf([chartLayer(line)])).toBe(0)
    expect(await runsOf([{ ...chartLayer(line), force: true }])).toBe(1)
  })

  it('a response from the cache is complete or empty', async () => {
    const headers = { 'cache-control': 'only-if-cached' }
    const statusFromCache = async (overrides: object) =>
      (await requestLayers([chartLayer(line, overrides)], { headers })).statusCode
    await fetchAnnotations([chartLayer(line, { time_range: '1972-01-01 : 1974-01-01' })])
    expect(await statusFromCache({ time_range: '1972-01-01 : 1974-01-01' })).toBe(200)
    expect(await statusFromCache({ time_range: '1972-01-01 : 1975-01-01' })).toBe(204)
  })

  it('CHART-024 to CHART-026: reports timeouts and network errors in the texts of the API', () => {
    expect(formatLayerError(new AppError('query_timeout'), englishTranslator)).toBe('Query timeout')
    expect(formatLayerError(new AppError('query_failed', { message: '' }), englishTranslator)).toBe('Network error.')
    expect(cars.server.deps.settings.config.SUPERSET_WEBSERVER_TIMEOUT).toBe(60)
  })

  it('a layer can be named `__proto__`', async () => {
    const { data } = await fetchAnnotations([{ ...nativeLayer(), name: '__proto__' }])
    expect(Object.keys(data)).toEqual(['__proto__'])
  })

  it('formulas are not queried', async () => {
    const formula = { ...visible, name: 'F', annotationType: 'FORMULA', value: 'x*2' }
    expect(readHead((await requestLayers([formula])).rawPayload).annotations).toBeUndefined()
  })
})

describe('permissions', () => {
  it('annotations are readable with the permission, or on a chart saved with their layer', async () => {
    const annotationsOn = (slice_id: number) => fetchAnnotations([nativeLayer()], { as: 'gamma', slice_id })
    expect((await annotationsOn(0)).errors).toEqual({ Crises: 'Error: The annotation layer does not exist' })
    expect((await annotationsOn(line + 1000)).data).toEqual({})
    expect((await annotationsOn(annotated)).data['Crises']?.records).toEqual([crisis])
  })

  it('CHART-023: a chart whose data the user may not read fails only its own layer', async () => {
    const { db } = cars.server.deps
    const row = await db.selectFrom('dataset').selectAll().where('id', '=', cars.dataset).executeTakeFirstOrThrow()
    const { id: _, ...copy } = row
    const other = await db
      .insertInto('dataset')
      .values({ ...copy, table_name: 'secret', uuid: crypto.randomUUID() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const secret = await createObject('/api/v1/chart/', {
      slice_name: 'Secret',
      viz_type: 'table',
      datasource_id: other.id,
      datasource_type: 'table',
      params: JSON.stringify({ query_mode: 'raw', all_columns: ['Year'] }),
    })
    const { data, errors } = await fetchAnnotations([chartLayer(line), { ...chartLayer(secret), name: 'Secret' }], {
      as: 'gamma',
    })
    expect(Object.keys(data)).toEqual(['Power'])
    expect(Object.keys(errors)).toEqual(['Secret'])
  })

  it('regression: charts without queries, or of unsupported types, hide their name and type from users who may not see them', async () => {
    const { db } = cars.server.deps
    const { id } = await db
      .selectFrom('dataset')
      .select('id')
      .where('table_name', '=', 'secret')
      .executeTakeFirstOrThrow()
    const createHiddenChart = (overrides: object) =>
      createObject('/api/v1/chart/', {
        slice_name: 'Mergers of 2027',
        viz_type: 'unsupported_type',
        datasource_id: id,
        datasource_type: 'table',
        ...overrides,
      })
    const query_context = JSON.stringify({ datasource: { id, type: 'table' }, queries: [] })
    for (const secret of [await createHiddenChart({ query_context }), await createHiddenChart({})]) {
      const { data, errors } = await fetchAnnotations([chartLayer(secret)], { as: 'gamma' })
      expect(data).toEqual({})
      expect(errors['Power']).toContain('datasource_access')
    }
  })
})

it('a dashboard returns the layers of its charts for its own time range', async () => {
  const dashboard = await createObject('/api/v1/dashboard/', {
    dashboard_title: 'Timed',
    json_metadata: JSON.stringify({
      native_filter_configuration: [
        {
          id: 'NATIVE_FILTER-t',
          type: 'NATIVE_FILTER',
          filterType: 'filter_time',
          scope: { rootPath: ['ROOT_ID'], excluded: [] },
        },
      ],
    }),
  })
  const here = await chart('Here', { annotation_layers: [nativeLayer(), chartLayer(line, { time_range: null })] })
  await cars.server.as('admin').put(`/api/v1/chart/${here}`, { dashboards: [dashboard] })
  const response = await cars.server.as('admin').post(`/api/v1/dashboard/${dashboard}/data`, {
    charts: [{ id: here }],
    data_mask: { 'NATIVE_FILTER-t': { extraFormData: { time_range: '1971-01-01 : 1972-01-01' } } },
  })
  const { annotations, header } = readHead(response.rawPayload)
  expect(header.rowcount).toBe(1)
  expect(annotations?.data['Crises']?.records).toEqual([crisis])
  expect(annotations?.data['Power']?.records.map(({ Year }) => Year)).toEqual([Date.UTC(1971, 0)])
})
