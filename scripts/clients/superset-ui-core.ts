import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { browserOptions } from '../services/browser.ts'
import type { CheckContext, PublicClient } from './public-client.ts'
import { supersetUiCoreTool } from './tools.ts'

/** Bundles the library with its own dependencies into a script that defines `supersetUi`. */
async function bundle(installation: string): Promise<string> {
  const input = join(installation, 'entry.js')
  writeFileSync(input, `export { SupersetClient, makeApi, buildQueryContext } from '@superset-ui/core'\n`)
  const define = { 'process.env.NODE_ENV': '"production"', global: 'globalThis' }
  const build = await rolldown({ input, platform: 'browser', transform: { define }, logLevel: 'silent' })
  const { output } = await build.generate({ format: 'iife', name: 'supersetUi' })
  return output[0].code
}

/** Runs code in the page with `supersetUi`. @returns its result as JSON */
const evaluate = (page: Page, code: string): Promise<unknown> => page.evaluate(`(async () => { ${code} })()`)

const flights = `{ datasource: datasetId + '__table', viz_type: 'table', metrics: ['count'], groupby: ['origin'], row_limit: 3 }`
const findDataset = `
const { json: list } = await SupersetClient.get({ endpoint: '/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:flights)))' })
const datasetId = list.result[0].id
`

async function checkAnonymous(page: Page): Promise<void> {
  const shown = await evaluate(
    page,
    `
    const { SupersetClient } = supersetUi
    SupersetClient.configure({ baseUrl: location.origin, unauthorizedHandler: () => {} })
    const refused = await SupersetClient.init().catch((error) => error.status)
    return [refused, SupersetClient.isAuthenticated()]
  `,
  )
  assert.deepEqual(shown, [401, false])
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill('admin')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((address) => !address.pathname.startsWith('/login'), { waitUntil: 'load' })
}

async function checkCalls(page: Page, { api }: CheckContext): Promise<void> {
  const shown = await evaluate(
    page,
    `
    const { SupersetClient } = supersetUi
    const token = await SupersetClient.init()
    const { json } = await SupersetClient.get({ endpoint: '/api/v1/chart/1' })
    await SupersetClient.put({ endpoint: '/api/v1/chart/1', jsonPayload: { description: 'From a page' } })
    const created = await SupersetClient.post({ endpoint: '/api/v1/dashboard/', jsonPayload: { dashboard_title: 'From a page' } })
    const removed = await SupersetClient.delete({ endpoint: '/api/v1/dashboard/' + created.json.id })
    return [typeof token, json.id, created.response.status, removed.json.message]
  `,
  )
  assert.deepEqual(shown, ['string', 1, 201, 'OK'])
  assert.equal((await api.get('/api/v1/chart/1')).body.result.description, 'From a page')
}

async function checkErrors(page: Page): Promise<void> {
  const shown = await evaluate(
    page,
    `
    const { SupersetClient, makeApi } = supersetUi
    const response = await SupersetClient.get({ endpoint: '/api/v1/chart/999999' }).catch((error) => error)
    const failed = await makeApi({ method: 'GET', endpoint: '/api/v1/dashboard/nowhere' })({}).catch((error) => error)
    return [response.status, (await response.json()).message, failed.name, failed.status, failed.message]
  `,
  )
  assert.deepEqual(shown, [404, 'Not found', 'SupersetApiError', 404, 'Not found'])
}

async function checkChartData(page: Page): Promise<void> {
  const shown = await evaluate(
    page,
    `
    const { SupersetClient, makeApi, buildQueryContext } = supersetUi
    ${findDataset}
    const context = buildQueryContext(${flights})
    const post = makeApi({ method: 'POST', endpoint: '/api/v1/chart/data' })
    const { result } = await post(context)
    const csv = await makeApi({ method: 'POST', endpoint: '/api/v1/chart/data', responseType: 'text' })({ ...context, result_format: 'csv' })
    return [result[0].colnames, result[0].rowcount, result[0].data.length, csv.trim().split(/\\r?\\n/).length, csv.split(/\\r?\\n/)[0]]
  `,
  )
  assert.deepEqual(shown, [['origin', 'count'], 3, 3, 4, 'From,Flights'])
}

async function checkForms(page: Page): Promise<void> {
  const shown = await evaluate(
    page,
    `
    const { SupersetClient, makeApi } = supersetUi
    ${findDataset}
    const events = [{ event_name: 'load_events', source: 'explore' }]
    const logged = await SupersetClient.post({ endpoint: '/superset/log/?explode=events', postPayload: { events }, parseMethod: null })
    const { json } = await SupersetClient.post({ endpoint: '/api/v1/chart/data', postPayload: { form_data: { datasource: { id: datasetId, type: 'table' }, queries: [{ metrics: ['count'] }] } } })
    const recent = await makeApi({ method: 'GET', endpoint: '/api/v1/chart/', requestType: 'rison' })({ page_size: 2, order_column: 'changed_on_delta_humanized', order_direction: 'desc' })
    return [logged.status, json.result[0].rowcount, recent.result.length]
  `,
  )
  assert.deepEqual(shown, [200, 1, 2])
}

/** The library with which plugins and embedding pages call the API. It runs in a browser with the session of the page. */
export const supersetUiCore: PublicClient = {
  name: '@superset-ui/core',
  version: '1.5.0',
  tool: supersetUiCoreTool,
  isReplayed: false,
  notCovered: ['its cache of answers with an ETag: it works over HTTPS only'],
  async run(context) {
    const { check, url, program } = context
    const library = await bundle(program)
    const browser = await chromium.launch(browserOptions())
    try {
      const page = await browser.newPage()
      const loadLibrary = () => page.evaluate(`${library}; globalThis.supersetUi = supersetUi`)
      await page.goto(`${url}/login/`)
      await loadLibrary()
      await check('rejects without a session', () => checkAnonymous(page))
      await signIn(page)
      await loadLibrary()
      await page.evaluate('supersetUi.SupersetClient.configure({ baseUrl: location.origin }).init()')
      await check('reads, creates, changes and deletes with the session and its CSRF token', () =>
        checkCalls(page, context),
      )
      await check('receives errors as responses and as SupersetApiError', () => checkErrors(page))
      await check('queries chart data as JSON and CSV', () => checkChartData(page))
      await check('posts forms with JSON fields and lists with Rison', () => checkForms(page))
    } finally {
      await browser.close()
    }
  },
}
