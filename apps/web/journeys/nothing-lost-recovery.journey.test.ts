import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { editTools, penguinCharts, penguinPair, savedMessage } from './dashboard-edit-tools.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { addUser, waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>
let editor: ReturnType<typeof editTools>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  addUser(product, 'ada', 'Admin')
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  at = dashboardTools(page, client)
  editor = editTools(page, at)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

it('two editors: changes that do not conflict are merged with one click, and both are stored', async () => {
  const id = await at.boardOf('Two editors', penguinCharts)
  const other = await openSignedInPage(browser, product.url, { username: 'ada' })
  await editor.edit(id)
  await editor.edit(id, other)
  await editor.removeTile('Penguins')
  await editor.removeTile('Penguins by island', other)
  await editor.save(other)
  await at.button('Save').click()
  const dialog = page.getByRole('alertdialog', { name: 'This dashboard has changed' })
  await dialog.getByText('Chart “Penguins” removed').waitFor()
  await dialog.getByText('Chart “Penguins by island” removed').waitFor()
  await dialog.getByText('The changes don’t conflict').waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge and save' }).click()
  await at.waitForText(savedMessage)
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
  await other.context().close()
})

it('an expired session: the save waits until the user signs in again, and succeeds', async () => {
  const id = await at.boardOf('Expired', penguinPair)
  const own = await openSignedInPage(browser, product.url, { username: 'ada' })
  await editor.edit(id, own)
  await editor.removeTile('Penguins', own)
  await own.context().clearCookies()
  await at.button('Save', own).click()
  const dialog = own.getByRole('dialog').filter({ has: own.getByRole('textbox', { name: 'Password' }) })
  await dialog.getByRole('textbox', { name: 'Password' }).fill('ada')
  await own.keyboard.press('Enter')
  await at.waitForText(savedMessage, own)
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
  await own.context().close()
})

/** Signs in again over the current page. */
async function signInAgain(on: Page): Promise<void> {
  const dialog = on.getByRole('dialog', { name: 'Sign in again' })
  await dialog.getByRole('textbox', { name: 'Password' }).fill('ada')
  await on.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

/** Reloads the page after its session has ended: the sign-in page comes first, and leads back. */
async function reloadSignedOut(on: Page): Promise<void> {
  await on.context().clearCookies()
  await on.reload()
  await on.getByRole('textbox', { name: 'Username' }).fill('ada')
  await on.getByRole('textbox', { name: 'Password' }).fill('ada')
  await on.keyboard.press('Enter')
}

it('an expired session: the draft of a chart is restored after signing in again, over the page or on the sign-in page', async () => {
  const own = await openSignedInPage(browser, product.url, { username: 'ada' })
  const q = "(columns:!(id),filters:!((col:slice_name,opr:eq,value:'Busiest airports')))"
  const { ids } = (await client.get(`/api/v1/chart/?q=${q}`)).body
  await own.goto(`/explore/?slice_id=${ids[0]}`)
  const control = (name: string) => own.getByRole('region', { name: 'Controls' }).getByLabel(name, { exact: true })
  const isZoomed = () => control('Data zoom').isChecked()
  const title = own.getByRole('region', { name: 'Controls' }).getByLabel('X-axis title', { exact: true })
  const look = () => own.getByRole('tab', { name: 'Style' }).click()
  await look()
  await control('Data zoom').check()
  await expect.poll(() => own.url()).toContain('form_data_key')

  await own.context().clearCookies()
  await title.fill('typed while')
  await signInAgain(own)
  expect([await isZoomed(), await title.inputValue()]).toEqual([true, 'typed while'])

  await reloadSignedOut(own)
  await look()
  await expect.poll(() => title.inputValue()).toBe('typed while')
  expect(await isZoomed()).toBe(true)

  // Typed after the session had ended; the page is reloaded before signing in again.
  await own.context().clearCookies()
  await title.fill('typed after')
  await own.getByRole('dialog', { name: 'Sign in again' }).waitFor()
  await reloadSignedOut(own)
  await look()
  await expect.poll(() => title.inputValue()).toBe('typed after')
  expect(await isZoomed()).toBe(true)
  await own.getByText('Unsaved changes').waitFor()
  await own.context().close()
})

it('an expired session: the draft of a dataset is restored after signing in again, and its save waits for that', async () => {
  const own = await openSignedInPage(browser, product.url, { username: 'ada' })
  const q = '(columns:!(id),filters:!((col:table_name,opr:eq,value:penguins)))'
  const { ids } = (await client.get(`/api/v1/dataset/?q=${q}`)).body
  await own.goto(`/dataset/${ids[0]}?tab=settings`)
  const offset = own.getByLabel('Hours offset')
  await offset.fill('3')
  await own.context().clearCookies()
  await offset.fill('-3')
  await reloadSignedOut(own)
  await own.getByText('Your unsaved changes were restored.').waitFor()
  expect(await offset.inputValue()).toBe('-3')

  await own.context().clearCookies()
  await own.keyboard.press('Control+s')
  await own.getByRole('alertdialog', { name: 'Confirm save' }).waitFor()
  await own.keyboard.press('Enter')
  await signInAgain(own)
  await own.getByText(/^The dataset has been saved/).waitFor()
  expect((await client.get(`/api/v1/dataset/${ids[0]}`)).body.result.offset).toBe(-3)
  await own.context().close()
})

it('a lost connection: the save waits and succeeds when it is back, even if only its response was lost', async () => {
  const id = await at.boardOf('Offline', penguinPair)
  const address = new RegExp(`api/v1/dashboard/${id}$`)
  await editor.edit(id)
  await editor.removeTile('Penguins')
  let isLost = true
  await intercept(page, address, async (route) => {
    if (route.request().method() !== 'PUT' || !isLost) return route.continue()
    isLost = false
    // The server saves it, but the browser gets no response.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await at.button('Save').click()
  await at.waitForText('No connection. The dashboard will be saved when you’re back online.')
  await at.waitForText(savedMessage)
  await page.unroute(address)
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
})

/** Crashes the page without unload handlers and opens another one in its place. */
async function crash() {
  const session = await page.context().newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  session.send('Page.crash').catch(() => undefined)
  await crashed
  const next = await page.context().newPage()
  await page.close()
  page = next
  at = dashboardTools(page, client)
  editor = editTools(page, at)
}

it('a browser crash: unsaved layout and properties are offered again', async () => {
  const id = await at.boardOf('Crashed', penguinPair)
  await editor.edit(id)
  await editor.removeTile('Penguins')
  await at.button('Properties').click()
  const dialog = page.getByRole('dialog', { name: 'Dashboard properties' })
  await dialog.getByLabel('Certified by').fill('Nobody')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.waitForFunction(
    (key) => localStorage.getItem(key)?.includes('Nobody'),
    `parquetry.dashboard.draft.${id}.1`,
  )
  await crash()
  await at.open(id)
  await page.getByText(/You have unsaved changes from/).waitFor()
  await at.button('Restore').click()
  await expect.poll(() => at.tile('Penguins').count()).toBe(0)
  await editor.save()
  expect((await at.stored(id)).certified_by).toBe('Nobody')
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
})

it('regression: a browser crash does not lose the text that is being written', async () => {
  const id = await at.boardOf('Crashed while writing', penguinPair)
  await editor.edit(id)
  await page.getByText('Layout', { exact: true }).first().click()
  await at.button('Add Text').click()
  await at.button('Write text').click()
  await page.getByLabel('Text (Markdown)').fill('Half a sent')
  await page.waitForFunction(
    (key) => localStorage.getItem(key)?.includes('Half a sent'),
    `parquetry.dashboard.draft.${id}.1`,
  )
  await crash()
  await at.open(id)
  await at.button('Restore').click()
  await page.getByText('Half a sent').waitFor()
  await editor.save()
  expect(JSON.stringify((await at.stored(id)).position_json)).toContain('Half a sent')
})

it('a restored draft is merged with changes that another user saved meanwhile', async () => {
  const id = await at.boardOf('Left behind', penguinPair)
  await editor.edit(id)
  await editor.removeTile('Penguins')
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, `parquetry.dashboard.draft.${id}.1`)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto('/health')
  await client.put(`/api/v1/dashboard/${id}`, { dashboard_title: 'Renamed meanwhile', certified_by: 'Ada' })
  await at.open(id)
  await at.button('Restore').click()
  await at.button('Save').click()
  const dialog = page.getByRole('alertdialog', { name: 'This dashboard has changed' })
  await dialog.getByText('Title changed').waitFor()
  await dialog.getByRole('button', { name: 'Merge and save' }).click()
  await at.waitForText(savedMessage)
  expect(await at.stored(id)).toMatchObject({ dashboard_title: 'Renamed meanwhile', certified_by: 'Ada' })
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
})

it('undo covers properties and filters, and after a save an earlier version can be restored', async () => {
  const id = await at.boardOf('Undone', penguinPair)
  await editor.edit(id)
  await at.button('Properties').click()
  const dialog = page.getByRole('dialog', { name: 'Dashboard properties' })
  await dialog.getByLabel('Title').fill('Undone twice')
  await dialog.getByLabel('Certified by').fill('The birds')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('heading', { level: 1, name: 'Undone twice' }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('heading', { level: 1, name: 'Undone', exact: true }).waitFor()
  await page.keyboard.press('Control+Shift+z')
  await editor.removeTile('Penguins')
  await editor.save()
  expect(await at.stored(id)).toMatchObject({ dashboard_title: 'Undone twice', certified_by: 'The birds' })

  await at.button('More actions').click()
  await at.choose('Versions')
  const drawer = page.getByRole('dialog', { name: 'Versions of Undone twice' })
  await drawer.getByText('Title: Undone → Undone twice').waitFor()
  await drawer.getByText('Chart “Penguins” removed').waitFor()
  await drawer.getByRole('button', { name: 'Preview' }).nth(1).click()
  await drawer.getByText(/^2 charts|^No charts/).waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await drawer.getByRole('link', { name: 'View with data' }).click()
  await page.getByText('Its charts and data are those of today.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Undone', exact: true }).waitFor()
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('344')
  expect(await at.button('Edit').count(), 'a version cannot be changed').toBe(0)
  expect(await findAxeViolations(page)).toEqual([])
  await at.button('Restore this version').click()
  await page
    .getByRole('dialog', { name: /^Restore the version/ })
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: 'Restore' })
    .click()
  await page.waitForURL(new RegExp(`/superset/dashboard/${id}/$`))
  await at.tile('Penguins').waitFor()
  expect(await at.stored(id)).toMatchObject({ dashboard_title: 'Undone' })
  expect(await at.rows(id)).toEqual(['Penguins 4 | Penguins by species 4'])
  await page.keyboard.press('Escape')
})

it('a deleted dashboard is restored by Undo, and from the trash under another URL when its own is taken', async () => {
  const id = await at.boardOf('Thrown away', ['Penguins'])
  await client.put(`/api/v1/dashboard/${id}`, { slug: 'thrown' })
  const throwAway = async () => {
    await at.open(id)
    await at.button('More actions').click()
    await at.choose('Delete')
    await at.button('Delete dashboard').click()
    await page.waitForURL('**/dashboard/list/')
    expect((await client.get(`/api/v1/dashboard/${id}`)).status).toBe(404)
  }
  await throwAway()
  await at.button('Undo').click()
  await expect.poll(async () => (await client.get(`/api/v1/dashboard/${id}`)).status).toBe(200)

  await throwAway()
  await client.post('/api/v1/dashboard/', { dashboard_title: 'Another', slug: 'thrown' })
  await page.goto('/trash/')
  await page.getByText('Thrown away').waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await at.button('Restore Thrown away').click()
  const dialog = page.getByRole('dialog', { name: 'Restore Thrown away' })
  await dialog.getByLabel('URL slug').fill('thrown-back')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(async () => (await client.get('/api/v1/dashboard/thrown-back')).body.result?.id).toBe(id)
  expect(await at.rows(id)).toEqual(['Penguins 4'])
})
