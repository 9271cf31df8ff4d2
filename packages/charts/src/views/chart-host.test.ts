import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { servePage } from '../testing/serve-page.ts'

const browserPath = [process.env.PARQUETRY_TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)

describe.skipIf(!browserPath)('ChartHost in a browser', () => {
  let served: Awaited<ReturnType<typeof servePage>>
  let browser: Browser
  let page: Page
  const faults: string[] = []

  beforeAll(async () => {
    served = await servePage()
    browser = await chromium.launch({
      executablePath: browserPath as string,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    })
    page = await browser.newPage({ viewport: { width: 700, height: 420 }, reducedMotion: 'reduce' })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    // The first load makes vite bundle the dependencies.
    await page.goto(`${served.url}?only=line/stock-prices`)
    await page.waitForFunction(() => window.drawn > 0, null, { timeout: 50_000 })
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })
  afterEach(() => {
    expect(faults.splice(0)).toEqual([])
  })

  const open = async (only: string, more = '') => {
    await page.goto(`${served.url}?only=${only}${more}`)
    if (!more.includes('empty')) await page.waitForFunction(() => window.drawn > 0)
  }
  const marks = () => page.evaluate(() => window.marks.map(({ mark, event }) => ({ ...mark, kind: event.kind })))

  it('draws without any frame on screen', async () => {
    await open('bar/penguins')
    expect(await page.locator('canvas').count()).toBe(1)
    expect(
      await page.getByRole('figure', { name: 'bar/penguins' }).last().getAttribute('aria-describedby'),
    ).toBeTruthy()
  })

  it('says what the picture shows, and reads its points by the arrow keys', async () => {
    await open('line/temperatures')
    await expect.poll(() => page.getByText(/^Line Chart of High, Low, .* Highest: 35\.6/).count()).toBe(1)
    await page.locator('[role=figure][tabindex]').focus()
    const said = async (key: string) => {
      await page.keyboard.press(key)
      return page.locator('[aria-live]').textContent()
    }
    expect(await said('ArrowRight')).toBe('Sun, Jan 1, 2012, High: 12.8')
    expect(await said('ArrowDown')).toBe('Sun, Jan 1, 2012, Low: 5')
    expect(await said('End')).toBe('Thu, Dec 31, 2015, Low: -2.1')
    expect(await page.locator('.pq-tip-on .pq-tip-value').textContent()).toBe('-2.1')
    expect(await said('Escape')).toBe('')
  })

  it('shows the data as a table on T, sorts it, and goes back on Escape', async () => {
    await open('line/temperatures')
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('t')
    const heading = page.getByRole('columnheader', { name: 'High' })
    await heading.click()
    await heading.click()
    expect(await page.locator('[data-at="0:1"]').textContent()).toBe('35.6')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('grid').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('figure')
  })

  it('makes a mark of a click: the dimension filters others, the time only drills', async () => {
    await open('bar/weather-by-month')
    await page.mouse.click(300, 220)
    await expect.poll(marks).toHaveLength(1)
    const [mark] = await marks()
    expect(mark).toMatchObject({
      kind: 'click',
      key: { weather: 'sun' },
      filters: [{ col: 'weather', op: '==', val: 'sun' }],
      drill: [
        { col: 'weather', op: '==', val: 'sun' },
        { col: 'date', op: '==', val: Date.UTC(2015, 6, 1), grain: 'P1M' },
      ],
    })
  })

  it('makes a mark of Enter on a point that the keyboard has reached', async () => {
    await open('pie/weather')
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    expect(await marks()).toMatchObject([{ key: { weather: 'sun' }, label: 'sun' }])
  })

  it('shows one series alone on a click in the legend and switches one by Shift', async () => {
    await open('line/stock-prices')
    const entry = (name: string) => page.getByRole('group', { name: 'Legend' }).getByRole('button', { name })
    const shown = () => page.locator('[aria-pressed=true]').allTextContents()
    await entry('IBM').click()
    expect(await shown()).toEqual(['IBM'])
    await entry('GOOG').click({ modifiers: ['Shift'] })
    expect(await shown()).toEqual(['GOOG', 'IBM'])
    await entry('GOOG').press(' ')
    await entry('IBM').click()
    expect(await shown()).toHaveLength(5)
  })

  it('changes theme and size without a new canvas', async () => {
    await open('line/stock-prices')
    await page.evaluate(() => {
      document.querySelector('canvas')?.setAttribute('data-first', '')
      window.setTheme('dark')
      window.setWidth(360)
    })
    await expect.poll(() => page.evaluate(() => document.querySelector('canvas')?.clientWidth)).toBe(360)
    expect(await page.locator('canvas[data-first]').count()).toBe(1)
    await page.evaluate(() => window.setTheme('light'))
  })

  it('sorts a table by its headings and filters by a cell of a dimension', async () => {
    await open('table/airports')
    expect(await page.getByRole('grid').getAttribute('aria-label')).toBe('table/airports: 60 rows')
    await page.getByRole('columnheader', { name: 'Average delay' }).click()
    const [first, second] = await page.locator('[data-at$=":2"][role=gridcell]').allTextContents()
    expect(Number(first)).toBeLessThanOrEqual(Number(second))
    await page.locator('[data-at="0:0"]').click()
    const [mark] = await marks()
    expect(mark?.filters).toEqual([
      { col: 'origin', op: '==', val: await page.locator('[data-at="0:0"]').textContent() },
    ])
    await page.locator('[data-at="0:1"]').click()
    expect(await marks()).toHaveLength(1)
  })

  it('keeps few rows in the page however many there are', async () => {
    await open('line/temperatures')
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('t')
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('1462')
    expect(await page.getByRole('row').count()).toBeLessThan(40)
  })

  it('says that there are no rows', async () => {
    await open('pie/weather', '&empty')
    await expect.poll(() => page.getByText('No rows for these filters').count()).toBe(1)
  })

  it('EXP-065: says that a type is not supported', async () => {
    await open('bar/penguins')
    await page.evaluate(() => window.setForm({ viz_type: 'nobody_draws_this' }))
    await expect.poll(() => page.getByText('This visualization type is not supported.').count()).toBe(1)
  })

  it('CHART-007: says why a picture could not be drawn', async () => {
    await open('bar/penguins')
    await page.evaluate(() => {
      HTMLCanvasElement.prototype.getContext = () => {
        throw new Error('no canvas today')
      }
      window.setForm({ viz_type: 'echarts_timeseries_line' })
    })
    await expect
      .poll(() => page.getByText('An error occurred while rendering the visualization: no canvas today').count())
      .toBe(1)
    faults.length = 0
  })
})
