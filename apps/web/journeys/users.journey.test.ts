import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let admin: Page
let client: Awaited<ReturnType<typeof createApiClient>>

beforeAll(async () => {
  product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0' } })
  browser = await openBrowser()
  client = await createApiClient(product.url, 'admin')
  admin = await openSignedInPage(browser, product.url)
  admin.setDefaultTimeout(8000)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const password = 'correct horse battery'
const dialog = () => admin.getByRole('dialog')
const toast = (text: string) => admin.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor()
const row = (name: string) => admin.getByRole('row').filter({ has: admin.getByRole('link', { name, exact: true }) })

async function pick(field: string, ...options: (string | RegExp)[]): Promise<void> {
  await dialog().getByRole('combobox', { name: field }).click()
  for (const name of options) await admin.getByRole('option', { name, exact: true }).click()
  await admin.keyboard.press('Escape')
}

async function openMenu(name: string, entry: string): Promise<void> {
  await admin.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await admin.getByRole('menuitem', { name: entry }).click()
}

async function createUser(first: string, last: string, role: string): Promise<void> {
  await admin.getByRole('link', { name: 'User', exact: true }).click()
  await dialog().getByLabel('First name').fill(first)
  await dialog().getByLabel('Last name').fill(last)
  await dialog()
    .getByLabel(/^Username/)
    .fill(first.toLowerCase())
  await dialog().getByLabel('Email address').fill(`${first.toLowerCase()}@example.com`)
  await dialog()
    .getByLabel(/^Password/)
    .fill(password)
  await pick('Roles', role)
  await dialog().getByRole('button', { name: 'Create' }).click()
  await toast(`Saved: ${first} ${last}`)
}

it('an administrator creates people in roles and groups', async () => {
  await admin.goto('/users/')
  await createUser('Ana', 'Almeida', 'Alpha')
  await createUser('Bo', 'Berg', 'Gamma')
  await createUser('Cy', 'Chen', 'Gamma')
  await expect
    .poll(() => admin.locator('tbody a[data-row]').allTextContents())
    .toEqual(['Admin', 'Ana Almeida', 'Bo Berg', 'Cy Chen'])
  expect(await findAxeViolations(admin)).toEqual([])

  await admin.goto('/list_groups/?new=true')
  await dialog().getByLabel(/^Name/).fill('North')
  await pick('Members', /^Bo Berg/, /^Cy Chen/)
  await dialog().getByRole('button', { name: 'Add attribute' }).click()
  await dialog().getByLabel('Attribute', { exact: true }).fill('region')
  await dialog().getByRole('combobox', { name: 'Values' }).fill('North')
  await admin.keyboard.press('Enter')
  await admin.keyboard.press('Escape')
  expect(await findAxeViolations(admin)).toEqual([])
  await dialog().getByRole('button', { name: 'Create' }).click()
  await toast('Saved: North')
  expect(await row('North').innerText()).toContain('2')
  await openMenu('North', 'Show members')
  await expect.poll(() => admin.locator('tbody a[data-row]').allTextContents()).toEqual(['Bo Berg', 'Cy Chen'])
})

it('a name that is in use is refused beside its field, and what was typed stays', async () => {
  await admin.goto('/users/?new=true')
  await dialog().getByLabel('First name').fill('Bob')
  await dialog()
    .getByLabel(/^Username/)
    .fill('BO')
  await dialog().getByLabel('Email address').fill('bob@example.com')
  await dialog()
    .getByLabel(/^Password/)
    .fill(password)
  await pick('Roles', 'Gamma')
  await dialog().getByRole('button', { name: 'Create' }).click()
  await dialog().getByText('A user named BO already exists.').waitFor()
  expect(await dialog().getByLabel('First name').inputValue()).toBe('Bob')
  await dialog()
    .getByLabel(/^Username/)
    .fill('bob')
  await dialog().getByRole('button', { name: 'Create' }).click()
  await toast('Saved: Bob')
})

it('a person who moves to another role has its rights with the next call', async () => {
  const bo = await openSignedInPage(browser, product.url, { username: 'bo', password })
  bo.setDefaultTimeout(8000)
  await bo.goto('/dashboard/list/')
  const statusOf = async () => (await bo.request.get('/api/v1/annotation_layer/')).status()
  expect(await statusOf()).toBe(403)
  await admin.goto('/users/')
  await admin.getByRole('link', { name: 'Bo Berg' }).click()
  await dialog().getByLabel('First name').waitFor()
  await pick('Roles', 'Alpha')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await toast('Saved: Bo Berg')
  expect(await statusOf()).toBe(200)
  // Another administrator has changed the user since the form was opened.
  await admin.getByRole('link', { name: 'Bo Berg' }).click()
  await dialog().getByLabel('Last name').fill('Berger')
  const { body } = await client.get('/api/v1/security/users/?q=(filters:!((col:username,opr:eq,value:bo)))')
  await client.put(`/api/v1/security/users/${body.result[0].id}`, { first_name: 'Boris' })
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('This user has changed').waitFor()
  await dialog().getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => dialog().getByLabel('First name').inputValue()).toBe('Boris')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

it('an employee who leaves is deactivated, and what they own is handed over', async () => {
  const ana = await createApiClient(product.url, 'ana', password)
  const made = await ana.post('/api/v1/dashboard/', { dashboard_title: 'Sales of the north' })
  expect(made.status).toBe(201)
  const page = await openSignedInPage(browser, product.url, { username: 'ana', password })
  await page.goto('/dashboard/list/')
  await admin.goto('/users/')
  await openMenu('Ana Almeida', 'Deactivate')
  await dialog().getByRole('link', { name: 'Sales of the north' }).waitFor()
  expect(await findAxeViolations(admin)).toEqual([])
  await dialog().getByRole('combobox', { name: 'New owner' }).click()
  await admin.getByRole('option', { name: /^Cy Chen/ }).click()
  await dialog().getByRole('button', { name: 'Deactivate' }).click()
  await toast('Deactivated: Ana Almeida')
  await row('Ana Almeida').getByText('Deactivated').waitFor()
  expect((await page.request.get('/api/v1/me/')).status()).toBe(401)
  expect((await ana.get('/api/v1/me/')).status).toBe(401)
  const { body } = await client.get(`/api/v1/dashboard/${made.body.id}`)
  expect(body.result.owners.map(({ last_name }: { last_name: string }) => last_name)).toEqual(['Chen'])
  // The administrator cannot end their own account.
  await admin.getByRole('button', { name: 'Actions for Admin', exact: true }).click()
  expect(await admin.getByRole('menuitem', { name: 'Deactivate' }).getAttribute('aria-disabled')).toBe('true')
  await admin.keyboard.press('Escape')
  await openMenu('Ana Almeida', 'Delete')
  await dialog().getByText('This user owns nothing.').waitFor()
  await dialog().getByRole('button', { name: 'Delete user' }).click()
  await toast('Deleted: Ana Almeida')
  await row('Ana Almeida').waitFor({ state: 'detached' })
})

it('users change their own name on their account page', async () => {
  const cy = await openSignedInPage(browser, product.url, { username: 'cy', password })
  cy.setDefaultTimeout(8000)
  await cy.goto('/user_info/')
  await cy.getByLabel('First name').fill('Cyrus')
  await cy.getByLabel('Email').fill('ADMIN@example.com')
  await cy.getByRole('button', { name: 'Save' }).click()
  await cy.getByRole('region', { name: 'Messages' }).getByText('Profile saved').waitFor()
  expect((await (await cy.request.get('/api/v1/me/')).json()).result).toMatchObject({
    first_name: 'Cyrus',
    email: 'ADMIN@example.com',
  })
  expect(await findAxeViolations(cy)).toEqual([])
  expect((await cy.request.get('/users/', { maxRedirects: 0 })).status()).toBe(302)
})
