import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dashboardApiUrl, editTools, penguinPair, savedMessage } from './dashboard-edit-tools.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { addUser, waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>
let editor: ReturnType<typeof editTools>
/** The dashboard whose star and status chip are used. */
let headed: number

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  at = dashboardTools(page, client)
  editor = editTools(page, at)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

it('SHARE-004, SHARE-006: a shared link opens the same filters and other URL parameters in another browser', async () => {
  await at.open(await at.filteredFlights('Shared flights'), '?from=a%20mail')
  await page.getByRole('combobox', { name: 'From' }).click()
  await page.keyboard.type('JFK')
  await page.getByRole('option', { name: /^JFK/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => at.tile('Flights').textContent()).not.toContain('3M')
  const number = await at.tile('Flights').textContent()
  await at.button('Share').click()
  await page.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: /Copy/ }).click()
  await at.waitForText('Link Copied!')
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toContain('/superset/dashboard/p/')
  const other = await openSignedInPage(browser, product.url)
  await other.goto(link)
  await at.answered(other)
  expect(await at.tile('Flights', other).textContent()).toBe(number)
  const bar = other.getByRole('complementary', { name: 'Filters' })
  await bar.getByText('JFK', { exact: true }).first().waitFor()
  expect(new URL(other.url()).searchParams.get('from')).toBe('a mail')
  await other.context().close()
})

it('SHARE-007: shows a message when the browser cannot copy', async () => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await page.keyboard.press('Escape')
  await at.button('Share').click()
  await page.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: /Copy/ }).click()
  await at.waitForText('Sorry, your browser does not support copying.')
})

it('DASH-013, DASH-052, DASH-060: the star toggles, and stays set after a reload', async () => {
  headed = await at.boardOf('Headed', ['Penguins'])
  await at.open(headed)
  const status = async () => (await client.get(`/api/v1/dashboard/favorite_status/?q=!(${headed})`)).body.result
  await page.getByRole('button', { name: 'Favorite Headed', pressed: false }).click()
  await expect.poll(status).toEqual([{ id: headed, value: true }])
  await at.open(headed)
  await page.getByRole('button', { name: 'Favorite Headed', pressed: true }).click()
  await expect.poll(status).toEqual([{ id: headed, value: false }])
})

it('DASH-075, DASH-076: reports when the star cannot be read or set, and resets it', async () => {
  await at.refuse(/favorite_status/, 'GET', 500, { message: 'no' })
  await at.open(headed)
  await at.waitForText('There was an issue fetching the favorite status of this dashboard.')
  await at.refuse(/favorites/, 'POST', 500, { message: 'no' })
  await page.getByRole('button', { name: 'Favorite Headed', pressed: false }).click()
  await at.waitForText('There was an issue favoriting this dashboard.')
  await page.getByRole('button', { name: 'Favorite Headed', pressed: false }).waitFor()
})

it('DASH-012, DASH-059, DASH-079, DASH-087, DASH-088: the chip hides the dashboard, publishes it, and says when the user may not', async () => {
  await at.button(/^Published/).click()
  await at.choose('Draft')
  await at.waitForText('This dashboard is now hidden')
  expect((await at.stored(headed)).published).toBe(false)
  await at.button(/^Draft/).click()
  await at.choose('Published')
  await at.waitForText('This dashboard is now published')
  expect((await at.stored(headed)).published).toBe(true)
  await at.refuse(dashboardApiUrl, 'PUT', 403, { message: 'Forbidden' })
  await at.button(/^Published/).click()
  await at.choose('Draft')
  await at.waitForText('You do not have permissions to edit this dashboard.')
})

it('DASH-011, DASH-014, DASH-055, DASH-056, DASH-057, DASH-086: saving shows progress and a confirmation, and starts a new history', async () => {
  const id = await at.boardOf('Saved', penguinPair)
  await editor.edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  await at.waitForText('Unsaved changes')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await intercept(page, dashboardApiUrl, async (route) => {
    if (route.request().method() === 'PUT') await held
    await route.continue()
  })
  await at.button('Save').click()
  await at.waitForText('Saving…')
  release()
  await at.waitForText(savedMessage)
  await page.unroute(dashboardApiUrl)
  expect(new URL(page.url()).pathname).toBe(`/superset/dashboard/${id}/`)
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
  await at.button('Edit').click()
  await expect.poll(() => at.button('Undo').getAttribute('aria-disabled')).toBe('true')
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
})

it('discarding asks with the number of changes, and then restores the saved version', async () => {
  await at.button('More actions for Penguins by species').click()
  await at.choose('Remove')
  await at.button('Discard').click()
  await page.getByRole('alertdialog').getByText('Discard 1 change?').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard 1 change' }).click()
  await at.tile('Penguins by species').waitFor()
  await at.button('Edit').waitFor()
})

it('DASH-077, DASH-078, DASH-080: a failed save says why, and keeps the edits', async () => {
  await at.button('Edit').click()
  await at.button('Save').waitFor()
  await at.button('More actions for Penguins by species').click()
  await at.choose('Remove')
  await at.refuse(dashboardApiUrl, 'PUT', 422, { message: 'the disk is full' })
  await at.button('Save').click()
  await at.waitForText('Sorry, there was an error saving this dashboard: the disk is full')
  await at.refuse(dashboardApiUrl, 'PUT', 403, { message: 'Forbidden' })
  await at.button('Save').click()
  await at.waitForText('You do not have permission to edit this dashboard')
  await intercept(page, dashboardApiUrl, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { nothing: true } }) : route.fulfill({ json: {} }),
  )
  await at.button('Save').click()
  await at.waitForText('Sorry, there was an error saving this dashboard: Sorry, an unknown error occurred')
  await page.unroute(dashboardApiUrl)
  await at.waitForText('Unsaved changes')
  await editor.save()
})

it('DASH-053: leaving asks, a reload offers the changes again, and restoring them loses nothing', async () => {
  const id = await at.boardOf('Kept', penguinPair)
  await editor.edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  await page.getByRole('navigation').getByRole('link', { name: 'Charts' }).first().click()
  const ask = page.getByRole('alertdialog')
  await ask.getByText('Leave with unsaved changes?').waitFor()
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await at.waitForText('Unsaved changes')

  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`/superset/dashboard/${id}/`)
  await at.answered()
  await at.waitForText(/You have unsaved changes from/)
  expect(await page.locator('figure').count()).toBe(2)
  await at.button('Restore').click()
  await expect.poll(() => page.locator('figure').count()).toBe(1)
  await editor.save()
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
})

it('restored changes do not silently overwrite what another user saved meanwhile', async () => {
  const id = await at.boardOf('Kept too long', penguinPair)
  await editor.edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  await at.waitForText('Unsaved changes')
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, `parquetry.dashboard.draft.${id}.1`)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto('/health')
  expect((await client.put(`/api/v1/dashboard/${id}`, { dashboard_title: 'Of somebody else' })).status).toBe(200)
  await at.open(id)
  await at.waitForText(/The dashboard has been saved since then/)
  await at.button('Restore').click()
  await at.button('Save').click()
  const dialog = page.getByRole('alertdialog', { name: 'This dashboard has changed' })
  await dialog.getByText('Of somebody else').first().waitFor()
  await dialog.getByRole('button', { name: 'Keep theirs' }).click()
  await expect.poll(() => page.locator('figure').count()).toBe(2)
  await page.getByRole('heading', { level: 1, name: 'Of somebody else' }).waitFor()
})

it('DASH-071: saving over another user’s changes shows both versions and asks; nothing is lost either way', async () => {
  const id = await at.boardOf('Shared work', penguinPair)
  await editor.edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  expect((await client.put(`/api/v1/dashboard/${id}`, { dashboard_title: 'Renamed meanwhile' })).status).toBe(200)
  await at.button('Save').click()
  const dialog = page.getByRole('alertdialog', { name: 'This dashboard has changed' })
  await dialog.getByText('Renamed meanwhile').waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await at.waitForText('Unsaved changes')
  expect((await at.stored(id)).dashboard_title).toBe('Renamed meanwhile')
  await at.button('Save').click()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await at.waitForText('Please confirm the overwrite values.')
  await at.button('Overwrite').click()
  await at.waitForText(savedMessage)
  expect(await at.rows(id)).toEqual(['Penguins by species 4'])
})

it('DASH-033, DASH-034, DASH-035, DASH-037, DASH-038, DASH-039, DASH-040: properties are edited in a dialog', async () => {
  const id = await at.boardOf('Before', ['Penguins'])
  await at.open(id)
  await at.button('More actions').click()
  await at.choose('Properties')
  const dialog = page.getByRole('dialog', { name: 'Dashboard properties' })
  await dialog.getByLabel('Title').fill('After')
  await dialog.getByLabel('URL slug').fill(' what comes after?')
  await dialog.getByText(/\/superset\/dashboard\/what-comes-after\/$/).waitFor()
  await dialog.getByLabel('Certified by').fill('The birds')
  await dialog.getByLabel('Certification details').fill('Counted twice')
  await dialog.getByRole('combobox', { name: 'Color scheme' }).click()
  await page.getByRole('option', { name: 'Superset Colors', exact: true }).click()
  expect(await dialog.getByRole('combobox', { name: 'Roles' }).count(), 'DASHBOARD_RBAC is on').toBe(1)
  await dialog.getByText('Advanced').click()
  await dialog.getByLabel('CSS').fill('.header { color: red }')
  const metadata = dialog.getByLabel('JSON metadata')
  const text = JSON.parse(await metadata.inputValue()) as object
  await metadata.fill(JSON.stringify({ ...text, refresh_frequency: 300 }))
  expect(await findAxeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.waitForText('Properties saved')
  const after = await at.stored(id)
  expect(after).toMatchObject({
    dashboard_title: 'After',
    slug: 'what-comes-after',
    certified_by: 'The birds',
    certification_details: 'Counted twice',
    css: '.header { color: red }',
  })
  expect(after.owners).toHaveLength(1)
  expect(JSON.parse(after.json_metadata)).toMatchObject({ color_scheme: 'supersetColors', refresh_frequency: 300 })
  await at.button('Every 5 minutes').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/superset/dashboard/what-comes-after/')
})

it('DASH-017, DASH-018: edit=true opens edit mode only for users who may edit', async () => {
  const id = await at.boardOf('Whose', ['Penguins'])
  await editor.edit(id)
  addUser(product, 'analyst', 'Alpha')
  const other = await openSignedInPage(browser, product.url, { username: 'analyst' })
  await at.open(id, '?edit=true', other)
  await expect.poll(() => at.tile('Penguins', other).textContent()).toContain('344')
  expect(await other.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  expect(await other.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
  await other.context().close()
})

it('DASH-014: a new dashboard opens untitled, empty and in edit mode, and is stored with the first save', async () => {
  const count = async () => (await client.get('/api/v1/dashboard/')).body['count'] as number
  const before = await count()
  await page.goto('/dashboard/new/')
  await page.getByRole('heading', { name: '[ untitled dashboard ]' }).waitFor()
  await at.waitForText('Drag charts here')
  expect(await findAxeViolations(page)).toEqual([])
  await at.button('Add Penguins').click()
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('344')
  expect(await count()).toBe(before)
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/superset\/dashboard\/\d+\/$/)
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('344')
  expect(await count()).toBe(before + 1)
})
