import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { listTools } from './lists-tools.ts'
import { monitorPage, skipAfterFailure, type PageMonitor } from './page-monitor.ts'
import { createApiClient, startProduct, waitForExamples, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
let admin: Awaited<ReturnType<typeof createApiClient>>
let list: Awaited<ReturnType<typeof listTools>>
let chartId: number

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  admin = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(15_000)
  monitor = monitorPage(page)
  list = await listTools(page, admin)
  chartId = await list.addChart('Tagged chart')
  const dashboard = await admin.post('/api/v1/dashboard/', { dashboard_title: 'Tagged dashboard' })
  expect(dashboard.status).toBe(201)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
skipAfterFailure(() => page)

const customTags = async (): Promise<string[]> => {
  const { body } = await admin.get(`/api/v1/chart/${chartId}`)
  return (body.result.tags as { name: string; type: number }[]).filter(({ type }) => type === 1).map(({ name }) => name)
}
const dialog = () => page.getByRole('dialog', { name: 'Properties' })

it('adds a new tag in the properties of a chart, by keyboard', async () => {
  await page.goto('/chart/list/?q=Tagged+chart')
  await list.menuOf('Tagged chart')
  await list.choose('Properties')
  const field = dialog().getByRole('combobox', { name: 'Tags' })
  await field.focus()
  await page.keyboard.type('Quarterly')
  await page.getByRole('option', { name: /Quarterly/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await dialog().getByText('Quarterly', { exact: true }).first().waitFor()
  await monitor.checkAccessibility()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await list.toast('Saved: Tagged chart')
  await expect.poll(customTags).toEqual(['Quarterly'])
  await list.link('Quarterly').waitFor()
})

it('offers the tag for a dashboard', async () => {
  await page.goto('/dashboard/list/?q=Tagged+dashboard')
  await list.menuOf('Tagged dashboard')
  await list.choose('Properties')
  await dialog().getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'Quarterly' }).click()
  await page.keyboard.press('Escape')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await list.toast('Saved: Tagged dashboard')
})

it('filters a list by the tag', async () => {
  await page.goto('/chart/list/')
  const filter = page.getByRole('search').getByRole('combobox', { name: 'Tag', exact: true })
  await filter.click()
  await page.getByRole('option', { name: 'Quarterly' }).click()
  await expect.poll(list.names).toEqual(['Tagged chart'])
  await page.reload()
  await expect.poll(list.names).toEqual(['Tagged chart'])
  await expect.poll(() => filter.inputValue()).toBe('Quarterly')
})

it('renames the tag everywhere', async () => {
  await page.goto('/superset/welcome/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tags' }).click()
  await list.link('Quarterly').waitFor()
  expect(await page.getByRole('row', { name: /Quarterly/ }).textContent()).toMatch(/Quarterly.*2/)
  await monitor.checkAccessibility()
  await list.menuOf('Quarterly')
  await list.choose('Rename or describe')
  const form = page.getByRole('dialog', { name: 'Edit tag' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Monthly')
  await form.getByRole('textbox', { name: 'Description' }).fill('Figures for the monthly review')
  await form.getByRole('button', { name: 'Save' }).click()
  await list.link('Monthly').waitFor()
  expect(await customTags()).toEqual(['Monthly'])
})

it('lists the objects of the tag, and deletes it after a confirmation', async () => {
  await list.link('Monthly').click()
  await page.getByRole('heading', { name: 'Monthly' }).waitFor()
  await page.getByRole('region', { name: 'Dashboards' }).getByRole('link', { name: 'Tagged dashboard' }).waitFor()
  await page.getByRole('region', { name: 'Charts' }).getByRole('link', { name: 'Tagged chart' }).waitFor()
  await monitor.checkAccessibility()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete tag Monthly?' })
  await question.getByText('2 objects that you can see lose it.').waitFor()
  await question.getByRole('button', { name: 'Delete tag' }).click()
  await list.toast('Deleted: Monthly')
  await page.getByRole('heading', { name: 'No tags yet' }).waitFor()
  expect(await customTags()).toEqual([])
  expect([...monitor.violations]).toEqual([])
  expect(monitor.pageErrors).toEqual([])
})
