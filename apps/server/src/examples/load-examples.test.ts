import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFolder } from '@parquetry/bundle'
import { buildDownloadContext, buildQueryContext, loadStoredForm, withFilters } from '@parquetry/charts'
import { createMessageReader } from '@parquetry/frame'
import { collectExtraFormData, type DataMask } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.ts'
import { start, type RunningServer } from '../start.ts'

const home = mkdtempSync(join(tmpdir(), 'parquetry-examples-'))
let server: RunningServer
let token: string

async function startAgain(env: Record<string, string> = {}) {
  const admin = { PARQUETRY_ADMIN_USERNAME: 'admin', PARQUETRY_ADMIN_PASSWORD: 'admin', PARQUETRY_LOG: 'silent' }
  server = await start(await readSettings({ ...admin, ...env }, { home, port: '0' }))
  const { access_token } = (await call('POST', '/api/v1/security/login', {
    username: 'admin',
    password: 'admin',
    provider: 'db',
  })) as { access_token: string }
  token = access_token
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a script would read them
const call = async (...args: Parameters<typeof send>): Promise<any> => (await send(...args)).json()

async function send(method: string, path: string, body?: object, bearer = token): Promise<Response> {
  const response = await fetch(server.url + path, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

const list = async (kind: string) => (await call('GET', `/api/v1/${kind}/?q=(page_size:100)`)).result

/** Polls the login page until the examples are no longer loading and returns their progress. */
async function waitUntilLoaded(): Promise<unknown> {
  for (;;) {
    const page = (await fetch(`${server.url}/login/`).then((response) => response.text())).replaceAll('&quot;', '"')
    const progressJson = /"examples":(\{[^}]*\})/.exec(page)?.[1]
    if (!progressJson) throw new Error('the page says nothing about the examples')
    const progress = JSON.parse(progressJson) as { state: string }
    if (progress.state !== 'loading') return progress
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

beforeAll(async () => {
  await startAgain()
  server.startBackgroundWork()
  expect(await waitUntilLoaded()).toEqual({ state: 'ready', done: 7, of: 7 })
}, 120_000)
afterAll(async () => {
  await server?.stop()
  rmSync(home, { recursive: true, force: true })
})

describe('the bundle', async () => {
  const { files: read } = await readFolder(fileURLToPath(new URL('../../examples/', import.meta.url)))
  const files = [...read]
  const of = (folder: string) => files.flatMap(([path, document]) => (path.startsWith(folder) ? [document] : []))

  it('has five dashboards and at least twenty charts, each placed on one dashboard', () => {
    const placed = of('dashboards/').flatMap(({ position }) =>
      Object.values(position as Record<string, { meta?: { uuid?: string } }>).flatMap(({ meta }) => meta?.uuid ?? []),
    )
    expect(of('dashboards/')).toHaveLength(5)
    expect(placed.length).toBeGreaterThanOrEqual(20)
    expect(placed.toSorted()).toEqual(
      of('charts/')
        .map(({ uuid }) => String(uuid))
        .toSorted(),
    )
  })

  it('regression: every chart of a dataset with a main time column uses the dashboard’s time range', () => {
    const mainTime = new Map(of('datasets/').map(({ uuid, main_dttm_col }) => [uuid, main_dttm_col]))
    for (const { slice_name, dataset_uuid, params } of of('charts/')) {
      const { adhoc_filters } = params as { adhoc_filters: { subject?: string; operator?: string }[] }
      const ranged = adhoc_filters.filter(({ operator }) => operator === 'TEMPORAL_RANGE').map(({ subject }) => subject)
      const main = mainTime.get(dataset_uuid)
      expect(ranged, String(slice_name)).toEqual(main ? [main] : [])
    }
  })

  it('regression: each dashboard has an explanatory text, and each y-axis a title', () => {
    for (const { dashboard_title, position } of of('dashboards/')) {
      const texts = Object.values(position as Record<string, { meta?: { code?: string } }>).flatMap(
        ({ meta }) => meta?.code ?? [],
      )
      expect(texts.filter((text) => !text.startsWith('Data: ')).length, String(dashboard_title)).toBeGreaterThan(0)
    }
    for (const { slice_name, viz_type, params } of of('charts/')) {
      const { y_axis_title } = params as { y_axis_title?: string }
      if (String(viz_type).startsWith('echarts_')) expect(y_axis_title, String(slice_name)).toBeTruthy()
    }
  })

  it('is published, has descriptions, and names its sources and their licenses', () => {
    for (const { dashboard_title, published, description, position } of of('dashboards/')) {
      expect(published, String(dashboard_title)).toBe(true)
      expect(description, String(dashboard_title)).toBeTruthy()
      expect(JSON.stringify(position), String(dashboard_title)).toContain('"Data: ')
      if (['People and work', 'Chart gallery'].includes(String(dashboard_title)))
        expect(JSON.stringify(position)).toContain('CC BY 4.0')
    }
  })
})

it('every example chart has rows for the query of its dashboard', async () => {
  const charts = (await list('chart')) as { id: number; slice_name: string; viz_type: string }[]
  expect(charts.length).toBeGreaterThanOrEqual(20)
  for (const { id, slice_name } of charts) {
    const { result } = await call('GET', `/api/v1/chart/${id}`)
    const opened = await loadStoredForm({ ...JSON.parse(result.params), slice_id: id })
    const answer = await call('POST', '/api/v1/chart/data', buildQueryContext(opened!.chart, opened!.form))
    for (const { rowcount } of answer.result) expect(rowcount, slice_name).toBeGreaterThan(0)
  }
}, 60_000)

it('a viewer without access to any data sees all of every dashboard, filters and exports it', async () => {
  const gamma = (await call('GET', '/api/v1/security/roles/?q=(page_size:100)')).result.find(
    ({ name }: { name: string }) => name === 'Gamma',
  )
  const names = { username: 'viewer', first_name: 'V', last_name: 'V', email: 'viewer@example.com' }
  await call('POST', '/api/v1/security/users/', {
    ...names,
    password: 'a long sentence',
    roles: [gamma.id],
    active: true,
  })
  const login = { username: 'viewer', password: 'a long sentence', provider: 'db' }
  const { access_token: viewer } = await call('POST', '/api/v1/security/login', login)
  const post = async (path: string, body: object) =>
    Buffer.from(await (await send('POST', path, body, viewer)).arrayBuffer())
  for (const { id, dashboard_title } of await list('dashboard')) {
    await call('PUT', `/api/v1/dashboard/${id}`, { roles: [gamma.id] })
    const { result } = await call('GET', `/api/v1/dashboard/${id}`, undefined, viewer)
    const charts = (await call('GET', `/api/v1/dashboard/${id}/charts`, undefined, viewer)).result
    const metadata = JSON.parse(result.json_metadata)
    const extras: Record<string, object> = {
      filter_time: { time_range: '2000 : 2030' },
      filter_select: { filters: [{ op: 'NOT IN', val: ['nothing'] }] },
    }
    const data_mask = Object.fromEntries(
      (metadata.native_filter_configuration ?? []).map(
        ({
          id: filter,
          filterType,
          targets,
        }: {
          id: string
          filterType: string
          targets: { column?: { name: string } }[]
        }) => {
          const { filters, ...others } = extras[filterType] as { filters?: object[] }
          const own = filters?.map((each) => ({ ...each, col: targets[0]?.column?.name }))
          return [filter, { extraFormData: { ...others, ...(own && { filters: own }) } }]
        },
      ),
    ) as DataMask
    for (const mask of [{}, data_mask]) {
      const body = { charts: charts.map((chart: { id: number }) => ({ id: chart.id })), data_mask: mask }
      const heads = createMessageReader()
        .push(await post(`/api/v1/dashboard/${id}/data`, body))
        .map(({ head }) => head as { type: string; chart?: number })
      expect([dashboard_title, heads.filter(({ type }) => type === 'error')]).toEqual([dashboard_title, []])
      expect(heads.filter(({ type, chart }) => type === 'end' && chart !== undefined)).toHaveLength(charts.length)
      const nodes = JSON.parse(result.position_json)
      for (const { id: chart, form_data, slice_name } of mask === data_mask ? charts : []) {
        const opened = (await loadStoredForm({ ...form_data, dashboardId: id }))!
        const form = withFilters(opened.form, collectExtraFormData({ nodes, metadata }, mask, chart))
        const own = await post('/api/v1/chart/data', buildQueryContext(opened.chart, form)).catch(String)
        expect([slice_name, typeof own === 'string' ? own : 200]).toEqual([slice_name, 200])
      }
      const { chart, form } = (await loadStoredForm({ ...charts[0].form_data, dashboardId: id }))!
      expect((await post('/api/v1/chart/data', buildDownloadContext(chart, form, 'csv'))).length).toBeGreaterThan(10)
    }
    await call('PUT', `/api/v1/dashboard/${id}`, { roles: [] })
  }
}, 120_000)

it('regression: the earthquake bands contain the magnitudes that their names state, including negative ones', async () => {
  const earthquakes = (await list('dataset')).find(
    ({ table_name }: { table_name: string }) => table_name === 'earthquakes',
  )
  const extreme = (aggregate: string) => {
    return { expressionType: 'SIMPLE', column: { column_name: 'magnitude' }, aggregate, label: aggregate }
  }
  const answer = await call('POST', '/api/v1/chart/data', {
    datasource: { id: earthquakes.id, type: 'table' },
    queries: [{ columns: ['strength'], metrics: [extreme('MIN'), extreme('MAX')] }],
  })
  const bands = answer.result[0].data as { strength: string; MIN: number; MAX: number }[]
  expect(bands.map(({ strength }) => strength).toSorted()).toEqual(['-1–0', '0–1', '1–2', '2–3', '3–4', '4–5', '5+'])
  for (const { strength, MIN, MAX } of bands) {
    const [, from] = /^(-?\d)[–+]/.exec(strength) ?? []
    const [, to = 'Infinity'] = /–(\d)$/.exec(strength) ?? []
    expect(MIN, strength).toBeGreaterThanOrEqual(Number(from))
    expect(MAX, strength).toBeLessThan(Number(to))
  }
})

it('restarts restore neither changed nor deleted examples', async () => {
  const [edited, deleted] = (await list('chart')) as { id: number; slice_name: string }[]
  const [gone] = (await list('dashboard')) as { id: number }[]
  const count = (await list('chart')).length
  await call('PUT', `/api/v1/chart/${edited!.id}`, { slice_name: 'Mine now' })
  await call('DELETE', `/api/v1/chart/${deleted!.id}`)
  await call('DELETE', `/api/v1/dashboard/${gone!.id}`)
  await server.stop()

  await startAgain()
  server.startBackgroundWork()
  await waitUntilLoaded()
  const charts = (await list('chart')) as { id: number; slice_name: string }[]
  expect(charts).toHaveLength(count - 1)
  expect(charts.find(({ id }) => id === edited!.id)?.slice_name).toBe('Mine now')
  expect(await list('dashboard')).toHaveLength(4)
}, 60_000)

it('loads nothing when switched off', async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
  await startAgain({ PARQUETRY_EXAMPLES: '0' })
  server.startBackgroundWork()
  expect(await waitUntilLoaded()).toEqual({ state: 'off', done: 0, of: 0 })
  expect(await list('dashboard')).toEqual([])
  expect(await list('database')).toEqual([])
}, 60_000)

it('a user’s dashboard keeps its slug when an example would use the same one', async () => {
  await call('POST', '/api/v1/dashboard/', { dashboard_title: 'My flights', slug: 'flights' })
  await server.stop()
  await startAgain()
  server.startBackgroundWork()
  await waitUntilLoaded()
  const dashboards = (await list('dashboard')) as { dashboard_title: string; slug: string | null }[]
  expect(dashboards).toHaveLength(6)
  expect(dashboards.find(({ dashboard_title }) => dashboard_title === 'My flights')?.slug).toBe('flights')
  expect(dashboards.find(({ dashboard_title }) => dashboard_title === 'Three million flights')?.slug).toBeNull()
}, 120_000)
