import { cpSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { waitForExamples, preparedHomeVariable, startProduct, type Product } from './product.ts'

const assets = fileURLToPath(new URL('../dist/assets/', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'parquetry-upgrade-'))
const away = mkdtempSync(join(assets, '../.away-'))
const gone = /^(HistoryPane|DashboardListPage|save-query)-/

let product: Product
let browser: JourneyBrowser
let page: Page
let loads = 0

const editor = () => page.locator('.cm-content')
const notice = () => page.getByRole('dialog', { name: 'Parquetry was updated' })

beforeAll(async () => {
  const prepared = process.env[preparedHomeVariable]
  if (prepared) cpSync(prepared, home, { recursive: true })
  product = await startProduct({ home, env: { PARQUETRY_HOME: home } })
  browser = await openBrowser()
  await waitForExamples(product.url)
  page = await openSignedInPage(browser, product.url)
  await page.goto('/superset/sqllab/')
  await editor().waitFor()
  await page.getByRole('treeitem').first().waitFor()
  await editor().focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('select 1 as typed_before')
  await page.getByRole('tab', { name: 'Results' }).waitFor()

  // The upgrade: the server restarts at the same URL without the files that the open page knows.
  await product.stop()
  for (const name of readdirSync(assets)) if (gone.test(name)) renameSync(join(assets, name), join(away, name))
  product = await startProduct({ home, env: { PARQUETRY_HOME: home, PARQUETRY_PORT: new URL(product.url).port } })
  page.on('load', () => (loads += 1))
})
afterAll(async () => {
  for (const name of readdirSync(away)) renameSync(join(away, name), join(assets, name))
  rmSync(away, { recursive: true })
  await browser?.close()
  await product?.stop()
  rmSync(home, { recursive: true, force: true })
})

it('a part that no longer exists after an upgrade is reported, and everything around it stays unchanged', async () => {
  await editor().focus()
  await page.keyboard.press('End')
  await page.keyboard.type(', 2 as typed_after')
  await page.getByRole('tab', { name: 'History' }).click()
  await notice().getByRole('button', { name: 'Reload' }).waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await notice().getByRole('button', { name: 'Not now' }).click()
  await page.getByText('Some parts of this page are unavailable until you reload it.').waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  expect(await editor().innerText()).toBe('select 1 as typed_before, 2 as typed_after')
  await editor().focus()
  await page.keyboard.press('End')
  await page.keyboard.type(', 3 as typed_later')
  expect(loads).toBe(0)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => loads).toBe(1)
  await expect.poll(() => editor().innerText()).toBe('select 1 as typed_before, 2 as typed_after, 3 as typed_later')
})

it('another page that no longer exists is reloaded automatically, once', async () => {
  loads = 0
  await page.getByRole('link', { name: 'Dashboards', exact: true }).first().click()
  await expect.poll(() => loads).toBe(1)
  // The file is still missing, which must not cause endless reloads.
  await page.getByText('This page stopped working.').waitFor()
  expect(loads).toBe(1)
})
