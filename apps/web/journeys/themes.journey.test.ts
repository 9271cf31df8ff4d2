import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, setWindowSize, type JourneyBrowser } from './browser.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { listTools } from './lists-tools.ts'
import { monitorPage, skipAfterFailure, type PageMonitor } from './page-monitor.ts'
import { createApiClient, startProduct, waitForExamples, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
let admin: Awaited<ReturnType<typeof createApiClient>>
let list: Awaited<ReturnType<typeof listTools>>
let board: number

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  admin = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(15_000)
  monitor = monitorPage(page)
  list = await listTools(page, admin)
  const { body } = await admin.get('/api/v1/dashboard/?q=(columns:!(id,dashboard_title),order_column:dashboard_title)')
  board = (body.result as { id: number; dashboard_title: string }[])[0]?.id ?? 0
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
skipAfterFailure(() => page)

/** Pictures for reviews, where a folder is named. */
const take = async (name: string): Promise<void> => {
  const folder = process.env['PARQUETRY_SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}
const variable = (name: string): Promise<string> =>
  page.evaluate((each) => getComputedStyle(document.documentElement).getPropertyValue(each), name)
const inMode = async (colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(colorScheme)
}
const dialog = (name: string) => page.getByRole('dialog', { name })

it('lists the themes of the configuration, which cannot be changed', async () => {
  await page.goto('/dashboard/list/')
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Themes' }).click()
  await list.link('THEME_DARK').waitFor()
  await monitor.checkAccessibility()
  await list.link('THEME_DEFAULT').click()
  await dialog('THEME_DEFAULT').getByText('It cannot be changed here.').waitFor()
  expect(await dialog('THEME_DEFAULT').getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  await page.keyboard.press('Escape')
})

it('creates a theme: names what is wrong in the JSON, what is left out, and pairs with too little contrast', async () => {
  await page.getByRole('main').getByRole('link', { name: 'Theme', exact: true }).first().click()
  const form = dialog('New theme')
  await form.getByLabel('Name').fill('Forest')
  const json = form.getByLabel('Tokens (JSON)')
  await json.fill('{ "token": ')
  await form
    .getByText(/line 1|Unexpected|JSON/i)
    .first()
    .waitFor()
  await json.fill('{ "token": [] }')
  await form.getByText('token must be an object').waitFor()
  await json.fill('{ "token": { "colorPrimary": "url(https://evil.example)", "colorText": "#bbbbbb" } }')
  await form.getByText(/token\.colorPrimary will be left out: not a color/).waitFor()
  await form.getByText('colorText on colorBgContainer: contrast 1.91, needs 4.5').waitFor()
  await form.getByRole('button', { name: 'Create' }).click()
  const question = page.getByRole('alertdialog', { name: 'Save a theme with too little contrast?' })
  await question.getByText('colorText on colorBgContainer: contrast 1.91, needs 4.5').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()

  await json.fill('{ "token": { "colorPrimary": "#1f6f54", "colorBgBase": "#fbfdf8", "borderRadius": 2 } }')
  await form.getByText('All pairs of colors have enough contrast (WCAG 2.2 AA).').waitFor()
  for (const mode of ['Light mode', 'Dark mode']) {
    const preview = form.getByRole('group', { name: mode })
    await expect.poll(() => preview.locator('figure, table, canvas').count()).toBeGreaterThan(0)
    const accent = await preview.evaluate((group) => getComputedStyle(group).getPropertyValue('--accent'))
    if (mode === 'Light mode') expect(accent).toBe('#1f6f54')
    else expect(accent).not.toMatch(/#1f6f54|#4469df/)
  }
  await monitor.checkAccessibility()
  await take('theme-dialog')
  await setWindowSize(page, 390, 844)
  await form.getByRole('group', { name: 'Dark mode' }).scrollIntoViewIfNeeded()
  await take('theme-dialog-phone')
  await setWindowSize(page, 1440, 900)
  await form.getByRole('button', { name: 'Create' }).click()
  await list.toast('Saved: Forest')
  await list.link('Forest').waitFor()
})

it('gives the theme to a dashboard, which shows it in light and dark; other pages do not', async () => {
  await inMode('light')
  await page.goto(`/superset/dashboard/${board}/`)
  const at = dashboardTools(page, admin)
  await at.button('More actions').click()
  await at.choose('Properties')
  const properties = dialog('Dashboard properties')
  await properties.getByRole('combobox', { name: 'Theme' }).click()
  await page.getByRole('option', { name: 'Forest' }).waitFor()
  expect(await page.getByRole('option').allTextContents(), 'none of the configuration').toEqual(['Forest'])
  await page.getByRole('option', { name: 'Forest' }).click()
  await properties.getByRole('button', { name: 'Save' }).click()
  await at.waitForText('Properties saved')
  await expect.poll(() => variable('--accent')).toBe('#1f6f54')
  expect(await variable('--surface')).toBe('#fbfdf8')
  await monitor.checkAccessibility()
  await inMode('dark')
  const dark = await variable('--accent')
  expect(dark).not.toBe('#1f6f54')
  expect(await variable('--surface')).toBe('#18191c')
  await take('theme-dashboard-dark')
  await inMode('light')
  await take('theme-dashboard-light')

  await page.goto(`/superset/dashboard/${board}/?standalone=3`)
  await expect.poll(() => variable('--accent')).toBe('#1f6f54')
  await page.goto(`/superset/dashboard/${board}/`)
  await expect.poll(() => variable('--accent')).toBe('#1f6f54')
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Charts' }).click()
  await page.getByRole('heading', { name: 'Charts' }).waitFor()
  expect(await variable('--accent')).toBe('#3157cb')
})

it('makes a theme that of all pages in light mode, and returns to the look of before', async () => {
  await page.goto('/theme/list/')
  await list.menuOf('Forest')
  await list.choose('Use as default theme')
  await expect.poll(() => variable('--accent')).toBe('#1f6f54')
  await page.getByText('Default', { exact: true }).waitFor()
  await list.link('Forest').click()
  await dialog('Edit theme').getByLabel('Tokens (JSON)').fill('{ "token": { "colorPrimary": "#6f1f54" } }')
  await dialog('Edit theme').getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => variable('--accent')).toBe('#6f1f54')
  expect(page.url()).not.toContain('edit=')
  await page.goto('/superset/welcome/')
  await expect.poll(() => variable('--accent')).toBe('#6f1f54')
  await monitor.checkAccessibility()
  await page.goto('/theme/list/')
  await list.menuOf('Forest')
  await list.choose('Stop using as default theme')
  await expect.poll(() => variable('--accent')).toBe('#3157cb')
})

it('exports the theme and imports it again, in place of a later one', async () => {
  await page.goto('/theme/list/')
  await list.menuOf('Forest')
  const [file] = await Promise.all([page.waitForEvent('download'), list.choose('Export')])
  expect(file.suggestedFilename()).toMatch(/^theme_export_\d{8}T\d{6}\.zip$/)
  await list.link('Forest').click()
  await dialog('Edit theme').getByLabel('Tokens (JSON)').fill('{ "token": { "colorPrimary": "#8a4b00" } }')
  await dialog('Edit theme').getByRole('button', { name: 'Save', exact: true }).click()
  await dialog('Edit theme').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const form = page.getByRole('dialog', { name: /^Import / })
  await form.locator('input[type=file]').setInputFiles(await file.path())
  await form.getByRole('treeitem', { name: /^Forest/ }).waitFor()
  await monitor.checkAccessibility()
  await form.getByLabel('Overwrite Forest').check()
  await form.getByRole('button', { name: 'Import 1 object' }).click()
  await page.getByText('Overwritten: 1 theme').waitFor()
  await page.keyboard.press('Escape')
  await list.link('Forest').click()
  const tokens = dialog('Edit theme').getByLabel('Tokens (JSON)')
  await expect.poll(() => tokens.inputValue()).toContain('#6f1f54')
  await page.keyboard.press('Escape')
})

it('deletes the theme, and says which dashboard loses it', async () => {
  await setWindowSize(page, 390, 844)
  await take('theme-list-phone')
  await setWindowSize(page, 1440, 900)
  await take('theme-list')
  await list.menuOf('Forest')
  await list.choose('Delete')
  const question = page.getByRole('alertdialog', { name: 'Delete theme Forest?' })
  await question.getByText(/The dashboard .+ gets the theme of all pages/).waitFor()
  await question.getByRole('button', { name: 'Delete theme' }).click()
  await list.toast('Deleted: Forest')
  const { body } = await admin.get(`/api/v1/dashboard/${board}`)
  expect(body.result.theme).toBeNull()
  expect([...monitor.violations]).toEqual([])
  expect(monitor.pageErrors).toEqual([])
})
