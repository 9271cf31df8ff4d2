import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readFixtures } from '../testing/fixtures.ts'
import { toFrames } from '../testing/frames.ts'
import { drawChart, type DrawOptions } from './index.ts'

const rows = Array.from({ length: 10_000 }, (_, row) => row)
const frames = (name: string) =>
  toFrames({
    [name]: [
      { name: 'day', kind: 'time', values: rows.map((row) => row * 86_400_000) },
      { name: 'n', values: rows.map((row) => (row % 7 === 0 ? null : Math.sin(row / 50) * 100)) },
    ],
  })

it.each(['echarts_timeseries_line', 'echarts_area', 'echarts_timeseries_bar', 'echarts_timeseries_scatter'])(
  'draws ten thousand points with gaps as %s',
  async (viz_type) => {
    const form = { viz_type, x_axis: 'day', metrics: ['n'], groupby: [] }
    const { svg } = await drawChart(viz_type, frames('series'), form, { title: 'Many' })
    expect(svg).not.toContain('NaN')
    expect(svg.match(/<path/g)?.length).toBeGreaterThan(5)
  },
)

it.each(['echarts_timeseries_line', 'pie', 'table', 'big_number', 'big_number_total'])(
  'draws a response without rows as %s',
  async (viz_type) => {
    const form = { viz_type, x_axis: 'day', metrics: ['n'], metric: 'n', groupby: ['day'] }
    const { svg } = await drawChart(viz_type, {}, form, { title: 'None' })
    expect(svg).toContain('<title>None</title>')
    expect(svg).not.toContain('NaN')
  },
)

it('regression: shortens path coordinates without distorting large circles, which are scaled unit circles', async () => {
  const form = { entity: 'a', x: 'x', y: 'y', size: 'n', max_bubble_size: 25 }
  const columns = ['a', 'x', 'y', 'n'].map((name) => ({ name, values: [5] }))
  const { svg } = await drawChart('bubble_v2', toFrames({ bubbles: columns }), form)
  const circle = /<path d="([^"]*)" transform="matrix\(25,0,0,25/.exec(svg)?.[1]
  expect(circle).toMatch(/^M1 0A1 1 0 1 1 1 -0\.0\d+$/)
})

it.each(['treemap_v2', 'funnel', 'echarts_timeseries_bar', 'pie'])(
  'regression: labels such as __proto__ leave object prototypes unchanged, as %s',
  async (viz_type) => {
    const labels = ['__proto__', 'constructor', 'toString', 'a']
    const columns = [
      { name: 'label', values: labels },
      { name: 'n', values: labels.map((_, index) => index + 1) },
    ]
    const answers = toFrames({ parts: columns, steps: columns, series: columns, slices: columns })
    const dimensions = { groupby: ['label'], x_axis: 'label', metric: 'n', metrics: ['n'] }
    const before = JSON.stringify([Object.keys(Object.prototype), Object.keys(Object)])
    for (let turn = 0; turn < 2; turn++) {
      const { svg } = await drawChart(viz_type, answers, { viz_type, ...dimensions, show_legend: true })
      expect(svg).toContain('constructor')
    }
    expect(JSON.stringify([Object.keys(Object.prototype), Object.keys(Object)])).toBe(before)
  },
)

/** The look as a runner receives it: through JSON. */
const travelled = (look: DrawOptions) => JSON.parse(JSON.stringify(look)) as DrawOptions
const catalog = (area: string, language: string) =>
  JSON.parse(readFileSync(new URL(`../../../../messages/${area}.${language}.json`, import.meta.url), 'utf8')) as Record<
    string,
    string
  >

it("renders text in the user's language without a browser", async () => {
  const pie = readFixtures('pie').find(({ name }) => name === 'many-industries')
  const messages = { ...catalog('picture', 'en-XA'), ...catalog('charts', 'en-XA') }
  const look = travelled({ messages, locale: 'en-XA' })
  const { svg } = await drawChart('pie', pie?.frames ?? {}, pie?.form ?? {}, look)
  expect(svg).toMatch(/<title>⟦Pîé Çhårt·*⟧<\/title><desc>⟦⟦Pîé Çhårt·*⟧ öf Unemployed wîth 9 pårts/)
  expect(svg.replaceAll(/<[^>]*>/g, '')).toContain('⟦Öthérs (6)')
  const empty = await drawChart('pie', toFrames({ slices: [{ name: 'n', values: [] }] }), { metric: 'n' }, look)
  expect(empty.svg).toContain('⟦Ñö röws måtçh thésé fîltérs')
  const english = await drawChart('pie', pie?.frames ?? {}, pie?.form ?? {})
  expect(english.svg).not.toContain('⟦')
})

it('regression: a table in an image shows whole columns over its width, and counts the others', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `measure ${index}`)
  const columns = names.map((name) => ({ name, values: Array.from({ length: 40 }, (_, row) => 1234567 + row) }))
  const form = { query_mode: 'raw', all_columns: names }
  const { svg } = await drawChart('table', toFrames({ rows: columns }), form, { width: 370, height: 200 })
  const texts = [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text!)
  const headings = texts.filter((text) => text.startsWith('measure'))
  expect(headings).toEqual(names.slice(0, headings.length))
  expect(texts.filter((text) => text.includes('…'))).toEqual([])
  expect(texts.at(-1)).toBe(`5 of 40 rows · ${8 - headings.length} more columns`)
  const ends = [...svg.matchAll(/<text x="([\d.]+)"[^>]*text-anchor="end"/g)].map(([, x]) => Number(x))
  expect(Math.max(...ends)).toBeLessThanOrEqual(370)
})
