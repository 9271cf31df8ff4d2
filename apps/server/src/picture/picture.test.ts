import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { createImageForm, png } from '../image/image.testing.ts'
import { grant, revoke } from '../security/grants.ts'
import { signToken } from '../security/tokens.ts'

let cars: CarsServer
let chart: number
let dashboard: number
beforeAll(async () => {
  cars = await startCarsServer()
  const { dataset } = cars
  const params = JSON.stringify(count)
  const own = { slice_name: 'Cars', viz_type: 'big_number_total', datasource_id: dataset, datasource_type: 'table' }
  chart = await createObject('/api/v1/chart/', { ...own, params })
  dashboard = await createObject('/api/v1/dashboard/', {
    dashboard_title: 'All cars',
    json_metadata: JSON.stringify({ native_filter_configuration: [origin] }),
  })
  await cars.server.as('admin').put(`/api/v1/chart/${chart}`, { dashboards: [dashboard] })
})
afterAll(() => cars.close())

const count = { metric: { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' } }
const createMask = (origin: string) => ({
  extraFormData: { filters: [{ col: 'Origin', op: 'IN', val: [origin] }] },
  filterState: { value: [origin] },
})
const origin = {
  id: 'NATIVE_FILTER-origin',
  type: 'NATIVE_FILTER',
  name: 'Made in',
  filterType: 'filter_select',
  scope: { rootPath: ['ROOT_ID'], excluded: [] },
  defaultDataMask: createMask('Japan'),
}

async function createObject(path: string, body: object): Promise<number> {
  const response = await cars.server.as('admin').post(path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}
const draw = (body: object, who: 'admin' | 'gamma' = 'admin') =>
  cars.server.as(who).post(`/api/v1/dashboard/${dashboard}/picture`, { format: 'svg', ...body })
const drawChart = (body: object, who: 'admin' | 'gamma' = 'admin') =>
  cars.server.as(who).post('/api/v1/chart/picture', {
    format: 'svg',
    form_data: { ...count, viz_type: 'big_number_total', datasource: `${cars.dataset}__table`, slice_id: chart },
    ...body,
  })

it('draws a chart from its form data, in each format', async () => {
  for (const [format, type] of [
    ['svg', 'image/svg+xml; charset=utf-8'],
    ['png', 'image/png'],
    ['pdf', 'application/pdf'],
  ]) {
    const response = await drawChart({ format, title: 'How many', width: 300, height: 200 })
    expect([response.statusCode, response.headers['content-type']], response.body).toEqual([200, type])
  }
  const svg = (await drawChart({ title: 'How many' })).body
  expect(svg).toContain('<title>How many</title>')
  expect(svg).toContain('>406<')
})

it('a dashboard draws images of its texts only if they are stored with it', async () => {
  const admin = cars.server.as('admin')
  const [id, other] = [
    await createObject('/api/v1/dashboard/', { dashboard_title: 'Images' }),
    await createObject('/api/v1/dashboard/', { dashboard_title: 'Others' }),
  ]
  const upload = async (of: number, bytes: Buffer) =>
    (await admin.send('POST', `/api/v1/dashboard/${of}/files`, createImageForm(bytes))).json<{
      result: { url: string }
    }>().result.url
  const [own, foreign] = [await upload(id, png(60, 40)), await upload(other, png(61, 41))]
  const nodes = {
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['M'] },
    M: { id: 'M', type: 'MARKDOWN', children: [], meta: { code: `![Own](${own}) ![Foreign](${foreign})`, width: 4 } },
  }
  await admin.put(`/api/v1/dashboard/${id}`, { json_metadata: JSON.stringify({ positions: nodes }) })
  const response = await admin.post(`/api/v1/dashboard/${id}/picture`, { format: 'svg' })
  expect(response.statusCode, response.body).toBe(200)
  expect(response.body.match(/<image [^>]*width="60" height="40" href="data:image\/png;base64,/g)).toHaveLength(1)
  expect(response.body).toContain('[Foreign]')
})

/** Contents of the files in an archive, by name. */
async function readArchive(archive: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(archive)
  const parts = new Map<string, string>()
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  return parts
}

it('exports a dashboard as a workbook: a sheet of filtered rows per chart, and one that lists the sheets', async () => {
  const response = await draw({ format: 'xlsx', data_mask: { 'NATIVE_FILTER-origin': createMask('Europe') } })
  expect(response.headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  const parts = await readArchive(response.rawPayload)
  const part = (name: string) => parts.get(name) ?? ''
  const names = [...part('xl/workbook.xml').matchAll(/<sheet name="([^"]+)"/g)].map(([, name]) => name)
  expect(names).toEqual(['Contents', 'Cars'])
  const cells = [...part('xl/worksheets/sheet1.xml').matchAll(/<(?:t|v)[^>]*>([^<]*)</g)].map(([, cell]) => cell)
  expect(cells).toEqual([
    'All cars',
    expect.stringMatching(/^As of .*, UTC/),
    'Made in',
    'Europe',
    'Chart',
    'Sheet',
    'Rows',
    'Note',
    'Cars',
    'Cars',
    '1',
  ])
  expect(part('xl/worksheets/sheet1.xml')).toMatch(/<hyperlink ref="B\d" location="'Cars'!A1"\/>/)
  expect(part('xl/worksheets/sheet2.xml')).toContain('<v>73</v>')
})

it('names a chart as its dashboard does, in a workbook and as the source of a cross-filter', async () => {
  const admin = cars.server.as('admin')
  const id = await createObject('/api/v1/dashboard/', { dashboard_title: 'Renamed' })
  const meta = { chartId: chart, sliceName: 'Cars', sliceNameOverride: 'Our fleet', width: 4, height: 30 }
  const positions = {
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['C'] },
    C: { id: 'C', type: 'CHART', children: [], meta },
  }
  await admin.put(`/api/v1/dashboard/${id}`, { json_metadata: JSON.stringify({ positions }) })
  const fetchPicture = (format: string) =>
    admin.post(`/api/v1/dashboard/${id}/picture`, { format, data_mask: { [chart]: createMask('Europe') } })
  const parts = await readArchive((await fetchPicture('xlsx')).rawPayload)
  expect(parts.get('xl/workbook.xml')).toContain('<sheet name="Our fleet"')
  const svg = (await fetchPicture('svg')).body
  expect(svg).toContain('Our fleet: Europe')
  expect(svg).not.toContain('Cars')
})

it('exports a chart as a workbook with a chart that spreadsheet programs draw from its cells', async () => {
  const form_data = {
    viz_type: 'echarts_timeseries_bar',
    datasource: `${cars.dataset}__table`,
    x_axis: 'Origin',
    metrics: [count.metric],
    groupby: [],
    y_axis_format: ',.1f',
  }
  const response = await drawChart({ form_data, format: 'xlsx', title: 'Per <origin>' })
  expect(response.statusCode, response.body.slice(0, 200)).toBe(200)
  const parts = await readArchive(response.rawPayload)
  expect(parts.get('xl/styles.xml')).toContain('formatCode="#,##0.0"')
  expect(parts.get('xl/worksheets/sheet2.xml')).toMatch(/<c r="B2" s="5"><v>\d+<\/v>/)
  expect(parts.get('xl/worksheets/sheet2.xml')).toContain('<drawing ')
  const chart = parts.get('xl/charts/chart2.xml') ?? ''
  expect(chart).toContain('<c:barChart>')
  expect(chart).toContain("<c:f>'Per &lt;origin&gt;'!$B$2:$B$4</c:f>")
})

it('hostile: a workbook requires the permission `can_csv`', async () => {
  const { db } = cars.server.deps
  await revoke(db, 'Admin', ['can_csv', 'Superset'])
  cars.server.app.authenticator.forget()
  expect((await draw({ format: 'xlsx' })).statusCode).toBe(403)
  expect((await drawChart({ format: 'xlsx' })).statusCode).toBe(403)
  expect((await draw({ format: 'svg' })).statusCode).toBe(200)
  await grant(db, 'Admin', ['can_csv', 'Superset'])
  cars.server.app.authenticator.forget()
})

it('draws a chart from cached results only when requested, and without a title when it is empty', async () => {
  const form_data = { ...count, viz_type: 'pie', groupby: ['Origin'], datasource: `${cars.dataset}__table` }
  const body = { format: 'svg', form_data, title: '', width: 480, height: 300 }
  const ask = (headers: Record<string, string>) =>
    cars.server.as('admin').send('POST', '/api/v1/chart/picture', {
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const kept = { 'cache-control': 'only-if-cached' }
  expect((await ask(kept)).statusCode).toBe(204)
  expect((await ask({})).statusCode).toBe(200)
  const response = await ask(kept)
  expect(response.statusCode).toBe(200)
  expect(response.body).toContain('Japan')
  expect(response.body).not.toContain('Pie Chart<')
})

it('draws annotation layers and reports those that could not be read', async () => {
  const layer = await createObject('/api/v1/annotation_layer/', { name: 'Oil' })
  await createObject(`/api/v1/annotation_layer/${layer}/annotation/`, {
    short_descr: 'Embargo',
    start_dttm: '1973-10-17T00:00:00',
    end_dttm: '1974-03-18T00:00:00',
  })
  const native = { annotationType: 'INTERVAL', sourceType: 'NATIVE', show: true, showMarkers: false, showLabel: true }
  const form_data = {
    viz_type: 'echarts_timeseries_line',
    datasource: `${cars.dataset}__table`,
    x_axis: 'Year',
    time_grain_sqla: 'P1Y',
    metrics: [count.metric],
    annotation_layers: [
      { ...native, name: 'Crises', value: layer },
      { ...native, name: 'Lost', value: 99_999 },
    ],
  }
  const response = await drawChart({ form_data })
  expect(response.statusCode, response.body).toBe(200)
  expect(response.body).toContain('Embargo')
  expect(response.body).toContain('Not shown: Lost (The annotation layer does not exist)')
  const whole = await drawChart({ form_data: { ...form_data, annotation_layers: [] } })
  expect(whole.body).not.toContain('Not drawn')
})

it('draws a dashboard with the given filters or else their defaults, and lists them', async () => {
  const byDefault = (await draw({})).body
  expect(byDefault).toContain('All cars')
  expect(byDefault).toContain('Made in: Japan')
  expect(byDefault).toContain('>79<')
  const europe = (await draw({ data_mask: { [origin.id]: createMask('Europe') } })).body
  expect(europe).toContain('Made in: Europe')
  expect(europe).toContain('>73<')
  const unknown = (await draw({ data_mask: { 'NATIVE_FILTER-nobody': createMask('USA') } })).body
  expect(unknown).toContain('>406<')
  expect(unknown).not.toContain('USA')
})

it('uses the colors of the dashboard that contains the chart', async () => {
  const bars = {
    viz_type: 'echarts_timeseries_bar',
    datasource: `${cars.dataset}__table`,
    x_axis: 'Cylinders',
    metrics: [count.metric],
    groupby: ['Origin'],
    color_scheme: 'supersetColors',
  }
  const color = '#12ab34'
  const metadata = JSON.stringify({ label_colors: { Japan: color }, color_scheme: 'supersetColors' })
  const dashboard_id = await createObject('/api/v1/dashboard/', { dashboard_title: 'Green', json_metadata: metadata })
  expect((await drawChart({ form_data: bars })).body).not.toContain(color)
  expect((await drawChart({ form_data: bars, dashboard_id })).body).toContain(color)
  expect((await drawChart({ form_data: bars, dashboard_id }, 'gamma')).statusCode).toBe(404)
})

it('requires the same access as the chart itself', async () => {
  expect((await draw({}, 'gamma')).statusCode).toBe(404)
  expect((await drawChart({}, 'gamma')).statusCode).toBe(403)
  expect((await drawChart({ form_data: { viz_type: 'pie', datasource: '99999__table' } })).statusCode).toBe(404)
})

it.each([
  ['a format', { format: 'gif' }],
  ['a size', { width: 100_000 }],
  ['a zone', { time_zone: 'Mars/North' }],
  ['a type of chart', { form_data: { viz_type: 'nobody', datasource: '1__table' } }],
  ['a form without a dataset', { form_data: { viz_type: 'pie' } }],
])('rejects invalid input: %s', async (_, body) => {
  const response = await drawChart(body)
  expect(response.statusCode, response.body).toBeGreaterThanOrEqual(400)
  expect(response.statusCode).toBeLessThan(500)
  expect(response.body).not.toContain('at ')
})

it('draws two images per user concurrently, without blocking other users', async () => {
  const metric = (label: string) => ({ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label })
  const form = (label: string) => ({
    metric: metric(label),
    viz_type: 'big_number_total',
    datasource: `${cars.dataset}__table`,
  })
  const before = cars.runs()
  const countRuns = () => cars.runs() - before
  cars.gate.close()
  const own = ['a', 'b', 'c'].map((label) => drawChart({ form_data: form(label) }))
  await expect.poll(countRuns, { timeout: 10_000 }).toBe(2)
  const other = cars.server.as('alpha').post('/api/v1/chart/picture', { format: 'svg', form_data: form('d') })
  await expect.poll(countRuns, { timeout: 10_000 }).toBeGreaterThan(2)
  expect(countRuns()).toBe(3)
  cars.gate.open()
  for (const response of await Promise.all([...own, other])) expect(response.statusCode, response.body).toBe(200)
  expect(countRuns()).toBe(4)
})

it('localizes all text but data, in charts and on dashboards', async () => {
  const { config } = cars.server.deps.settings
  config.BABEL_DEFAULT_LOCALE = 'en_XA'
  try {
    const table = { viz_type: 'table', query_mode: 'raw', all_columns: ['Name'], row_limit: 100 }
    const rows = (await drawChart({ form_data: { ...table, datasource: `${cars.dataset}__table` } })).body
    expect(rows).toMatch(/⟦[^<]*100/)
    expect(rows).not.toMatch(/ of 100 rows/)
    const told = /<desc>([^<]*)/.exec((await draw({})).body)?.[1]
    expect(told).toMatch(/⟦/)
  } finally {
    config.BABEL_DEFAULT_LOCALE = 'en'
  }
})

it('rejects guests whose token is for another dashboard', async () => {
  const { deps } = cars.server
  const claims = { user: { username: 'visitor' }, resources: [{ type: 'dashboard', id: 'another' }], rls_rules: [] }
  const token = signToken(deps.keys.guest, 'guest', claims, deps.now(), 300)
  const form_data = { ...count, viz_type: 'big_number_total', datasource: `${cars.dataset}__table` }
  for (const [path, body] of [
    ['/api/v1/chart/picture', { format: 'svg', form_data }],
    [`/api/v1/dashboard/${dashboard}/picture`, { format: 'svg' }],
  ] as const) {
    const guest = cars.server.as('nobody')
    const response = await guest.send('POST', path, { payload: body, headers: { 'x-guesttoken': token } })
    expect([401, 403, 404], `${path}: ${response.body}`).toContain(response.statusCode)
    expect(response.headers['content-type']).not.toContain('svg')
  }
})

it('`thumbnail_url` of charts and dashboards, in lists and details, leads to an image, with the rights of the caller', async () => {
  const { server } = cars
  const admin = server.as('admin')
  for (const [kind, id] of [
    ['chart', chart],
    ['dashboard', dashboard],
  ] as const) {
    const { result } = (await admin.get(`/api/v1/${kind}/${id}`)).json<{ result: { thumbnail_url: string } }>()
    const list = (await admin.get(`/api/v1/${kind}/`)).json<{ result: { id: number; thumbnail_url: string }[] }>()
    expect(list.result.find((row) => row.id === id)?.thumbnail_url).toBe(result.thumbnail_url)
    const first = await admin.get(result.thumbnail_url)
    expect([first.statusCode, first.json()]).toEqual([202, { message: 'OK Async' }])
    const response = await vi.waitFor(
      async () => {
        const drawnImage = await admin.get(result.thumbnail_url)
        expect(drawnImage.statusCode, drawnImage.body.slice(0, 300)).toBe(200)
        return drawnImage
      },
      { timeout: 20_000, interval: 50 },
    )
    expect(response.headers['content-type']).toBe('image/png')
    const { etag } = response.headers as { etag: string }
    const drawn = vi.spyOn(server.deps.runners, 'draw')
    const again = await admin.get(result.thumbnail_url)
    expect([again.statusCode, again.headers.etag, again.rawPayload.equals(response.rawPayload)]).toEqual([
      200,
      etag,
      true,
    ])
    const unchanged = await admin.send('GET', result.thumbnail_url, { headers: { 'if-none-match': etag } })
    expect([unchanged.statusCode, unchanged.body]).toEqual([304, ''])
    expect(drawn, 'an unchanged thumbnail is not drawn again').not.toHaveBeenCalled()
    drawn.mockRestore()
    const outdated = await admin.get(`/api/v1/${kind}/${id}/thumbnail/0/`)
    expect([outdated.statusCode, outdated.headers.location]).toEqual([302, result.thumbnail_url])
    expect((await server.as('nobody').get(result.thumbnail_url)).statusCode).toBe(401)
    expect((await server.as('publicuser').get(result.thumbnail_url)).statusCode).toBe(403)
    expect((await server.as('gamma').get(result.thumbnail_url)).statusCode).toBe(404)
  }
})

it('a screenshot is drawn in the background, and only its caller gets it, with the rights of now', async () => {
  const { server } = cars
  const { db } = server.deps
  const admin = server.as('admin')
  const drawn = async (url: string, who: 'admin' | 'alpha' = 'admin') =>
    vi.waitFor(
      async () => {
        const response = await server.as(who).get(url)
        expect(response.statusCode, response.body.slice(0, 300)).toBe(200)
        return response
      },
      { timeout: 20_000, interval: 50 },
    )
  const started = await admin.get(`/api/v1/chart/${chart}/cache_screenshot/?q=(window_size:!(300,200))`)
  expect([started.statusCode, started.json()]).toEqual([
    202,
    {
      cache_key: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      chart_url: expect.stringMatching(`/explore/\\?slice_id=${chart}$`) as string,
      image_url: expect.stringMatching(`/api/v1/chart/${chart}/screenshot/[0-9a-f]{32}/$`) as string,
      task_status: 'Pending',
      task_updated_at: expect.any(String) as string,
    },
  ])
  const { pathname } = new URL(started.json<{ image_url: string }>().image_url)
  const image = await drawn(pathname)
  expect(image.headers['content-type']).toBe('image/png')
  expect([image.rawPayload.readUInt32BE(16), image.rawPayload.readUInt32BE(20)]).toEqual([600, 400])
  const again = await admin.get(`/api/v1/chart/${chart}/cache_screenshot/?q=(window_size:!(300,200))`)
  expect([again.statusCode, again.json<{ task_status: string }>().task_status]).toEqual([200, 'Updated'])
  const forced = await admin.get(`/api/v1/chart/${chart}/cache_screenshot/?q=(force:!t,window_size:!(300,200))`)
  expect([forced.statusCode, forced.json<{ task_status: string }>().task_status]).toEqual([202, 'Pending'])
  await drawn(pathname)
  expect((await server.as('alpha').get(pathname)).statusCode).toBe(404)
  expect((await admin.get(`/api/v1/chart/${chart}/screenshot/0123456789abcdef0123456789abcdef/`)).statusCode).toBe(404)

  const dataMask = { [origin.id]: createMask('Europe') }
  const board = await admin.post(`/api/v1/dashboard/${dashboard}/cache_dashboard_screenshot/`, { dataMask })
  expect(board.statusCode, board.body).toBe(202)
  const url = new URL(board.json<{ image_url: string }>().image_url).pathname
  expect((await drawn(url)).headers['content-type']).toBe('image/png')
  const pdf = await admin.get(`${url}?download_format=pdf`)
  expect([pdf.statusCode, pdf.rawPayload.subarray(0, 4).toString()]).toEqual([200, '%PDF'])
  expect((await admin.get(url.replace(`/${dashboard}/`, '/999999/'))).statusCode).toBe(404)

  // Any change of rights or rules ends what was drawn before.
  await revoke(db, 'Alpha', ['can_csv', 'Superset'])
  expect((await admin.get(url)).statusCode).toBe(404)
  await grant(db, 'Alpha', ['can_csv', 'Superset'])
  const { flags } = server.deps.settings
  flags['THUMBNAILS'] = false
  for (const path of [pathname, url, `/api/v1/chart/${chart}/cache_screenshot/`])
    expect((await admin.get(path)).statusCode).toBe(404)
  flags['THUMBNAILS'] = true
})

it('PERM-038: slices beyond the colors of the scheme have colors of their own with the flag', async () => {
  const form_data = {
    ...count,
    viz_type: 'pie',
    groupby: ['Name'],
    color_scheme: 'lyftColors',
    row_limit: 30,
    datasource: `${cars.dataset}__table`,
  }
  const { flags } = cars.server.deps.settings
  const countColors = async (): Promise<number> => {
    const { body } = await drawChart({ form_data })
    return new Set(body.match(/fill="#[\da-f]{6}"/g)).size
  }
  const before = await countColors()
  flags['USE_ANALAGOUS_COLORS'] = true
  try {
    expect(await countColors()).toBeGreaterThan(before)
  } finally {
    flags['USE_ANALAGOUS_COLORS'] = false
  }
})

it('images of a dashboard and its charts have the theme of the dashboard, in light and in dark mode', async () => {
  const json_data = JSON.stringify({
    token: { colorBgContainer: '#fff7e6', colorText: '#332200', fontFamily: 'Georgia' },
  })
  const admin = cars.server.as('admin')
  const theme_id = await createObject('/api/v1/theme/', { theme_name: 'Paper', json_data })
  const before = await Promise.all([draw({}), drawChart({ dashboard_id: dashboard })])
  for (const { body } of before) expect(body).not.toContain('#fff7e6')
  expect((await admin.put(`/api/v1/dashboard/${dashboard}`, { theme_id })).statusCode).toBe(200)
  try {
    for (const { body } of await Promise.all([draw({}), drawChart({ dashboard_id: dashboard })])) {
      expect(body).toContain('fill="#fff7e6"')
      expect(body).toContain('#332200')
      expect(body).toMatch(/font-family="[^"]*Georgia/)
    }
    expect((await drawChart({})).body, 'a chart outside the dashboard').not.toContain('#fff7e6')
    const dark = await draw({ theme: 'dark' })
    expect(dark.body, 'a theme made for light mode').not.toContain('#fff7e6')
    expect(dark.body).toMatch(/font-family="[^"]*Georgia/)
    expect((await draw({ format: 'pdf' })).rawPayload.subarray(0, 4).toString()).toBe('%PDF')
  } finally {
    await admin.put(`/api/v1/dashboard/${dashboard}`, { theme_id: null })
  }
})
