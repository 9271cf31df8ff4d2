import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, type JourneyBrowser } from './browser.ts'
import { serveGridPage } from './grid-page.ts'

interface Harness {
  gridHarness: { show(rows: number, columns: number): number; close(): void }
}

let served: Awaited<ReturnType<typeof serveGridPage>>
let browser: JourneyBrowser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  served = await serveGridPage()
  browser = await openBrowser()
  context = await browser.newContext({
    viewport: { width: 1200, height: 600 },
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  await page.goto(served.url)
  await page.waitForFunction(() => 'gridHarness' in window)
})
afterAll(async () => {
  await browser?.close()
  await served?.close()
})

const show = (rows: number, columns: number): Promise<number> =>
  page.evaluate(([r, c]) => (window as unknown as Harness).gridHarness.show(r, c), [rows, columns] as const)
const close = (): Promise<void> => page.evaluate(() => (window as unknown as Harness).gridHarness.close())
const grid = () => page.getByRole('grid', { name: 'Result' })
const cell = (row: number, column: number) =>
  grid().locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`)
const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
const at = async (): Promise<string | null> => {
  const id = await grid().getAttribute('aria-activedescendant')
  return id === null ? null : page.locator(`[id="${id}"]`).textContent()
}
/** Presses keys in the grid, one after the other. */
async function press(...keys: string[]): Promise<void> {
  await grid().focus()
  for (const key of keys) {
    // The menu opens at the cell, which the key before it may have to scroll into view.
    if (key === 'Shift+F10') await expect.poll(at).not.toBeNull()
    await page.keyboard.press(key)
  }
}
async function search(text: string): Promise<void> {
  await press('Control+f')
  const field = page.getByRole('textbox', { name: 'Search loaded rows' })
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.insertText(text)
}

describe('100,000 rows of 50 columns', () => {
  it('keep only visible cells in the document, and report the total counts', async () => {
    await show(100_000, 50)
    expect(await grid().getAttribute('aria-rowcount')).toBe('100001')
    expect(await grid().getAttribute('aria-colcount')).toBe('51')
    expect(await grid().getByRole('gridcell').count()).toBeLessThan(600)
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('scroll by drawing only what comes into view', async () => {
    const { frames, mostAdded, isFilled } = await page.evaluate(async () => {
      const element = document.querySelector('[role="grid"]')!
      const body = element.querySelectorAll('[role="rowgroup"]')[1]!
      let added = 0
      const observer = new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) if ((node as Element).matches?.('[role="row"]')) added += 1
      })
      observer.observe(body, { childList: true, subtree: true })
      const times: number[] = []
      let mostAdded = 0
      for (let step = 0; step < 60; step += 1) {
        added = 0
        element.scrollBy(0, 280)
        times.push(await new Promise<number>((resolve) => requestAnimationFrame(resolve)))
        await new Promise((resolve) => setTimeout(resolve))
        mostAdded = Math.max(mostAdded, added)
      }
      element.scrollBy(2000, 0)
      await new Promise(requestAnimationFrame)
      await new Promise((resolve) => setTimeout(resolve))
      const box = element.getBoundingClientRect()
      const isFilled = [0.3, 0.6, 0.95].every((part) =>
        document
          .elementFromPoint(box.left + box.width * part, box.top + box.height * part)
          ?.matches('[role="gridcell"]'),
      )
      observer.disconnect()
      const gaps = times.slice(1).map((time, index) => time - times[index]!)
      return { frames: gaps.toSorted((a, b) => a - b), mostAdded, isFilled }
    })
    process.stdout.write(
      `grid 100,000 x 50: frame median ${frames[29]?.toFixed(1)} ms, 95 of 100 ${frames[56]?.toFixed(1)} ms\n`,
    )
    expect(isFilled).toBe(true)
    // 280 px bring ten rows into view, and two more where drawing steps and rows do not align.
    expect(mostAdded).toBeGreaterThan(0)
    expect(mostAdded).toBeLessThanOrEqual(24)
  })

  it('can be reached at both ends with the keyboard', async () => {
    await press('Control+End')
    await cell(99_999, 49).waitFor()
    await expect.poll(at).toBe(await cell(99_999, 49).textContent())
    await press('Control+Home')
    await cell(0, 0).waitFor()
  })

  it('are searched and sorted in a worker, and say that it covers loaded rows only', async () => {
    await search('NUMBER 99999')
    const told = page.getByRole('group', { name: 'Search, sorting and filters' }).getByRole('status')
    await expect.poll(() => told.textContent(), { timeout: 20_000 }).toBe('1 of 100,000 loaded rows')
    await expect.poll(() => page.workers().length).toBe(1)
    await page.getByRole('button', { name: 'Clear sort and filters' }).click()
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('100001')
    await press('ArrowUp', 'Enter', 'Enter')
    await expect.poll(() => cell(0, 0).textContent(), { timeout: 20_000 }).toBe('100002')
  })

  it('release their memory when they are closed', async () => {
    const session = await context.newCDPSession(page)
    const heapMb = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize = 0 } = (await session.send('Runtime.getHeapUsage')) as {
        usedSize: number
        backingStorageSize?: number
      }
      return (usedSize + backingStorageSize) / 1e6
    }
    await close()
    const before = await heapMb()
    await show(100_000, 50)
    await search('city 199')
    await expect.poll(() => page.workers().length).toBe(1)
    const open = await heapMb()
    await close()
    await expect.poll(() => page.workers().length).toBe(0)
    await expect.poll(heapMb).toBeLessThan(before + 5)
    const after = await heapMb()
    process.stdout.write(
      `grid 100,000 x 50: ${before.toFixed(0)} MB before, ${open.toFixed(0)} open, ${after.toFixed(0)} after\n`,
    )
    expect(open - before).toBeGreaterThan(20)
  })
})

describe('a result', () => {
  it('distinguishes null from empty text, keeps every digit, and shows zoned times in the clock of charts and filters', async () => {
    await show(1000, 8)
    expect(await cell(0, 7).textContent()).toBe('""')
    expect(await cell(1, 7).textContent()).toBe('∅')
    expect(await cell(0, 2).textContent()).toBe('9007199254740993')
    expect(await cell(0, 3).textContent()).toBe('90,071,992,547,409.93')
    expect(await cell(0, 4).textContent()).toBe('2023-11-14 22:13:20')
    expect(await grid().getByRole('columnheader').nth(5).textContent()).toContain('UTC')
  })

  it('copies the selection of Shift and the arrows, as text and as a table', async () => {
    await press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+c')
    await expect.poll(clipboard).toBe('0\t\n7919\t0.14285714285714285')
    const html = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      return (await item!.getType('text/html')).text()
    })
    expect(html).toContain('>7919</td>')
    expect(html).not.toContain('<th>')
  })

  it('copies whole columns with their headers', async () => {
    await press('Control+Home', 'Control+Space', 'Control+c')
    await expect.poll(async () => (await clipboard()).split('\n').slice(0, 3)).toEqual(['column_0', '0', '7919'])
    expect((await clipboard()).split('\n')).toHaveLength(1001)
  })

  it('opens JSON complete and indented, and returns the focus', async () => {
    await press('Control+Home', 'End', 'ArrowDown', 'ArrowDown', 'Enter')
    const viewer = page.getByRole('dialog', { name: 'column_7' })
    expect(await viewer.locator('pre').textContent()).toBe('{\n  "row": 2\n}')
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await expect.poll(() => grid().evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('pins, moves, resizes and hides a column by keyboard alone', async () => {
    await press('Control+Home', 'ArrowRight', 'ArrowUp', 'Alt+ArrowRight')
    const heads = async () => (await grid().getByRole('columnheader').allTextContents()).slice(1, 4)
    await expect.poll(heads).toEqual(['column_0', 'column_2', 'column_1'])
    const width = async () => (await grid().getByRole('columnheader').nth(3).boundingBox())?.width ?? 0
    const before = await width()
    await press('Alt+Shift+ArrowRight')
    await expect.poll(width).toBe(before + 16)
    await press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Pin to left' }).press('Enter')
    await expect.poll(heads).toEqual(['column_1', 'column_0', 'column_2'])
    await press('Control+Home', 'ArrowUp', 'Shift+F10')
    await page.getByRole('menuitem', { name: 'Hide' }).press('Enter')
    await expect.poll(heads).toEqual(['column_0', 'column_2', 'column_3'])
    await page.getByRole('button', { name: 'Show 1 hidden column' }).click()
    await expect.poll(heads).toContain('column_1')
  })

  it('moves a column by dragging its header', async () => {
    await show(1000, 4)
    const box = async (name: string) => (await grid().getByRole('columnheader', { name }).boundingBox())!
    const [from, to] = [await box('column_0'), await box('column_2')]
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 60, from.y + 10, { steps: 3 })
    await page.mouse.move(to.x + to.width - 10, to.y + 10, { steps: 5 })
    await page.mouse.up()
    const heads = async () => (await grid().getByRole('columnheader').allTextContents()).slice(1)
    await expect.poll(heads).toEqual(['column_1', 'column_2', 'column_0', 'column_3'])
    expect(await grid().locator('[aria-sort="ascending"]').count()).toBe(0)
  })

  it('filters by the value of a cell, and the filter can be changed and removed', async () => {
    await show(1000, 8)
    await press('Control+Home', 'End', 'ArrowDown', 'Shift+F10')
    await page.getByRole('menuitem', { name: 'Only rows without a value' }).press('Enter')
    const told = page.getByRole('group', { name: 'Search, sorting and filters' }).getByRole('status')
    await expect.poll(() => told.textContent()).toBe('333 of 1,000 loaded rows')
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove filter on column_7' }).click()
    await told.waitFor({ state: 'detached' })
  })

  it('says that no row matches, and shows all rows again', async () => {
    await search('no such text')
    const clear = page.getByRole('button', { name: 'Clear filter', exact: true })
    await clear.waitFor()
    const field = page.getByRole('textbox', { name: 'Search loaded rows' })
    expect((await field.boundingBox())!.y).toBeLessThan((await grid().boundingBox())!.y)
    expect(await findAxeViolations(page)).toEqual([])
    await clear.click()
    await cell(0, 0).waitFor()
  })

  it('quotes empty text, and sums selected cells with every digit', async () => {
    await show(3, 8)
    expect(await cell(0, 7).textContent()).toBe('""')
    expect(await cell(1, 7).textContent()).toBe('∅')
    await press('Control+Home', 'ArrowRight', 'ArrowRight', 'Control+ ')
    const summary = page.getByRole('group', { name: 'Selected cells' })
    await summary.getByRole('button', { name: 'Sum 27,021,597,764,222,982' }).click()
    await expect.poll(clipboard).toBe('27021597764222982')
    expect(await findAxeViolations(page)).toEqual([])
    await show(1000, 8)
  })

  it('shows column statistics beside its rows', async () => {
    await press('Control+Home', 'ArrowRight', 'ArrowUp', 'Shift+F10')
    await page.getByRole('menuitem', { name: 'Column statistics' }).press('Enter')
    const panel = page.getByRole('complementary', { name: 'Column statistics' })
    await panel.getByText('200 (20%)').waitFor()
    expect(await panel.getByRole('img', { name: /Histogram of column_1/ }).isVisible()).toBe(true)
    expect(await findAxeViolations(page)).toEqual([])
    await panel.getByRole('button', { name: 'Close statistics' }).click()
    await expect.poll(() => grid().evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('reads from right to left where the page does', async () => {
    await page.evaluate(() => (document.documentElement.dir = 'rtl'))
    await show(1000, 40)
    await press('Control+Home', 'ArrowLeft')
    await expect.poll(at).toBe('∅')
    await press('End')
    await cell(0, 39).waitFor()
    expect(await cell(0, 39).isVisible()).toBe(true)
    await page.evaluate(() => (document.documentElement.dir = 'ltr'))
  })

  it('of a million rows scrolls to its end', async () => {
    await show(1_000_000, 2)
    await press('Control+End')
    await cell(999_999, 1).waitFor()
    expect(await cell(999_999, 1).isVisible()).toBe(true)
    await press('PageUp')
    await expect.poll(at).not.toBeNull()
    await close()
  })
})
