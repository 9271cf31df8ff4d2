import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dropFile } from './files.ts'
import { monitorPage, skipAfterFailure, type PageMonitor } from './page-monitor.ts'
import { createApiClient, startProduct, type Product } from './product.ts'

/** Orders by region; each region has another number of them. */
const orders = { North: 5, South: 4, East: 3, West: 2 }
const regions = Object.keys(orders) as (keyof typeof orders)[]
const csv = `region,amount\n${regions.flatMap((name) => Array.from({ length: orders[name] }, (_, n) => `${name},${n}`)).join('\n')}\n`
const password = 'twenty people and a rule'

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
let admin: Awaited<ReturnType<typeof createApiClient>>
let dataset: number

beforeAll(async () => {
  const env = { PARQUETRY_ADMIN_USERNAME: '', PARQUETRY_ADMIN_PASSWORD: '', PARQUETRY_EXAMPLES: '0' }
  product = await startProduct({ env })
  browser = await openBrowser()
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(8000)
  monitor = monitorPage(page)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
skipAfterFailure(() => page)

const dialog = () => page.getByRole('dialog')
const openFromNavigation = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()
const isSaved = (name: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(`Saved: ${name}`).first().waitFor()

async function pick(field: string, ...options: (string | RegExp)[]): Promise<void> {
  await dialog().getByRole('combobox', { name: field }).click()
  for (const name of options) await page.getByRole('option', { name, exact: true }).click()
  await page.keyboard.press('Escape')
}

const countQuery = () => ({
  datasource: { id: dataset, type: 'table' },
  queries: [{ columns: [], metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }] }],
})
async function countOrders(client: typeof admin): Promise<number> {
  const { status, body } = await client.post('/api/v1/chart/data', countQuery())
  return status === 200 ? body.result[0].data[0].n : status
}

it('opens the set-up link and uploads the first data', async () => {
  const link = () => /^http\S+\/login\/link\/\S+$/m.exec(product.output())?.[0] ?? ''
  await expect.poll(link).not.toBe('')
  await page.goto(link())
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await page.getByRole('textbox', { name: 'Repeat password' }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Start with your data' }).waitFor()
  await dropFile(page, 'orders.csv', csv)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  admin = await createApiClient(product.url, 'admin', password)
  const found = async () => (await admin.get('/api/v1/dataset/')).body.result as { id: number; table_name: string }[]
  await expect.poll(async () => (await found()).map(({ table_name }) => table_name)).toEqual(['orders'])
  dataset = (await found())[0]?.id ?? 0
  expect(await countOrders(admin)).toBe(14)
  await page.keyboard.press('Escape')
})

it('makes a role that reads the orders', async () => {
  await openFromNavigation('Roles')
  await page.getByRole('link', { name: 'Gamma', exact: true }).click()
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Sales')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor()
  await page.getByRole('tab', { name: /^Data access/ }).click()
  await page.getByRole('combobox', { name: 'Add a dataset' }).click()
  await page.getByRole('option', { name: /orders$/ }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await isSaved('Sales')
})

it('makes a group for each region, and 20 people in three roles', async () => {
  await openFromNavigation('Users')
  await openFromNavigation('Groups')
  await page
    .getByRole('link', { name: 'Group', exact: true })
    .or(page.getByRole('button', { name: 'Group', exact: true }))
    .first()
    .click()
  await dialog().getByLabel(/^Name/).fill('North')
  await pick('Roles', 'Sales')
  await dialog().getByRole('button', { name: 'Create' }).click()
  await isSaved('North')
  const roles = new Map<string, number>(
    (await admin.get('/api/v1/security/roles/?q=(page_size:100)')).body.result.map(
      (role: { id: number; name: string }) => [role.name, role.id],
    ),
  )
  for (const name of regions.slice(1))
    expect((await admin.post('/api/v1/security/groups/', { name, roles: [roles.get('Sales')] })).status).toBe(201)
  const groups = new Map<string, number>(
    (await admin.get('/api/v1/security/groups/')).body.result.map((group: { id: number; name: string }) => [
      group.name,
      group.id,
    ]),
  )
  await openFromNavigation('Users')
  await page.getByRole('link', { name: 'User', exact: true }).click()
  await dialog().getByLabel('First name').fill('Nora')
  await dialog().getByLabel('Last name').fill('North')
  await dialog()
    .getByLabel(/^Username/)
    .fill('user0')
  await dialog().getByLabel('Email address').fill('nora@example.com')
  await dialog()
    .getByLabel(/^Password/)
    .fill(password)
  await pick('Groups', 'North')
  await dialog().getByRole('button', { name: 'Create' }).click()
  await isSaved('Nora North')
  for (let n = 1; n < 20; n++) {
    const role = n >= 18 ? 'Admin' : n >= 16 ? 'Alpha' : undefined
    const { status, body } = await admin.post('/api/v1/security/users/', {
      username: `user${n}`,
      first_name: `User`,
      last_name: String(n),
      email: `user${n}@example.com`,
      password,
      roles: role ? [roles.get(role)] : [],
      groups: role ? [] : [groups.get(regions[n % regions.length] ?? '')],
    })
    expect(status, JSON.stringify(body)).toBe(201)
  }
  await page.reload()
  await page
    .getByText(/21 (?:users|items|rows)|of 21/)
    .first()
    .waitFor()
  await monitor.checkAccessibility()
})

it('writes a rule for each region, and sees before saving what it changes', async () => {
  await openFromNavigation('Row-level security')
  await page
    .getByRole('link', { name: 'Rule', exact: true })
    .or(page.getByRole('button', { name: 'Rule', exact: true }))
    .first()
    .click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('North')
  await pick('Datasets', /orders$/)
  await pick('Applies to', /^North/)
  await dialog().getByRole('textbox', { name: 'Clause' }).fill(`region = 'North'`)
  await dialog().getByRole('button', { name: 'Preview' }).click()
  await dialog()
    .getByRole('row', { name: /^orders North.* 14 5$/ })
    .waitFor()
  await dialog().getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'North', exact: true }).waitFor()
  const groups = (await admin.get('/api/v1/security/groups/')).body.result as { id: number; name: string }[]
  for (const { id, name } of groups.filter((group) => group.name !== 'North'))
    expect(
      (
        await admin.post('/api/v1/rowlevelsecurity/', {
          name,
          filter_type: 'Regular',
          tables: [dataset],
          subjects: [4 * id + 3],
          clause: `region = '${name}'`,
        })
      ).status,
    ).toBe(201)
})

it('each of the 20 people sees the rows of their region, and a person who moves sees the others at once', async () => {
  const seen = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => countOrders(await createApiClient(product.url, `user${n}`, password))),
  )
  expect(seen).toEqual(
    Array.from({ length: 20 }, (_, n) => (n >= 16 ? 14 : orders[regions[n % regions.length] ?? 'North'])),
  )
  const nora = await openSignedInPage(browser, product.url, { username: 'user0', password })
  nora.setDefaultTimeout(8000)
  await nora.goto(`/explore/?datasource_type=table&datasource_id=${dataset}&viz_type=table`)
  const asNora = await createApiClient(product.url, 'user0', password)
  expect(await countOrders(asNora)).toBe(5)
  await openFromNavigation('Users')
  await page.getByRole('link', { name: 'Nora North' }).click()
  await dialog().getByLabel('First name').waitFor()
  await pick('Groups', 'North', 'South')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await isSaved('Nora North')
  expect(await countOrders(asNora)).toBe(4)
  await nora.context().close()
  expect([...monitor.violations]).toEqual([])
  expect(monitor.pageErrors).toEqual([])
})
