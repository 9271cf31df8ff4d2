import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { queryExpectedResult, openTables, type RunSql } from './expected-result.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { dropFile } from './files.ts'
import { createApiClient, startProduct, type Product } from './product.ts'
import { findMismatches, readTile } from './tile-content.ts'
import { skipAfterFailure } from './page-monitor.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-newcomer-'))
const sales = `day,shop,turnover\n${Array.from({ length: 600 }, (_, index) => {
  const day = new Date(Date.UTC(2024, 0, 1 + (index % 150))).toISOString().slice(0, 10)
  return `${day},${['Lisbon', 'Oslo', 'Quito', 'Tartu'][((index * 5) % 7) % 4]},${(index * 13) % 217}.25`
}).join('\n')}\n`
const password = 'four words that nobody guesses'
const chart = 'Turnover by day, by shop'

let product: Product
let browser: JourneyBrowser
let page: Page
/** Page of the user who receives the link, and the browser that opens it. */
let reader: Page
let readerBrowser: JourneyBrowser
let runSql: RunSql
/** Elements pressed with the mouse, and dialogs that opened, in order. */
const presses: string[] = []
const dialogs: string[] = []

beforeAll(async () => {
  writeFileSync(join(folder, 'sales.csv'), sales)
  const env = { PARQUETRY_ADMIN_USERNAME: '', PARQUETRY_ADMIN_PASSWORD: '', PARQUETRY_EXAMPLES: '0' }
  product = await startProduct({ env })
  browser = await openBrowser()
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await watch(context)
  page = await context.newPage()
  page.on('dialog', (dialog) => void dialogs.push(`the browser's own: ${dialog.message()}`))
})
afterAll(async () => {
  await readerBrowser?.close()
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})
skipAfterFailure(() => page)

async function watch(context: BrowserContext): Promise<void> {
  await context.exposeFunction('notePress', (what: string) => void presses.push(what))
  await context.exposeFunction('noteDialog', (name: string) => void dialogs.push(name))
  await context.addInitScript(() => {
    const notes = globalThis as unknown as Record<'notePress' | 'noteDialog', (text: string) => void>
    const press = (event: Event) => {
      const { ariaLabel, textContent } = event.target as Element
      const note = () => event.isTrusted && !event.defaultPrevented && notes.notePress(ariaLabel ?? textContent ?? '')
      // The driver blocks and repeats a press that would miss its target because the page moved.
      setTimeout(note)
    }
    addEventListener('pointerdown', press, { capture: true })
    const seen = new WeakSet<Element>()
    new MutationObserver(() => {
      for (const each of document.querySelectorAll('dialog, [role="dialog"]')) {
        const name = each.ariaLabel ?? document.getElementById(each.getAttribute('aria-labelledby') ?? '')?.textContent
        if (seen.has(each) || !name) continue
        seen.add(each)
        notes.noteDialog(name)
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-labelledby'] })
  })
}

const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
const type = (text: string) => page.keyboard.type(text)
const press = (key: string) => page.keyboard.press(key)
const focusIn = (name: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-filter]')?.textContent)).toContain(name)

/** Colors of the legend by label, and all colors of the drawn chart itself. */
async function readColors(on: Page): Promise<{ legend: Record<string, string>; drawn: string[] }> {
  const tile = on.locator(`figure[aria-label="${chart}"]`)
  await tile.locator('canvas').waitFor()
  return tile.evaluate((element) => {
    const entries = [...element.querySelectorAll('[role="group"] button')]
    const canvas = element.querySelector('canvas')!
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    const counts = new Map<string, number>()
    for (let index = 0; index < data.length; index += 4) {
      const color = data.subarray(index, index + 4).join(' ')
      counts.set(color, (counts.get(color) ?? 0) + 1)
    }
    const frequent = [...counts].filter(([, count]) => count > 400).map(([color]) => color)
    const swatchColor = (entry: Element) => getComputedStyle(entry.querySelector('i')!).backgroundColor
    return {
      legend: Object.fromEntries(entries.map((entry) => [entry.textContent ?? '', swatchColor(entry)])),
      drawn: frequent.toSorted((a, b) => a.localeCompare(b)),
    }
  })
}

async function expectCorrectNumbers(target: Page): Promise<void> {
  const client = await createApiClient(product.url, 'admin', password)
  const [{ id, form_data }] = (await client.get(`/api/v1/dashboard/1/charts`)).body.result
  const dataset = (await client.get(`/api/v1/dataset/${Number.parseInt(form_data.datasource, 10)}`)).body.result
  runSql ??= await openTables(product.home, { sales: join(folder, 'sales.csv') })
  const activeFilters = { time: ['2024-02-01', '2024-03-01'], values: { shop: ['Oslo', 'Tartu'] } } as const
  const answer = await queryExpectedResult(runSql, form_data, dataset, activeFilters)
  expect(answer.rows.length, `points of chart ${id}`).toBeGreaterThan(1)
  const tile = target.locator(`figure[aria-label="${chart}"]`)
  await expect.poll(async () => findMismatches(await readTile(tile), answer)).toEqual([])
}

it('regression: the link printed at startup leads to a password form, which is sent once however often Enter is pressed', async () => {
  const link = () => /^http\S+\/login\/link\/\S+$/m.exec(product.output())?.[0] ?? ''
  await expect.poll(link).not.toBe('')
  await page.goto(link())
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
  await type(password)
  await page.getByRole('textbox', { name: 'Repeat password' }).click()
  await type(password)
  let sent = 0
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await intercept(page, '**/login/link/**', async (route) => {
    sent += 1
    await held
    await route.continue()
  })
  await press('Enter')
  await expect.poll(() => sent).toBe(1)
  await press('Enter')
  release()
  await page.getByRole('heading', { name: 'Start with your data' }).waitFor()
  expect(sent).toBe(1)
})

it('a dropped file becomes a chart on its own dashboard', async () => {
  await dropFile(page, 'sales.csv', sales)
  await button('Add and create chart').click()
  await button(`Open ${chart} in Explore`).click()
  await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
  await page.locator('figure[aria-busy=false] canvas').first().waitFor()
  await button('Save').click()
  await page.getByRole('combobox', { name: 'Add to dashboard' }).click()
  await page.getByRole('option', { name: '+ New dashboard' }).click()
  await button('Save & go to dashboard').click()
  // Explore, which is still mounted, also has a heading of this name, a chart and a button for filters.
  await button('Edit').waitFor()
  await page.getByRole('heading', { level: 1, name: chart }).waitFor()
  await page.locator('figure[aria-busy=false] canvas').first().waitFor()
})

it('a time filter and a value filter can be filled by typing as soon as they are created', async () => {
  await button('Add a filter').click()
  await page.getByRole('option', { name: 'Time range' }).click()
  await focusIn('Time range')
  await type('2024-02')
  await press('Enter')
  await button('Add a filter').click()
  await page.getByRole('option', { name: /^shop/ }).click()
  await focusIn('shop')
  for (const shop of ['Oslo', 'Tartu']) {
    await type(shop)
    await press('Enter')
    await button(`Remove ${shop}`).waitFor()
  }
  await press('Escape')
  await button(`${chart}: 2 filters applied, 0 not applied`).waitFor()
  await dashboardTools(page, await createApiClient(product.url, 'admin', password)).answered()
})

it('the copied link shows the right numbers in another browser, after fewer than 14 clicks', async () => {
  await button('Share').click()
  await page.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link Copied!').first().waitFor()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^http/)
  const link = await copied()
  expect(presses.length, presses.join('; ')).toBeLessThan(14)
  expect(dialogs).toEqual(['Add sales.csv · 14.1 kB', 'Save chart', 'Share'])
  await press('Escape')
  await expectCorrectNumbers(page)

  readerBrowser = await openBrowser()
  reader = await openSignedInPage(readerBrowser, product.url, {
    password,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await reader.goto(link)
  await reader.getByRole('button', { name: `${chart}: 2 filters applied, 0 not applied` }).waitFor()
  await dashboardTools(reader, await createApiClient(product.url, 'admin', password)).answered()
  await expectCorrectNumbers(reader)
})

it('each shop has the same color in both browsers', async () => {
  expect(await readColors(reader)).toEqual(await readColors(page))
})
