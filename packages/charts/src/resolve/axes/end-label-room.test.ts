import { expect, it } from 'vitest'
import { toFrames } from '../../testing/frames.ts'
import { hasRoomForEndLabels } from './end-label-room.ts'
import type { Plot } from './plot.ts'
import { resolveSpec } from '../resolve-spec.ts'
import { themes } from '../theme.ts'
import { loadFamilies } from '../families/load.ts'
import { englishTranslator } from '../text.ts'

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 360,
}
const families = await loadFamilies(['line'])
const line = (...y: (number | null)[]): Plot => ({
  name: '',
  color: '#000',
  key: {},
  x: y.map((_, index) => index),
  xColumn: 'x',
  y,
})

it('distinguishes names that are clear of each other from overlapping names', () => {
  expect(hasRoomForEndLabels([line(0, 100), line(0, 50)], around)).toBe(true)
  expect(hasRoomForEndLabels([line(0, 100), line(0, 97)], around)).toBe(false)
  expect(hasRoomForEndLabels([line(100, 40, null), line(0, 41)], around)).toBe(false)
})

it('regression: the description mentions that there are more than four series', () => {
  const describeChart = (count: number) => {
    const names = [...'abcdef'].slice(0, count)
    const columns = [{ name: 'x', values: [1, 2] }, ...names.map((name) => ({ name, values: [1, 2] }))]
    const series = names.map((name) => ({ type: 'line', name, points: { x: { column: 'x' }, y: { column: name } } }))
    const spec = { xAxis: { type: 'value' }, yAxis: { type: 'value' }, series }
    return resolveSpec(spec, toFrames({ series: columns }), around, families).describe('Line')
  }
  expect(describeChart(6)).toContain('Line of a, b, c, d and 2 more, ')
  expect(describeChart(5)).toContain('Line of a, b, c, d, e, ')
})

it('regression: lines whose names would overlap have a legend instead', () => {
  const spec = {
    xAxis: { type: 'value' },
    yAxis: { type: 'value' },
    series: ['a', 'b'].map((column) => ({
      type: 'line',
      name: column,
      points: { x: { column: 'x' }, y: { column } },
      endLabel: { show: true },
    })),
  }
  const drawn = (last: number) => {
    const columns = { x: [1, 2], a: [0, 100], b: [0, last] }
    const written = Object.entries(columns).map(([name, values]) => ({ name, values }))
    const { legend, option } = resolveSpec(spec, toFrames({ rows: written }), around, families)
    return {
      legend: legend.map(({ name }) => name),
      named: (option.series as { endLabel?: object }[]).map((s) => Boolean(s.endLabel)),
    }
  }
  expect(resolveSpec({ ...spec, legend: false }, toFrames({ rows: [] }), around, families).legend).toEqual([])
  expect(drawn(50)).toEqual({ legend: [], named: [true, true] })
  expect(drawn(98)).toEqual({ legend: ['a', 'b'], named: [false, false] })
})

it('regression: a long name at the end of a line is shortened to the room beside the plot', () => {
  const spec = {
    xAxis: { type: 'value' },
    yAxis: { type: 'value' },
    series: [
      {
        type: 'line',
        name: 'SUM(rain_mm), 1 year ago',
        points: { x: { column: 'x' }, y: { column: 'y' } },
        endLabel: { show: true },
      },
    ],
  }
  const rows = toFrames({
    rows: [
      { name: 'x', values: [1, 2] },
      { name: 'y', values: [3, 4] },
    ],
  })
  for (const width of [250, 900]) {
    const { option } = resolveSpec(spec, rows, { ...around, width }, families)
    const [{ endLabel }] = option.series as [{ endLabel: { width: number; distance: number } }]
    expect(endLabel.width + endLabel.distance).toBeLessThanOrEqual((option.grid as { right: number }).right)
  }
})
