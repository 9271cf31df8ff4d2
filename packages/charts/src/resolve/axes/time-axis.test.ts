import { describe, expect, it } from 'vitest'
import { toFrames } from '../../testing/frames.ts'
import { loadFamilies } from '../families/load.ts'
import { resolveSpec } from '../resolve-spec.ts'
import { themes } from '../theme.ts'
import { englishTranslator } from '../text.ts'

const families = await loadFamilies(['line', 'bar', 'scatter'])
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 640,
  height: 360,
}
const day = 86_400_000

/** Start times of `count` consecutive months. */
const months = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const date = new Date(from)
    return date.setUTCMonth(date.getUTCMonth() + index)
  })

interface Drawn {
  xAxis: {
    axisLabel: { customValues: number[]; formatter: (value: number) => string }
    axisTick: { customValues: number[] }
  }
  series: Record<string, unknown>[]
}

function drawn(times: readonly number[], { width = 640, type = 'line', axis = {}, series = {}, spec = {} } = {}) {
  const rows = [
    { name: 'at', kind: 'time' as const, values: [...times] },
    { name: 'n', values: times.map((_, index) => (index === times.length - 1 ? 5 : 100)) },
    { name: 'm', values: times.map(() => 50) },
  ]
  const lines = ['n', 'm'].map((column) => ({
    type,
    name: column,
    color: '#3f6bdc',
    points: { x: { column: 'at' }, y: { column } },
    ...series,
  }))
  const resolved = resolveSpec(
    {
      xAxis: { type: 'time', ...axis },
      yAxis: { type: 'value' },
      tooltip: { trigger: 'axis' },
      series: lines,
      ...spec,
    },
    toFrames({ rows }),
    { ...around, width },
    families,
  )
  return { resolved, option: resolved.option as unknown as Drawn }
}
function labels(times: readonly number[], more: Parameters<typeof drawn>[1] = {}) {
  const { axisLabel, axisTick } = drawn(times, more).option.xAxis
  expect(axisTick.customValues).toEqual(axisLabel.customValues)
  return axisLabel.customValues.map(axisLabel.formatter)
}

describe('time axis labels', () => {
  it('regression: are evenly spaced', () => {
    const { customValues } = drawn(months('2023-07-01', 40)).option.xAxis.axisLabel
    const gaps = customValues.slice(1).map((tick, index) => Math.round((tick - customValues[index]!) / day / 30))
    expect(new Set(gaps).size).toBe(1)
    expect(labels(months('2023-07-01', 40))).toEqual(
      ['Jul 2023', 'Jan', 'Jul', 'Jan', 'Jul', 'Jan', 'Jul'].map((month, index) =>
        index > 0 && month === 'Jan' ? String(2023 + (index + 1) / 2) : month,
      ),
    )
  })
  it('are at every point when all of them fit', () => {
    expect(labels(months('2025-11-01', 4))).toEqual(['Nov 2025', 'Dec', 'Jan 2026', 'Feb'])
    expect(labels([Date.UTC(2026, 0, 1)])).toEqual(['2026'])
    expect(labels(months('2001-01-01', 60).filter((_, index) => index % 12 === 0))).toEqual([
      '2001',
      '2002',
      '2003',
      '2004',
      '2005',
    ])
  })
  it('regression: include the year on narrow screens', () => {
    const days = Array.from({ length: 90 }, (_, index) => Date.UTC(2026, 1, 10) + index * day)
    const found = labels(days, { width: 320 })
    expect(found[0]).toMatch(/2026$/)
    expect(found.length).toBeGreaterThan(1)
    const hours = Array.from({ length: 48 }, (_, index) => Date.UTC(2025, 11, 31) + index * 3_600_000)
    expect(labels(hours, { width: 320 })[0]).toMatch(/2025$/)
    const clock = labels(hours)
    expect(clock[0]).toBe('00:00\nDec 31, 2025')
    expect(clock).toContain('00:00\nJan 1, 2026')
  })
  it('regression: are more than two for half a year on a narrow screen', () => {
    const days = Array.from({ length: 181 }, (_, index) => Date.UTC(2001, 0, 1) + index * day)
    expect(labels(days, { width: 350 })).toEqual(['Jan 2001', 'Mar', 'May'])
  })
  it('use the format of the form, as many as fit', () => {
    const found = labels(months('2023-07-01', 40), { axis: { format: '%d/%m/%Y %H:%M' } })
    expect(found[0]).toMatch(/^01\/\d\d\/\d{4} 00:00$/)
    expect(found.length).toBeLessThan(7)
  })
  it('are left to ECharts when the chart can be zoomed', () => {
    const { xAxis } = drawn(months('2023-07-01', 40), { spec: { dataZoom: [{ type: 'slider' }] } }).option
    expect(xAxis.axisLabel.customValues).toBeUndefined()
  })
  it('regression: include the year on the first label when the chart can be zoomed', () => {
    const { xAxis } = drawn(months('2023-07-01', 4), { spec: { dataZoom: [{ type: 'slider' }] } }).option
    const write = (xAxis.axisLabel as unknown as { formatter: (ms: number, index: number) => string }).formatter
    const written = (...ticks: string[]) => ticks.map((tick, index) => write(Date.parse(tick), index))
    expect(written('2023-07-09', '2023-08-01', '2023-09-01').slice(1)).toEqual(['Aug 2023', 'Sep'])
    expect(written('2023-07-01', '2023-08-01', '2023-09-01')).toEqual(['Jul 2023', 'Aug', 'Sep'])
  })
})

describe('regression: an incomplete last period', () => {
  const times = months('2026-01-01', 5)
  const unfinished = times[4]!
  const marked = (more: object) => drawn(times, { axis: { unfinished }, ...more })

  it('ends a line with a separate dashed segment that ignores the pointer', () => {
    const { resolved, option } = marked({})
    const [line, , way] = option.series
    expect(option.series).toHaveLength(4)
    expect(way).toMatchObject({ silent: true, tooltip: { show: false }, lineStyle: { type: [4, 4] } })
    expect((way!['data'] as { value: number[] }[]).map(({ value }) => value)).toEqual([
      [times[3], 100],
      [unfinished, 5],
    ])
    expect((line!['data'] as number[][]).slice(3)).toEqual([
      [times[3], 100],
      [unfinished - 1, null],
      [unfinished, 5],
    ])
    expect(resolved.toTarget({ series: 0, at: 4 })).toEqual({ seriesIndex: 0, dataIndex: 5 })
    expect([4, 5].map((dataIndex) => resolved.fromTarget({ seriesIndex: 0, dataIndex })?.at)).toEqual([4, 4])
    expect(resolved.navigate({ series: 1, at: 4 }, 'down')).toBe(null)
  })
  it('is mentioned in the tooltip, the keyboard announcement and the description', () => {
    const { resolved } = marked({})
    expect(resolved.markText({ series: 0, at: 4 })).toBe('2026-05-01 (incomplete), n: 5')
    expect(resolved.markText({ series: 0, at: 3 })).toBe('2026-04-01, n: 100')
    expect(resolved.describe('Line')).toContain('to 2026-05-01 (incomplete).')
  })
  it('is a light bar with a dashed border', () => {
    const data = marked({ type: 'bar' }).option.series[0]!['data'] as { itemStyle: object }[]
    expect(data[4]!.itemStyle).toMatchObject({ color: 'rgba(63,107,220,0.35)', borderType: [4, 3] })
    expect(data[3]!.itemStyle).not.toHaveProperty('color')
  })
  it('is a hollow point', () => {
    const data = marked({ type: 'scatter' }).option.series[0]!['data'] as unknown[]
    expect(data[4]).toMatchObject({ value: [unfinished, 5], itemStyle: { color: themes.light.surface } })
  })
  it('stacks with other incomplete periods', () => {
    const { option } = marked({ series: { stack: 'all', areaStyle: {} } })
    expect(option.series.map(({ stack }) => stack)).toEqual(['all', 'all', 'unfinished all', 'unfinished all'])
  })
})

describe('category labels', () => {
  const label = (names: readonly string[], width = 640) => {
    const rows = [
      { name: 'x', values: [...names] },
      { name: 'n', values: names.map(() => 1) },
    ]
    const spec = {
      xAxis: { type: 'category' },
      yAxis: { type: 'value' },
      series: [{ type: 'bar', points: { x: { column: 'x' }, y: { column: 'n' } } }],
    }
    const { option } = resolveSpec(spec, toFrames({ rows }), { ...around, width }, families)
    return (option as { xAxis: { axisLabel: Record<string, unknown> } }).xAxis.axisLabel
  }
  const regions = ['East Asia & Pacific', 'Europe & Central Asia', 'Latin America & Caribbean', 'North America']

  it('are all shown, side by side or wrapped', () => {
    expect(label(['a', 'b', 'c'])).toMatchObject({ interval: 0 })
    expect(label(regions)).toMatchObject({ interval: 0, overflow: 'break' })
  })
  it('regression: are all tilted instead of partly omitted when they do not fit side by side', () => {
    const names = [...regions, 'Middle East & North Africa', 'South Asia', 'Sub-Saharan Africa']
    expect(label(names, 360)).toMatchObject({ interval: 0, rotate: 40, overflow: 'truncate' })
  })
  it('regression: keep hours upright, all if they fit, otherwise every second or third', () => {
    const hours = Array.from({ length: 24 }, (_, index) => `${index}`)
    expect(label(hours, 540)).toEqual(expect.objectContaining({ interval: 0 }))
    expect(label(hours, 360)).toMatchObject({ interval: 1 })
    expect(label(hours.toSpliced(3, 2), 360), 'with some of them missing').toMatchObject({ interval: 1 })
    for (const width of [360, 540]) expect(label(hours, width)).not.toHaveProperty('rotate')
  })
  it('treat numbers that do not count as names', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `${index * index * 1000 + 10_000}`)
    expect(label(ids, 360)).toMatchObject({ interval: 0, rotate: 40 })
  })
  it('are omitted only when even tilted ones do not fit', () => {
    const names = Array.from({ length: 100 }, (_, index) => `Category number ${index}`)
    expect(label(names)).not.toHaveProperty('interval')
  })
})

describe('bars of a color close to the background', () => {
  const bars = (values: number[]) => {
    const rows = [
      { name: 'x', values: values.map((_, index) => `${index}`) },
      { name: 'n', values },
    ]
    const spec = {
      xAxis: { type: 'category' },
      yAxis: { type: 'value' },
      series: [{ type: 'bar', color: '#fee08b', points: { x: { column: 'x' }, y: { column: 'n' } } }],
    }
    const { option } = resolveSpec(spec, toFrames({ rows }), around, families)
    return (option as unknown as { series: [{ itemStyle: object; data: { itemStyle?: { borderWidth?: number } }[] }] })
      .series[0]
  }
  it('have an outline', () => {
    expect(bars([1, 2, 3]).itemStyle).toMatchObject({ borderWidth: 1 })
  })
  it('regression: have no outline when they are thin', () => {
    expect(bars(Array.from({ length: 200 }, () => 5)).itemStyle).not.toHaveProperty('borderWidth')
    expect(bars([1, 1000]).data.map(({ itemStyle }) => itemStyle?.borderWidth)).toEqual([0, undefined])
  })
})
