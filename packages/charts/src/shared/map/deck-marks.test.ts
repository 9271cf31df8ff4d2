import { expect, it } from 'vitest'
import type { AnyChart } from '../../define.ts'
import path from '../../deck-path/chart.ts'
import polygon from '../../deck-polygon/chart.ts'
import { lookOf } from '../../look.ts'
import { settle } from '../../read-form.ts'
import { themes } from '../../resolve/theme.ts'
import { framesOf } from '../../testing/frames.ts'
import { layerOf } from './deck-marks.ts'
import type { MapSpec } from './layers.ts'
import { marksOf } from './marks/marks-of.ts'
import type { Marks } from './marks/kinds.ts'

const shape = '[[0,0],[1,0],[1,1],[0,0]]'
const frames = framesOf({
  rows: [
    { name: 'way', values: [shape, shape] },
    { name: 'n', values: [1, 9] },
  ],
})
const maps: readonly [AnyChart, object][] = [
  [path, { line_column: 'way' }],
  [polygon, { line_column: 'way', metric: 'n', stroked: true, linear_color_scheme: 'lapis' }],
]

it.each(maps)('regression: colours of a map stayed those of the theme that it was opened in', (chart, form) => {
  const settled = settle(chart.form, form as Record<string, unknown>)
  const { marks: made } = marksOf(chart.spec(frames, settled, lookOf(settled)) as MapSpec, frames)
  const triggersIn = (theme: 'light' | 'dark') =>
    [layerOf(made[0] as Exclude<Marks, { kind: 'clusters' }>, themes[theme], 'x')].flat().flatMap(({ props }) =>
      Object.entries(props)
        .filter(([name, value]) => /^get\w*Color$/.test(name) && typeof value === 'function')
        .map(([name]) => (props.updateTriggers as Record<string, unknown>)[name]),
    )
  expect(triggersIn('light')).toEqual(['light'])
  expect(triggersIn('dark')).toEqual(['dark'])
})
