import { text } from 'node:stream/consumers'
import { readPdfText } from '@parquetry/testing/pdf-text'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { loadPrincipalById } from '../access/load-principal.ts'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { grant } from '../security/grants.ts'
import { buildReportContent, type ContentRequest } from './report-content.ts'

let cars: CarsServer
let admin: number
let gamma: number
const charts: Record<string, number> = {}
let dashboard: number
const origin = {
  id: 'NATIVE_FILTER-origin',
  type: 'NATIVE_FILTER',
  name: 'Made in',
  filterType: 'filter_select',
  scope: { rootPath: ['ROOT_ID'], excluded: [] },
  defaultDataMask: {},
}
const created = async (path: string, body: object): Promise<number> => {
  const response = await cars.server.as('admin').post(path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}

beforeAll(async () => {
  cars = await startCarsServer()
  const { db, settings } = cars.server.deps
  settings.flags['ALERT_REPORTS'] = true
  const users = await db.selectFrom('user').select(['id', 'username']).execute()
  const idOf = (name: string) => users.find(({ username }) => username === name)!.id
  ;[admin, gamma] = [idOf('admin'), idOf('gamma')]
  const addChart = async (slice_name: string, viz_type: string, params: object) => {
    const own = { datasource_id: cars.dataset, datasource_type: 'table', slice_name, viz_type }
    charts[slice_name] = await created('/api/v1/chart/', { ...own, params: JSON.stringify({ ...params, viz_type }) })
  }
  await addChart('Cars: all/of "them"', 'table', {
    query_mode: 'raw',
    all_columns: ['Name', 'Horsepower', 'Year', 'Origin'],
    row_limit: 300,
  })
  await addChart('By origin', 'echarts_timeseries_bar', {
    x_axis: 'Origin',
    metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }],
    groupby: [],
  })
  await addChart('Broken', 'big_number_total', {
    metric: { expressionType: 'SQL', sqlExpression: 'SUM(nobody)', label: 'n' },
  })
  const tab = (id: string, name: string, children: string[]) => [
    id,
    { id, type: 'TAB', children, meta: { text: name } },
  ]
  const node = (id: string, title: string) => [
    id,
    { id, type: 'CHART', children: [], meta: { chartId: charts[title], width: 4, height: 50 } },
  ]
  const positions = Object.fromEntries([
    ['ROOT_ID', { id: 'ROOT_ID', type: 'ROOT', children: ['TABS-1'] }],
    ['TABS-1', { id: 'TABS-1', type: 'TABS', children: ['TAB-a', 'TAB-b'] }],
    tab('TAB-a', 'First tab', ['A']),
    tab('TAB-b', 'Second tab', ['B', 'C']),
    node('A', 'Cars: all/of "them"'),
    node('B', 'By origin'),
    node('C', 'Broken'),
  ])
  dashboard = await created('/api/v1/dashboard/', {
    dashboard_title: 'Everything',
    json_metadata: JSON.stringify({ native_filter_configuration: [origin], positions }),
  })
  for (const id of Object.values(charts))
    await cars.server.as('admin').put(`/api/v1/chart/${id}`, { dashboards: [dashboard] })
})
afterAll(() => cars.close())

async function build(
  target: { chart: string } | { tabs?: string[]; made?: string },
  format: ContentRequest['format'],
  who = admin,
  force = false,
) {
  const { deps } = cars.server
  const principal = (await loadPrincipalById(deps.db, who))!
  const chart = (title: string) =>
    deps.db.selectFrom('chart').selectAll().where('id', '=', charts[title]!).executeTakeFirstOrThrow()
  const board = () => deps.db.selectFrom('dashboard').selectAll().where('id', '=', dashboard).executeTakeFirstOrThrow()
  const mask = (made: string) => ({
    [origin.id]: {
      extraFormData: { filters: [{ col: 'Origin', op: 'IN', val: [made] }] },
      filterState: { value: [made] },
    },
  })
  const request: ContentRequest = {
    target:
      'chart' in target
        ? { chart: (await chart(target.chart)) as never }
        : {
            dashboard: await board(),
            tabs: target.tabs,
            dataMask: target.made === undefined ? undefined : mask(target.made),
          },
    format,
    timeZone: 'Europe/Berlin',
  }
  return buildReportContent(request, { deps, principal, signal: new AbortController().signal, force })
}

async function readArchive(archive: Uint8Array): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(Buffer.from(archive))
  const parts = new Map<string, string>()
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  return parts
}

it('REPORT: a chart is a file of each format, under a safe name', async () => {
  const names: string[] = []
  for (const format of ['PNG', 'PDF', 'XLSX', 'CSV'] as const) {
    const { files, table, failures } = await build({ chart: 'Cars: all/of "them"' }, format)
    expect([table, failures]).toEqual([null, []])
    names.push(...files.map(({ name, media_type }) => `${name} ${media_type}`))
    if (format === 'CSV') {
      const lines = Buffer.from(files[0]!.bytes).toString().trimEnd().split('\n')
      expect(lines).toHaveLength(301)
      expect(lines[0]).toBe('Name,Horsepower,Year,Origin')
    }
  }
  expect(names).toEqual([
    'Cars all of them.png image/png',
    'Cars all of them.pdf application/pdf',
    'Cars all of them.xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'Cars all of them.csv text/csv; charset=utf-8',
  ])
})

it('REPORT: a table in a message counts the rows that it leaves out', async () => {
  const { files, table } = await build({ chart: 'Cars: all/of "them"' }, 'TEXT')
  expect(files).toEqual([])
  expect(table?.html.match(/<tr>/g)).toHaveLength(201)
  expect(table?.html).toContain('<p>200 of 300 rows</p>')
  expect(table?.text.split('\n')[0]).toMatch(/^Name +Horsepower +Year +Origin$/)
  expect(table?.text).toContain('200 of 300 rows')
})

it('REPORT: a chart of a dashboard that fails is shown with its reason, and the rest arrives', async () => {
  const reason = expect.stringContaining('nobody') as string
  const pdf = await build({}, 'PDF')
  expect(pdf.failures).toEqual([{ chart: 'Broken', reason }])
  const pages = readPdfText(pdf.files[0]!.bytes).join('\n')
  for (const shown of ['Everything', 'Europe/Berlin', 'First tab', 'Second tab', 'By origin'])
    expect(pages).toContain(shown)
  expect(pages).toMatch(/nobody/)
  expect(readPdfText(pdf.files[0]!.bytes)[0]).toMatch(/Contents/)
  const csv = await build({}, 'CSV')
  expect([csv.files[0]?.name, csv.files[0]?.media_type]).toEqual(['Everything.zip', 'application/zip'])
  const parts = await readArchive(csv.files[0]!.bytes)
  expect([...parts.keys()].toSorted()).toEqual(['By origin.csv', 'Cars all of them.csv', 'Notes.txt'])
  expect(parts.get('Notes.txt')).toMatch(/Broken: .*nobody/)
  const message = await build({}, 'TEXT')
  expect(message.table?.html).toMatch(/<h3>Broken<\/h3>\n<p>[^<]*nobody/)
})

it('REPORT: a chart that fails is shown with its reason', async () => {
  const { failures, files } = await build({ chart: 'Broken' }, 'PDF')
  expect(failures).toEqual([{ chart: 'Broken', reason: expect.stringContaining('nobody') as string }])
  expect(readPdfText(files[0]!.bytes).join('\n')).toContain('nobody')
})

it('REPORT: chosen filters and tabs', async () => {
  const { table } = await build({ tabs: ['TAB-b'], made: 'Japan' }, 'TEXT')
  expect(table?.text).toMatch(/Japan +79/)
  expect(table?.text).not.toMatch(/USA|Cars: all/)
})

it('hostile: content has the rights of its principal', async () => {
  await expect(build({ chart: 'By origin' }, 'CSV', gamma)).rejects.toThrow(/access/i)
  const { table, failures } = await build({}, 'TEXT', gamma)
  expect(failures.map(({ chart }) => chart).toSorted()).toEqual(Object.keys(charts).toSorted())
  expect(table?.text).not.toContain('Japan')
})

it('REPORT: the preview is the file that would be sent, and needs access to chart or dashboard', async () => {
  const preview = (body: object, who: 'admin' | 'gamma' = 'admin') =>
    cars.server.as(who).post('/api/v1/report/preview', { report_format: 'CSV', ...body })
  const chart = charts['By origin']
  const csv = await preview({ chart })
  expect([csv.statusCode, csv.body]).toEqual([200, expect.stringMatching(/^Origin,n\n/)])
  expect(csv.headers['content-disposition']).toBe("attachment; filename*=UTF-8''By%20origin.csv")
  const nativeFilters = [
    { nativeFilterId: origin.id, filterType: 'filter_select', columnName: 'Origin', filterValues: ['Japan'] },
  ]
  const extra = { dashboard: { nativeFilters, anchor: 'TAB-b' } }
  const table = await preview({ dashboard, extra, report_format: 'TEXT' })
  expect([table.statusCode, table.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(table.body).toMatch(/Japan<\/td><td[^>]*>79</)
  expect(table.body).not.toMatch(/USA|Cars: all/)
  expect((await preview({ chart }, 'gamma')).statusCode).toBe(403)
  await grant(cars.server.deps.db, 'Gamma', ['can_write', 'ReportSchedule'])
  cars.server.app.authenticator.forget()
  expect((await preview({ chart }, 'gamma')).statusCode).toBe(404)
  expect((await preview({ dashboard }, 'gamma')).statusCode).toBe(404)
  expect((await preview({ chart, dashboard })).statusCode).toBe(400)
  expect((await preview({ chart, report_format: 'NONE' })).statusCode).toBe(422)
  cars.server.deps.settings.flags['ALERT_REPORTS'] = false
  expect((await preview({ chart })).statusCode).toBe(404)
  cars.server.deps.settings.flags['ALERT_REPORTS'] = true
})

it.each([['By origin'], [undefined]])('content is queried again if it is forced: chart %s', async (title) => {
  const target = title === undefined ? { tabs: ['TAB-b'] } : { chart: title }
  await build(target, 'XLSX')
  const run = vi.spyOn(cars.server.deps.runners, 'run')
  await build(target, 'XLSX')
  const cached = run.mock.calls.length
  await build(target, 'XLSX', admin, true)
  expect(run.mock.calls.length).toBeGreaterThan(2 * cached)
  run.mockRestore()
})
