import { existsSync, readdirSync } from 'node:fs'
import { loadChart } from '@parquetry/charts/registry'
import { drawChart } from '@parquetry/charts/draw'
import { readFixtures, type Fixture } from '@parquetry/charts/testing/fixtures'
import { servePage } from '@parquetry/charts/testing/serve-page'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserOptions, findBrowser } from '../../../scripts/services/browser.ts'
import { compareInPage, recordTexts, type PictureDifference } from './on-screen.testing.ts'
import { Fonts } from './fonts.ts'
import { renderPng } from './render-png.ts'

// Drawings of a runner must match the screen: the same form, result and size through ChartHost on a canvas and through drawChart
// and resvg. Texts are removed from both images and compared as data, because no two renderers draw letters alike.
//
// Legends are excluded: on a screen they are buttons of a different height (`draw/legend.test.ts`).
//
// Marks: no pixel may differ. A pixel differs if no pixel within 2 pixels in the other image is within 90 of 255 of its color, in
// either direction. 2, because the browser measures axis labels by rounded widths and a runner by the font's table, which moves
// the plot by less than that; 90, because the edges of bars of one or two pixels are drawn lighter or darker by up to 80.
//
// Texts: all must match in content and be within 2 pixels of each other. A truncated text may lack three letters, because the
// widths are measured differently.

const size = { width: 640, height: 400 }
const form = { show_legend: false }
const chartsFolder = new URL('../../charts/src/', import.meta.url)

const cases = await listEChartsCases()
/** The first fixture of each ECharts chart; other charts have separate views and drawings. */
async function listEChartsCases(): Promise<{ name: string; fixture: Fixture }[]> {
  const folders = readdirSync(chartsFolder).filter((folder) => existsSync(new URL(`${folder}/fixtures`, chartsFolder)))
  const all = folders.flatMap((folder) =>
    readFixtures(folder)
      .slice(0, 1)
      .map((fixture) => ({ name: `${folder}/${fixture.name}`, fixture })),
  )
  const charts = await Promise.all(all.map(({ fixture }) => loadChart(String(fixture.form.viz_type))))
  return all.filter((_, index) => (charts[index]?.series.length ?? 0) > 0)
}

describe.skipIf(!findBrowser())('drawing of a runner', () => {
  let served: Awaited<ReturnType<typeof servePage>>
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    ;[served, browser] = await Promise.all([servePage(), chromium.launch(browserOptions())])
    page = await browser.newPage({
      viewport: { width: 700, height: 420 },
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
    })
    await page.addInitScript(recordTexts)
    const url = new URL(served.url)
    const only = cases.map(({ name }) => name).join(',')
    for (const [key, value] of Object.entries({ only, ...size, form: JSON.stringify(form) }))
      url.searchParams.set(key, String(value))
    await page.goto(url.href)
    await page.waitForFunction((count) => window.drawn >= count, cases.length, { timeout: 60_000 })
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  const drawSvg = async ({ fixture }: (typeof cases)[0]): Promise<string> => {
    const { frames, annotations } = fixture
    const { svg } = await drawChart(
      String(fixture.form.viz_type),
      frames,
      { ...fixture.form, ...form },
      { ...size, annotations },
    )
    return svg
  }
  const compareWithScreen = (name: string, svg: string): Promise<PictureDifference> => {
    const marks = svg.replaceAll(/<text\b[^>]*>[^<]*<\/text>/g, '')
    const png = Buffer.from(renderPng({ svg: marks, ...size, points: 1 }, new Fonts(null))).toString('base64')
    return page.evaluate(compareInPage, { name, svg, png, ...size })
  }

  it.each(cases.map((each) => [each.name, each] as const))('matches the screen: %s', async (name, each) => {
    const { pixels, ink, texts, ...other } = await compareWithScreen(name, await drawSvg(each))
    expect({ pixels, ...other }).toEqual({ pixels: 0, onlyDrawn: [], onlyOnScreen: [] })
    expect(ink + texts).toBeGreaterThan(15)
  })

  const scatter = cases.find(({ name }) => name.startsWith('scatter/'))!
  const bar = cases.find(({ name }) => name.startsWith('bar/'))!
  /** Changes one of the drawing's marks, the one in the middle. */
  const changeMark = (svg: string, mark: RegExp, change: (mark: string) => string): string => {
    const all = [...svg.matchAll(mark)]
    const [one] = all[Math.floor(all.length / 2)] ?? []
    if (one === undefined) throw new Error('There is no such mark.')
    return svg.replace(one, change(one))
  }
  it.each([
    ['point is missing', scatter, () => ''],
    ['point has moved', scatter, (mark: string) => `<g transform="translate(9 9)">${mark}</g>`],
    ['point has another color', scatter, (mark: string) => mark.replace(/fill="[^"]*"/, 'fill="#d33"')],
    ['bar is missing', bar, () => ''],
  ] as const)('fails the comparison where a %s', async (_, each, change) => {
    const mark =
      each === scatter ? /<path d="M1 0A1[^>]*>(?:<\/path>)?/g : /<path d="[^"]*" fill="#[^>]*>(?:<\/path>)?/g
    const { pixels } = await compareWithScreen(each.name, changeMark(await drawSvg(each), mark, change))
    expect(pixels).toBeGreaterThan(3)
  })
  it('fails the comparison where a label is missing or has a different text', async () => {
    const svg = await drawSvg(bar)
    const label = /<text\b[^>]*>[^<]*<\/text>/g
    const changed = await compareWithScreen(
      bar.name,
      changeMark(svg, label, (text) => text.replace(/>[^<]*</, '>x<')),
    )
    expect([changed.onlyDrawn, changed.onlyOnScreen].map(({ length }) => length)).toEqual([1, 1])
    const missing = await compareWithScreen(
      bar.name,
      changeMark(svg, label, () => ''),
    )
    expect([missing.onlyDrawn, missing.onlyOnScreen].map(({ length }) => length)).toEqual([0, 1])
  })
})
