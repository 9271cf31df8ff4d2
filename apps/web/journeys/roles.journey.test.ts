import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { monitorPage, skipAfterFailure, type PageMonitor } from './page-monitor.ts'
import { addUserArgs, createApiClient, type Product, runCommands, startProduct, waitForExamples } from './product.ts'

type ApiClient = Awaited<ReturnType<typeof createApiClient>>

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
/** Another administrator, and a user without data. */
let other: ApiClient
let gina: ApiClient
beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  runCommands(product, addUserArgs('second', 'Admin'))
  runCommands(product, addUserArgs('gina', 'Gamma'))
  other = await createApiClient(product.url, 'second')
  gina = await createApiClient(product.url, 'gina')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(15_000)
  monitor = monitorPage(page)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
skipAfterFailure(() => page)

const readableDatasets = async (): Promise<string[]> =>
  (await gina.get('/api/v1/dataset/')).body.result.map(({ table_name }: { table_name: string }) => table_name)
const roleId = (): number => Number(/\/roles\/(\d+)/.exec(page.url())?.[1])
const checkbox = (name: string) => page.getByRole('checkbox', { name, exact: true })
const save = async (): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

it('lists the roles and says what each built-in role is for', async () => {
  await page.goto('/superset/welcome/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Roles' }).click()
  await page.getByRole('link', { name: 'sql_lab', exact: true }).waitFor()
  expect(await page.getByRole('row', { name: /^Select Gamma/ }).textContent()).toMatch(
    /Built-in.*dashboards and charts/,
  )
  await monitor.checkAccessibility()
})

it('shows fixed permissions with the reason and makes an editable copy', async () => {
  await page.getByRole('link', { name: 'Gamma', exact: true }).click()
  await page.getByText('These permissions are fixed').waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await monitor.checkAccessibility()
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('alpha')
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click()
  await page.getByText('A role named "Alpha" already exists.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Penguin readers')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Penguin readers' }).waitFor()
  await checkbox('See dashboards').waitFor()
  await monitor.checkAccessibility()
})

it('gives access to a dataset and gives the role to a user, who can read it at once', async () => {
  await page.getByRole('tab', { name: /^Data access/ }).click()
  await page.getByRole('combobox', { name: 'Add a dataset' }).click()
  await page.keyboard.type('peng')
  await page.getByRole('option', { name: 'examples.penguins' }).click()
  await page.getByRole('button', { name: 'Remove access to examples.penguins' }).waitFor()
  await save()
  await page.getByText('Saved: Penguin readers').waitFor()
  await monitor.checkAccessibility()
  expect(await readableDatasets()).toEqual([])
  await page.getByRole('tab', { name: /^Members/ }).click()
  await page.getByRole('combobox', { name: 'Add a user' }).click()
  await page.keyboard.type('gina')
  await page.getByRole('option', { name: /gina/ }).click()
  await page.getByRole('button', { name: 'Take the role from gina' }).waitFor()
  expect(await readableDatasets()).toEqual(['penguins'])
  await monitor.checkAccessibility()
})

it('shows a conflict with another administrator and keeps the own changes', async () => {
  await page.getByRole('tab', { name: /^Permissions/ }).click()
  await page.getByRole('searchbox', { name: 'Filter permissions' }).fill('export')
  await checkbox('Export charts as files').uncheck()
  const address = `/api/v1/security/roles/${roleId()}/permissions`
  const pairs = (await other.get(`${address}/`)).body.result as { id: number; permission_name: string }[]
  const kept = pairs.filter(({ permission_name }) => permission_name !== 'can_csv').map(({ id }) => id)
  expect((await other.post(address, { permission_view_menu_ids: kept })).status).toBe(200)
  await save()
  await page.getByRole('heading', { name: 'This role has changed' }).waitFor()
  await monitor.checkAccessibility()
  await page.getByRole('button', { name: 'Reload and keep my changes' }).click()
  await page.getByRole('heading', { name: 'This role has changed' }).waitFor({ state: 'detached' })
  expect(await checkbox('Export charts as files').isChecked()).toBe(false)
  await save()
  await page.getByText('Saved: Penguin readers').last().waitFor()
  await page.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' })
})

it('compares two roles and shows the differences only', async () => {
  await page.getByRole('searchbox', { name: 'Filter permissions' }).fill('')
  await page.getByRole('combobox', { name: 'Compare with' }).click()
  await page.getByRole('option', { name: 'Gamma', exact: true }).click()
  await page.getByText('2 permissions', { exact: true }).waitFor()
  await page.getByText('Gamma has it').first().waitFor()
  expect(await page.getByRole('checkbox', { name: /^(Export charts|Download data)/ }).count()).toBe(2)
  await monitor.checkAccessibility()
})

it('asks before changes that are not saved are lost', async () => {
  await checkbox('Export charts as files').check()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Roles' }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard changes of Penguin readers?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await checkbox('Export charts as files').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Discard changes' }).click()
})

it('opens dashboards to visitors without an account, says so, and closes them again', async () => {
  const visitor = await (await browser.newContext({ baseURL: product.url })).newPage()
  visitor.setDefaultTimeout(15_000)
  await page.goto('/roles/')
  await page.getByRole('link', { name: 'Public', exact: true }).click()
  await page.getByText(/^Anonymous access is off/).waitFor()
  await page.getByRole('button', { name: 'Let visitors open dashboards' }).click()
  await page.getByRole('tab', { name: /^Data access/ }).click()
  await page.getByRole('combobox', { name: 'Add a dataset' }).click()
  await page.keyboard.type('peng')
  await page.getByRole('option', { name: 'examples.penguins' }).click()
  await save()
  const question = page.getByRole('alertdialog', { name: 'Open this to everyone?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await visitor.goto('/superset/dashboard/penguins/'))?.url()).toContain('/login/')
  await save()
  await question.getByRole('button', { name: 'Open to everyone' }).click()
  await page.getByText(/^Anonymous access is on: .* reads 1 database, schema or dataset/).waitFor()
  await monitor.checkAccessibility()
  await visitor.goto('/superset/dashboard/penguins/')
  await visitor.getByText('344', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await save()
  await page.getByText(/^Anonymous access is off/).waitFor()
  await visitor.goto('/superset/dashboard/penguins/')
  expect(visitor.url()).toContain('/login/')
  await visitor.context().close()
  await page.goto('/roles/')
  await page.getByRole('link', { name: 'Penguin readers', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Penguin readers' }).waitFor()
})

it('names who still holds a role instead of deleting it, and deletes it when it is free', async () => {
  const remove = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete role' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('textbox').fill('Penguin readers')
    await dialog.getByRole('button', { name: 'Delete role' }).click()
  }
  await remove()
  await page.getByText('The role Penguin readers is still in use: user gina; remove the role there first.').waitFor()
  await page.getByRole('tab', { name: /^Members/ }).click()
  await page.getByRole('button', { name: 'Take the role from gina' }).click()
  await page.getByText('No members yet').waitFor()
  expect(await readableDatasets()).toEqual([])
  await remove()
  await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor()
  await page.getByRole('link', { name: 'Gamma', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Penguin readers' }).waitFor({ state: 'detached' })
})
