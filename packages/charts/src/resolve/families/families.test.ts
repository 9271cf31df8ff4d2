import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toFrames } from '../../testing/frames.ts'
import { readPlot, type Plot } from '../axes/plot.ts'
import { defineItemsFamily } from '../items/items-family.ts'
import { resolveSpec } from '../resolve-spec.ts'
import { themes } from '../theme.ts'
import { englishTranslator } from '../text.ts'
import { defineAxesFamily, type Family } from './family.ts'
import { entries } from './families.gen.ts'
import { getLoadedFamilies, loadFamilies } from './load.ts'

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const frames = toFrames({
  rows: [
    { name: 'city', values: ['Bonn', 'Köln', 'Trier'] },
    { name: 'sales', values: [4, 9, null] },
    { name: 'share', values: [0.4, 0.9, 0.1] },
  ],
})
const series = (type: string, column: string, more = {}) => ({
  type,
  name: column,
  points: { x: { column: 'city' }, y: { column } },
  ...more,
})
/** Series options without the properties that all series share. */
const option = (resolved: ReturnType<typeof resolveSpec>) =>
  (resolved.option.series as Record<string, unknown>[]).map((series) =>
    Object.fromEntries(Object.entries(series).filter(([word]) => !word.startsWith('animation'))),
  )

describe('series types', () => {
  it('match the folders next to this test', () => {
    const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    expect(Object.keys(entries)).toEqual(
      folders
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .toSorted(),
    )
  })

  it('regression: raise an error with the name of an unknown type instead of drawing a line', async () => {
    await expect(loadFamilies(['nobody'])).rejects.toThrow('There is no kind of series “nobody”.')
    await expect(loadFamilies(['constructor'])).rejects.toThrow('“constructor”')
    const spec = { series: [series('nobody', 'sales')] }
    expect(() => resolveSpec(spec, frames, around, new Map())).toThrow('There is no kind of series “nobody”.')
  })

  it('are available synchronously once their code is loaded', async () => {
    expect(getLoadedFamilies(['line', 'nobody'])).toBe(null)
    const families = await loadFamilies(['line'])
    expect(getLoadedFamilies(['line'])).toBe(families)
  })
})

describe('a chart of several series types', () => {
  const mixed = {
    legend: {},
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'category' },
    yAxis: [{ type: 'value' }, { type: 'value', format: '.0%' }],
    series: [series('bar', 'sales'), series('line', 'share', { yAxisIndex: 1 })],
  }

  it('shares axes, legend, tooltip and arrow keys', async () => {
    const resolved = resolveSpec(mixed, frames, around, await loadFamilies(['bar', 'line']))
    expect(option(resolved).map(({ type, name, yAxisIndex }) => [type, name, yAxisIndex])).toEqual([
      ['bar', 'sales', undefined],
      ['line', 'share', 1],
    ])
    expect(resolved.option.yAxis).toHaveLength(2)
    expect(resolved.parts, 'bars, lines and the notes of both').toHaveLength(3)
    expect(resolved.legend.map(({ name }) => name)).toEqual(['sales', 'share'])
    const first = resolved.navigate(null, 'next')
    expect(first).toEqual({ series: 0, at: 0 })
    const below = first && resolved.navigate(first, 'down')
    expect(below).toEqual({ series: 1, at: 0 })
    expect(below && resolved.markText(below)).toBe('Bonn, share: 0.4')
    expect(below && resolved.navigate(below, 'down')).toBe(null)
    expect(resolved.mark({ series: 1, at: 1 }, {})).toMatchObject({
      filters: [{ col: 'city', op: '==', val: 'Köln' }],
      row: { city: 'Köln', share: 0.9 },
    })
  })

  it('fades bars at other positions than the one that filters', async () => {
    const families = await loadFamilies(['bar', 'line'])
    const opacities = (selected: Record<string, unknown>) => {
      const [bars] = option(resolveSpec(mixed, frames, { ...around, selected }, families))
      return (bars!.data as { itemStyle?: { opacity?: number } }[]).map(({ itemStyle }) => itemStyle?.opacity ?? 1)
    }
    expect(opacities({ city: 'Köln' })).toEqual([0.25, 1, 0.25])
    expect(opacities({ city: ['Köln', 'Trier'] })).toEqual([0.25, 1, 1])
    expect(opacities({ other: 'Köln' })).toEqual([1, 1, 1])
  })

  it('omits series hidden in the legend', async () => {
    const hidden = new Set(['sales'])
    const resolved = resolveSpec(mixed, frames, { ...around, hidden }, await loadFamilies(['bar', 'line']))
    expect(option(resolved).map(({ name }) => name)).toEqual(['share'])
    expect(resolved.legend.map(({ isHidden }) => isHidden)).toEqual([true, false])
  })
})

it('samples a line of over 2,000 points only for drawing', async () => {
  const values = Array.from({ length: 2001 }, (_, index) => index)
  const long = (rows: number) =>
    toFrames({
      rows: [
        { name: 'at', values: values.slice(0, rows) },
        { name: 'n', values: values.slice(0, rows) },
      ],
    })
  const spec = {
    xAxis: { type: 'value' },
    yAxis: { type: 'value' },
    series: [{ type: 'line', name: 'n', points: { x: { column: 'at' }, y: { column: 'n' } } }],
  }
  const families = await loadFamilies(['line'])
  const [short, whole] = [2000, 2001].map((rows) => resolveSpec(spec, long(rows), around, families))
  expect([short, whole].map((each) => each && option(each)[0]?.sampling)).toEqual([undefined, 'lttb'])
  expect(option(whole!)[0]?.data).toHaveLength(2001)
  expect(whole?.axes?.plots[0]?.y).toHaveLength(2001)
})

describe('a family', () => {
  interface Range extends Plot {
    low: number[]
  }
  const range = defineAxesFamily<Range>({
    parts: [],
    read: (given, reading) => ({ ...readPlot(given, reading), low: [1, 2, 3] }),
    option: ({ type }, { name, low }) => ({ type: 'custom', name, kind: type, data: low }),
    tip: ({ name, low }, index) => ({
      title: name,
      rows: [{ name: 'low', color: '#000', value: String(low[index]), share: null, number: null, isHovered: true }],
      more: 0,
      total: null,
    }),
    facts: ({ name, low }, index) => ({ key: { at: index }, values: { low: low[index] ?? null }, name }),
  })

  it('on axes defines the tooltip and facts of its own marks', () => {
    const spec = { xAxis: { type: 'category' }, yAxis: { type: 'value' }, series: [series('range', 'sales')] }
    const resolved = resolveSpec(spec, frames, around, new Map<string, Family>([['range', range]]))
    expect(option(resolved)).toEqual([{ type: 'custom', name: 'sales', kind: 'range', data: [1, 2, 3] }])
    expect(resolved.markText({ series: 0, at: 1 })).toBe('sales, low: 2')
    expect(resolved.mark({ series: 0, at: 1 }, {})).toMatchObject({ key: { at: 1 }, row: { at: 1, low: 2 } })
  })

  it('regression: keeps the arrow keys within a series that is shorter than the previous one', async () => {
    const short = toFrames({
      a: [
        { name: 'city', values: ['Bonn'] },
        { name: 'sales', values: [4] },
      ],
    })
    const spec = {
      xAxis: { type: 'category' },
      yAxis: { type: 'value' },
      series: [
        series('bar', 'sales', { points: { frame: 'rows', x: { column: 'city' }, y: { column: 'sales' } } }),
      ].concat(series('bar', 'sales', { points: { frame: 'a', x: { column: 'city' }, y: { column: 'sales' } } })),
    }
    const resolved = resolveSpec(spec, { ...frames, ...short }, around, await loadFamilies(['bar']))
    expect(resolved.navigate({ series: 0, at: 2 }, 'down')).toEqual({ series: 1, at: 0 })
  })

  it('on axes shows its note under the chart and in the description', () => {
    const noted = { ...range, note: (plots: readonly Range[]) => `${plots.length} of nothing` }
    const spec = { xAxis: { type: 'category' }, yAxis: { type: 'value' }, series: [series('range', 'sales')] }
    const [plain, withNote] = [range, noted].map((each) =>
      resolveSpec(spec, frames, around, new Map<string, Family>([['range', each]])),
    )
    expect(withNote!.option.title).toMatchObject({ text: '1 of nothing' })
    expect(withNote!.describe('Range')).toMatch(/ 1 of nothing$/)
    const bottom = ({ option: { grid } }: typeof withNote & object) => (grid as { bottom: number }).bottom
    expect(bottom(withNote!)).toBeGreaterThan(bottom(plain!))
    expect(plain!.option).not.toHaveProperty('title')
  })

  it('that is standalone provides its own components, arrow-key walk and mark numbering', () => {
    const ring = defineItemsFamily({
      parts: [],
      option: ({ type }, { items }) => ({ type, data: items }),
      components: () => ({ radar: {} }),
      navigate: (_, index, move) => (move === 'next' ? (index ?? 1) - 1 : null),
      fromTarget: (_, { dataIndex }) => dataIndex - 1,
      toTarget: (_, index) => ({ dataIndex: index + 1 }),
    })
    const data = [
      { name: 'a', value: 1, key: { letter: 'a' } },
      { name: 'others', value: 3 },
    ]
    const spec = {
      series: [
        { type: 'ring', data },
        { type: 'ring', data },
      ],
    }
    const resolved = resolveSpec(spec, {}, around, new Map<string, Family>([['ring', ring]]))
    expect(resolved.option).toMatchObject({ radar: {}, series: [{ type: 'ring' }, { type: 'ring' }] })
    expect(resolved.axes).toBe(null)
    expect(resolved.navigate({ series: 1, at: 1 }, 'next')).toEqual({ series: 1, at: 0 })
    expect(resolved.fromTarget({ seriesIndex: 1, dataIndex: 2 })).toEqual({ series: 1, at: 1 })
    expect(resolved.fromTarget({ seriesIndex: 1, dataIndex: 0 })).toBe(null)
    expect(resolved.toTarget({ series: 1, at: 0 })).toEqual({ seriesIndex: 1, dataIndex: 1 })
    expect(resolved.has({ series: 1, at: 2 })).toBe(false)
    expect(resolved.mark({ series: 0, at: 0 }, {})?.filters).toEqual([{ col: 'letter', op: '==', val: 'a' }])
    expect(resolved.mark({ series: 0, at: 1 }, {})).toBe(null)
  })

  it('that is standalone determines which part a click opens and what remains of it', () => {
    const parts = defineItemsFamily({
      parts: [],
      option: ({ type }, { items }) => ({ type, data: items.map(({ name }) => name) }),
      opened: ({ items, ...marks }, id) => ({ ...marks, items: items.filter(({ name }) => name === id) }),
      opening: ({ items }, index) => (items.length > 1 ? items[index]?.name : null),
    })
    const data = ['a', 'b'].map((name) => ({ name, value: 1 }))
    const spec = { series: [{ type: 'parts', data }, series('bar', 'sales')] }
    const families = new Map<string, Family>([
      ['parts', parts],
      ['bar', defineItemsFamily({ parts: [], option: ({ type }) => ({ type }) })],
    ])
    const whole = resolveSpec(spec, {}, around, families)
    expect(whole.opening({ series: 0, at: 1 })).toBe('b')
    expect(whole.opening({ series: 1, at: 0 })).toBe(undefined)
    const opened = resolveSpec(spec, {}, { ...around, opened: 'b' }, families)
    expect(option(opened)[0]).toEqual({ type: 'parts', data: ['b'] })
    expect(opened.opening({ series: 0, at: 0 })).toBe(null)
  })
})
