import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chartEntries } from '../registry.ts'
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
      // Maps draw their static images: without a graphics card WebGL takes minutes for them.
      args: ['--no-sandbox', '--disable-gpu', '--disable-3d-apis', '--disable-background-networking', '--no-first-run'],
    })
    page = await browser.newPage({ viewport: { width: 700, height: 420 }, reducedMotion: 'reduce' })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    // The first load makes Vite bundle the dependencies.
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

  it('draws without any surrounding frame', async () => {
    await open('bar/penguins')
    expect(await page.locator('canvas').count()).toBe(1)
    expect(
      await page.getByRole('figure', { name: 'bar/penguins' }).last().getAttribute('aria-describedby'),
    ).toBeTruthy()
  })

  it('regression: draws the first chart without animation, whatever its series types define', async () => {
    const moving = await browser.newPage({ viewport: { width: 700, height: 420 } })
    /** Number of distinct frames seen from the n-th drawing on. */
    const looks = (drawing: number): Promise<number> =>
      moving.evaluate(async (n) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        while (!(window.drawn >= n)) await frame()
        const seen = new Set<string>()
        for (let index = 0; index < 20; index += 1) {
          seen.add(document.querySelector('canvas')?.toDataURL() ?? '')
          await frame()
        }
        return seen.size
      }, drawing)
    for (const only of ['bar/penguins', 'pie/weather', 'treemap/industries']) {
      await moving.goto(`${served.url}?only=${only}`)
      expect([only, await looks(1)]).toEqual([only, 1])
    }
    const change = async (more: string): Promise<number> => {
      await moving.goto(`${served.url}?only=pie/weather${more}`)
      await looks(1)
      await moving.evaluate(() => {
        window.drawn = 0
        window.setForm({ outerRadius: 40 })
      })
      return looks(1)
    }
    expect(await change(''), 'a change is followed').toBeGreaterThan(5)
    expect(await change('&still'), 'where many change at once').toBe(1)
    await moving.close()
  })

  it('draws a chart with an unannounced legend once, at the size that the legend leaves', async () => {
    const measuring = await browser.newPage({ viewport: { width: 700, height: 420 } })
    await measuring.addInitScript(() => {
      const heights: number[] = Object.assign(window, { heights: [] as number[] }).heights
      const { get, set } = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'height') ?? {}
      Object.defineProperty(HTMLCanvasElement.prototype, 'height', {
        get,
        set(height: number) {
          heights.push(height)
          set?.call(this, height)
        },
      })
    })
    const first = encodeURIComponent('{"viz_type":"echarts_timeseries_smooth"}')
    await measuring.goto(`${served.url}?only=line/four-named-lines&form=${first}`)
    await measuring.waitForFunction(() => window.drawn > 0)
    // The drawing code is loaded now, so that the chart waits for the legend only.
    const heights = await measuring.evaluate(async () => {
      const { heights } = window as unknown as { heights: number[] }
      heights.splice(0)
      window.drawn = 0
      window.setForm({ viz_type: 'echarts_timeseries_line' })
      while (!window.drawn) await new Promise((resolve) => requestAnimationFrame(resolve))
      return heights
    })
    expect(await measuring.locator('[data-legend]').count()).toBe(1)
    await measuring.close()
    expect(new Set(heights).size).toBe(1)
    expect(heights[0]).toBeLessThan(300)
  })

  describe('draws each of several charts that wait for the same code in a separate task', () => {
    /** @param late  a chart type whose code arrives after another chart is drawn */
    const tasksOf = async (names: readonly string[], late: string | undefined): Promise<number[]> => {
      const measuring = await browser.newPage({ viewport: { width: 1200, height: 900 } })
      await measuring.addInitScript(() => {
        const drawnIn: number[] = Object.assign(window, { drawnIn: [] as number[] }).drawnIn
        // Continuations after a yield run before all other tasks, so they are counted here.
        let tasks = 0
        const { scheduler } = globalThis as unknown as { scheduler: { yield(): Promise<void> } }
        const ended = scheduler.yield.bind(scheduler)
        scheduler.yield = () => ended().then(() => void (tasks += 1))
        const { getContext } = HTMLCanvasElement.prototype
        HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: [string]) {
          drawnIn.push(tasks)
          return getContext.apply(this, args)
        } as typeof getContext
      })
      const isElsewhereDrawn = () => (window.drawnNames?.size ?? 0) > 0
      await measuring.route('**/chart-*.js', async (route) => {
        const response = await route.fetch()
        const isLate = late !== undefined && (await response.text()).includes(late)
        if (isLate) await measuring.waitForFunction(isElsewhereDrawn)
        await route.fulfill({ response })
      })
      await measuring.goto(`${served.url}?only=${names.join(',')}`)
      await measuring.waitForFunction((count) => window.drawnNames?.size === count, names.length)
      const drawnIn = await measuring.evaluate(() => (window as unknown as { drawnIn: number[] }).drawnIn)
      await measuring.close()
      return drawnIn
    }

    it.each([
      ['of the engine', ['bar/penguins', 'line/stock-prices', 'line/four-named-lines', 'pie/weather'], undefined],
      [
        'of their type',
        ['pie/weather', 'bar/penguins', 'bar/industries', 'bar/weather-by-month'],
        'echarts_timeseries_bar',
      ],
    ])('%s', async (_, names, late) => {
      expect(new Set(await tasksOf(names, late)).size).toBeGreaterThanOrEqual(names.length)
    })
  })

  it('does not measure zero-width characters with the browser', async () => {
    const measuring = await browser.newPage({ viewport: { width: 700, height: 420 } })
    await measuring.addInitScript(() => {
      const measured: string[] = Object.assign(window, { measured: [] as string[] }).measured
      const { measureText } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.measureText = function (text) {
        measured.push(text)
        return measureText.call(this, text)
      }
    })
    // At this width labels are truncated, which measures all ASCII characters.
    await measuring.goto(`${served.url}?only=pie/many-industries&width=320`)
    await measuring.waitForFunction(() => window.drawn > 0)
    const measured = await measuring.evaluate(() => (window as unknown as { measured: string[] }).measured)
    await measuring.close()
    expect(measured).toContain('~')
    expect(measured.filter((text) => text < ' ')).toEqual([])
  })

  it('describes the chart and announces its points on arrow keys', async () => {
    await open('line/temperatures')
    await expect.poll(() => page.getByText(/^Line Chart of High, Low, .* Highest: 35\.6/).count()).toBe(1)
    await page.locator('[role=figure][tabindex]').focus()
    const announcementAfter = async (key: string) => {
      await page.keyboard.press(key)
      return page.locator('[aria-live]').textContent()
    }
    expect(await announcementAfter('ArrowRight')).toBe('Sun, Jan 1, 2012, High: 12.8')
    expect(await announcementAfter('ArrowDown')).toBe('Sun, Jan 1, 2012, Low: 5')
    expect(await announcementAfter('End')).toBe('Thu, Dec 31, 2015, Low: -2.1')
    expect(await page.locator('.pq-tip-on .pq-tip-value').textContent()).toBe('-2.1')
    expect(await announcementAfter('Escape')).toBe('')
  })

  it('shows the data as a table on T, sorts it, and returns to the chart on Escape', async () => {
    await open('line/temperatures')
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('t')
    const heading = page.getByRole('columnheader', { name: 'High' })
    await heading.click()
    await heading.click()
    expect(await page.locator('[data-row="0"] [data-column="1"]').textContent()).toBe('35.6')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('grid').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('figure')
  })

  it('creates a mark on click: dimensions filter other charts, times only drill', async () => {
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

  it('creates a mark on Enter at a point reached by keyboard', async () => {
    await open('pie/weather')
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    expect(await marks()).toMatchObject([{ key: { weather: 'sun' }, label: 'sun' }])
  })

  it('regression of ECharts: a tooltip of a line over parallel axes reached by keyboard does not break the chart', async () => {
    await open('para/cars')
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('[aria-live]').textContent()).toBe('toyota corona hardtop, Miles per gallon: 24')
    await expect
      .poll(() => page.locator('.pq-tip-name:visible').allTextContents())
      .toEqual(['Miles per gallon', 'Cylinders', 'Horsepower', 'Weight', 'Acceleration', 'Displacement'])
  })

  it('shows a tooltip at a resting pointer once its code is loaded, and follows the pointer from then on', async () => {
    const late = Promise.withResolvers<void>()
    await page.route('**/show-tips-*.js', async (route) => {
      await late.promise
      await route.continue()
    })
    await open('bar/penguins')
    const box = (await page.locator('canvas').last().boundingBox())!
    const at = (part: number) => page.mouse.move(box.x + box.width * part, box.y + box.height * 0.7)
    const title = () => page.locator('.pq-tip-title:visible').allTextContents()
    const drawn = await page.evaluate(() => window.drawn)
    await at(0.4)
    await at(0.25)
    expect(await title()).toEqual([])
    late.resolve()
    await expect.poll(title).toEqual(['Biscoe'])
    expect(await page.evaluate(() => window.drawn)).toBe(drawn + 1)
    await at(0.85)
    await expect.poll(title).toEqual(['Torgersen'])
    expect(await page.locator('canvas').count()).toBe(1)
    expect(await page.evaluate(() => window.drawn)).toBe(drawn + 1)
    await page.mouse.move(0, 0)
    await page.unroute('**/show-tips-*.js')
  })

  it('regression: a tap or click that began before tooltips were loaded creates a mark and shows its tooltip', async () => {
    const touching = await browser.newContext({ viewport: { width: 700, height: 420 }, hasTouch: true })
    const tapped = await touching.newPage()
    await tapped.goto(`${served.url}?only=bar/penguins`)
    await tapped.waitForFunction(() => window.drawn > 0)
    const box = (await tapped.locator('canvas').last().boundingBox())!
    await tapped.touchscreen.tap(box.x + box.width * 0.25, box.y + box.height * 0.7)
    await expect.poll(() => tapped.evaluate(() => window.marks.length)).toBe(1)
    await expect.poll(() => tapped.locator('.pq-tip-title:visible').allTextContents()).toEqual(['Biscoe'])
    await touching.close()
    const late = Promise.withResolvers<void>()
    await page.route('**/show-tips-*.js', (route) => late.promise.then(() => route.continue()))
    await open('bar/penguins')
    await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.7)
    await page.mouse.down()
    const drawn = await page.evaluate(() => window.drawn)
    const came = page.waitForResponse('**/show-tips-*.js')
    late.resolve()
    // The chart imports the code first and checks in the next task if it may redraw.
    const url = JSON.stringify((await came).url())
    await page.evaluate(`import(${url}).then(() => new Promise((done) => setTimeout(() => setTimeout(done))))`)
    expect(await page.evaluate(() => window.drawn), 'while it is pressed').toBe(drawn)
    await page.mouse.up()
    await expect.poll(() => page.evaluate(() => window.marks.length)).toBe(1)
    await expect.poll(() => page.evaluate(() => window.drawn)).toBeGreaterThan(drawn)
    await page.mouse.move(0, 0)
    await page.unroute('**/show-tips-*.js')
  })

  it('regression: keeps the tooltip of a mark that the pointer enters first', async () => {
    const timed = await browser.newPage({ viewport: { width: 700, height: 420 }, reducedMotion: 'reduce' })
    await timed.clock.install()
    for (const [fixture, x, y] of [
      ['pie/weather', 0.5, 0.35],
      ['heatmap/weather-by-month', 0.5, 0.5],
    ] as const) {
      await timed.goto(`${served.url}?only=${fixture}`)
      await timed.waitForFunction(() => window.drawn > 0)
      const box = (await timed.locator('canvas').last().boundingBox())!
      await timed.mouse.move(box.x + box.width * x, box.y + box.height * y)
      const tips = () => timed.locator('.pq-tooltip:visible').count()
      await expect.poll(tips, { message: fixture }).toBe(1)
      // Longer than ECharts takes to hide a tooltip.
      await timed.clock.runFor(250)
      expect(await tips(), fixture).toBe(1)
      await timed.mouse.move(0, 0)
    }
    await timed.close()
  })

  it('regression: loads the tooltip code again after a failure while the pointer stays on the chart', async () => {
    await page.route('**/show-tips-*.js', (route) => route.abort())
    await open('bar/penguins')
    const box = (await page.locator('canvas').last().boundingBox())!
    let x = box.x + box.width * 0.25
    const title = async () => {
      await page.mouse.move((x += 0.5), box.y + box.height * 0.7)
      return page.locator('.pq-tip-title:visible').allTextContents()
    }
    const failed = page.waitForEvent('requestfailed')
    expect(await title()).toEqual([])
    await failed
    await page.unroute('**/show-tips-*.js')
    faults.splice(0)
    await expect.poll(title).toEqual(['Biscoe'])
    await page.mouse.move(0, 0)
  })

  it('keeps the zoom range when the chart is recreated with tooltips', async () => {
    const late = Promise.withResolvers<void>()
    await page.route('**/show-tips-*.js', (route) => late.promise.then(() => route.continue()))
    await open('line/stock-prices', `&form=${encodeURIComponent('{"zoomable":true}')}`)
    const canvas = page.locator('canvas').last()
    /** Checksum of the area above the slider. */
    const plot = () =>
      canvas.evaluate((element: HTMLCanvasElement) => {
        const { data } = element.getContext('2d')!.getImageData(0, 0, element.width, element.height - 60)
        return data.reduce((sum, value, index) => (sum * 31 + value * (index % 251)) % 1_000_000_007, 0)
      })
    const whole = await plot()
    const { x, y, width, height } = (await canvas.boundingBox())!
    const slider = y + height - 14
    await page.mouse.move(x + width * 0.5, slider)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.6, slider, { steps: 3 })
    await page.mouse.move(x + width * 0.8, slider, { steps: 3 })
    await page.mouse.up()
    await page.mouse.move(0, 0)
    await expect.poll(plot).not.toBe(whole)
    const chosen = await plot()
    const drawn = await page.evaluate(() => window.drawn)
    late.resolve()
    await expect.poll(() => page.evaluate(() => window.drawn)).toBe(drawn + 1)
    await expect.poll(plot).toBe(chosen)
    await page.unroute('**/show-tips-*.js')
  })

  it('announces words and periods on arrow keys and shows their tooltips', async () => {
    for (const [fixture, announcementAfter] of [
      ['word-cloud/jobs', 'Clerical Worker: 12,984,890'],
      ['cal-heatmap/temperatures', 'Mon, Jan 2, 2012, High: 10.6'],
      ['horizon/industries', 'February 2000, Wholesale and Retail Trade: 1,023'],
    ] as const) {
      await open(fixture)
      await page.locator('[role=figure][tabindex]').focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      expect(await page.locator('[aria-live]').textContent()).toBe(announcementAfter)
      const number = announcementAfter.split(': ').at(-1)
      await expect.poll(() => page.locator('.pq-tip-value:visible').first().textContent()).toBe(number)
    }
  })

  it('regression: announces the mark of an incomplete last period like any other', async () => {
    await open('line/temperatures', '&until=2015-12-31T06:00Z')
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('End')
    expect(await page.locator('[aria-live]').textContent()).toBe('Thu, Dec 31, 2015 (incomplete), High: 5.6')
    await expect
      .poll(() => page.locator('.pq-tip-title:visible').allTextContents())
      .toEqual(['Thu, Dec 31, 2015 (incomplete)'])
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.locator('.pq-tip-title:visible').allTextContents()).toEqual(['Wed, Dec 30, 2015'])
  })

  it('shows a single series on click in the legend and toggles one on Shift+click', async () => {
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

  it('redraws at the new size when dragging pauses, not at each step', async () => {
    await open('bar/penguins')
    const canvas = page.locator('canvas').last()
    const width = () => canvas.evaluate((element) => element.clientWidth)
    const before = await width()
    await page.mouse.move(2, 2)
    await page.mouse.down()
    const during = await page.evaluate(async () => {
      const seen = new Set<number>()
      for (let step = 1; step <= 10; step += 1) {
        window.setWidth(520 - step * 10)
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        seen.add([...document.querySelectorAll('canvas')].at(-1)?.clientWidth ?? 0)
      }
      return [...seen]
    })
    await page.mouse.up()
    expect(during).toEqual([before])
    await expect.poll(width).toBe(before - 100)
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

  it('regression: switches to a series type that another chart has already loaded', async () => {
    await open('bar/penguins,time-series/temperatures')
    await expect.poll(() => page.locator('canvas').count()).toBe(2)
    const pixels = () => page.evaluate(() => document.querySelectorAll('canvas')[1]?.toDataURL())
    const lines = await pixels()
    await page.evaluate(() => window.setForm({ seriesType: 'bar' }))
    await expect.poll(pixels).not.toBe(lines)
    await expect.poll(() => page.getByText(/rendering the visualization/).count()).toBe(0)
  })

  it('sorts a table by its headings and filters by the cell of a dimension', async () => {
    await open('table/airports')
    expect(await page.getByRole('grid').getAttribute('aria-label')).toBe('table/airports: 60 rows')
    await page.getByRole('columnheader', { name: 'Average delay' }).click()
    const [first, second] = await page.locator('[data-column="2"][role=gridcell]').allTextContents()
    expect(Number(first)).toBeLessThanOrEqual(Number(second))
    await page.locator('[data-row="0"] [data-column="0"]').click()
    const [mark] = await marks()
    expect(mark?.filters).toEqual([
      { col: 'origin', op: '==', val: await page.locator('[data-row="0"] [data-column="0"]').textContent() },
    ])
    await page.locator('[data-row="0"] [data-column="1"]').click()
    expect(await marks()).toHaveLength(1)
  })

  it('supports the grid keys in a table: Enter filters by a cell or sorts by a heading, Ctrl-C copies the selection', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('table/airports')
    const cell = (row: number, column: number) => page.locator(`[data-row="${row}"] [data-column="${column}"]`)
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const origin = await cell(1, 0).textContent()
    expect((await marks()).map(({ key }) => key)).toEqual([{ origin }])
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+c')
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${origin}\n${await cell(2, 0).textContent()}`)
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    expect(await page.locator('[role=columnheader][aria-sort=ascending]').textContent()).toContain('origin')
    expect(await marks()).toHaveLength(1)
  })

  it('selects the cells that a pointer is dragged over without choosing a mark', async () => {
    await open('table/airports')
    const box = async (row: number) => (await page.locator(`[data-row="${row}"] [data-column="0"]`).boundingBox())!
    const [from, to] = [await box(0), await box(2)]
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x + 8, to.y + 8, { steps: 4 })
    await page.mouse.up()
    expect(await page.locator('[role=gridcell][aria-selected=true]').count()).toBe(3)
    expect(await marks()).toEqual([])
  })

  it('keeps few rows in the DOM for any number of rows', async () => {
    await open('line/temperatures')
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('t')
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('1462')
    expect(await page.getByRole('row').count()).toBeLessThan(40)
  })

  it('creates marks for treemap parts on clicks and keys', async () => {
    await open('treemap/population')
    await page.mouse.click(60, 120)
    await expect.poll(marks).toMatchObject([{ kind: 'click', key: { continent: 'Asia' } }])
    await page.locator('[role=figure][tabindex]').focus()
    const announcementAfter = async (key: string) => {
      await page.keyboard.press(key)
      return page.locator('[aria-live]').textContent()
    }
    expect(await announcementAfter('ArrowRight')).toMatch(/^Asia: 3,685,187,028, /)
    expect(await announcementAfter('ArrowDown')).toMatch(/^Asia, India: 1,438,069,596, /)
    await expect.poll(() => page.locator('.pq-tip-title').textContent()).toBe('Asia')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await marks()).at(-1)?.key).toEqual({ continent: 'Asia', country: 'India' })
  })

  it('opens a part of a partition on click or Enter, and goes back on the next one', async () => {
    const described = (text: RegExp) => expect.poll(() => page.getByText(text).count()).toBe(1)
    await open('partition/population')
    await described(/^Partition Chart of Population with 24 parts/)
    await page.mouse.click(260, 100)
    await described(/^Partition Chart of Population with 6 parts/)
    await page.mouse.click(60, 100)
    await described(/with 24 parts/)
    await page.locator('[role=figure][tabindex]').focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await described(/^Partition Chart of Population with 5 parts.*Africa/)
    await page.keyboard.press('ArrowRight')
    expect(await page.locator('[aria-live]').textContent()).toBe('Population, Africa: 643,517,746')
    await page.keyboard.press('Enter')
    await described(/with 24 parts/)
    expect(await marks()).toEqual([])
  })

  it("draws built-in texts in the user's language", async () => {
    await open('pie/many-industries', '&language=en-XA')
    await expect.poll(() => page.getByText(/^⟦⟦Pîé Çhårt.*⟧ öf Unemployed/).count()).toBe(1)
    await page.locator('[role=figure][tabindex]').focus()
    await page.keyboard.press('End')
    await expect.poll(() => page.locator('[aria-live]').textContent()).toMatch(/^⟦Öthérs \(6\)·+⟧: 154,728/)
    await open('pie/weather', '&language=en-XA&empty')
    await expect.poll(() => page.getByText('⟦Ñö röws måtçh thésé fîltérs').count()).toBe(1)
  })

  it.each(['light', 'dark'] as const)(
    'draws every fixture of every type in the %s theme without external requests',
    async (theme) => {
      const foreign: string[] = []
      await page.route(
        ({ origin, protocol }) => protocol.startsWith('http') && origin !== new URL(served.url).origin,
        (route) => {
          foreign.push(route.request().url())
          return route.abort()
        },
      )
      await page.evaluate((chosen) => window.setTheme(chosen), theme)
      await page.goto(served.url)
      await page.waitForFunction(
        () => window.expectedCount > 0 && window.drawnNames.size === window.expectedCount,
        null,
        {
          timeout: 110_000,
        },
      )
      const folders = new Set(await page.evaluate(() => [...window.drawnNames].map((name) => name.split('/')[0])))
      expect(folders.size).toBe(chartEntries.length)
      expect(await page.locator('html').getAttribute('data-theme')).toBe(theme)
      expect(await page.getByText('An error occurred').count()).toBe(0)
      expect(foreign).toEqual([])
      await page.unrouteAll()
      await page.evaluate(() => window.setTheme('light'))
    },
    120_000,
  )

  it('states that there are no rows', async () => {
    await open('pie/weather', '&empty')
    await expect.poll(() => page.getByText('No rows match these filters').count()).toBe(1)
  })

  it('EXP-065: states that a type is not supported', async () => {
    await open('bar/penguins')
    await page.evaluate(() => window.setForm({ viz_type: 'nobody_draws_this' }))
    await expect.poll(() => page.getByText('This visualization type is not supported.').count()).toBe(1)
  })

  it('CHART-007: shows why a chart could not be drawn', async () => {
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
