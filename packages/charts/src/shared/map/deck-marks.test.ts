import { expect, it } from 'vitest'
import type { AnyChart } from '../../define.ts'
import path from '../../deck-path/chart.ts'
import polygon from '../../deck-polygon/chart.ts'
import { buildSpecContext } from '../../spec-context.ts'
import { applyDefaults } from '../../read-form.ts'
import { themes } from '../../resolve/theme.ts'
import { toFrames } from '../../testing/frames.ts'
import { buildDeckLayer } from './deck-marks.ts'
import type { MapSpec } from './layers.ts'
import { buildMarks } from './marks/build-marks.ts'
import type { MarkGroup } from './marks/kinds.ts'

const triangle = '[[0,0],[1,0],[1,1],[0,0]]'
const frames = toFrames({
  rows: [
    { name: 'way', values: [triangle, triangle] },
    { name: 'n', values: [1, 9] },
  ],
})
const maps: readonly [AnyChart, object][] = [
  [path, { line_column: 'way' }],
  [polygon, { line_column: 'way', metric: 'n', stroked: true, linear_color_scheme: 'lapis' }],
]

it.each(maps)('regression: colors of a map change with the theme', (chart, form) => {
  const settled = applyDefaults(chart.form, form as Record<string, unknown>)
  const { marks: made } = buildMarks(chart.spec(frames, settled, buildSpecContext(settled)) as MapSpec, frames)
  const triggersIn = (theme: 'light' | 'dark') =>
    [buildDeckLayer(made[0] as Exclude<MarkGroup, { kind: 'clusters' }>, themes[theme], 'x')]
      .flat()
      .flatMap(({ props }) =>
        Object.entries(props)
          .filter(([name, value]) => /^get\w*Color$/.test(name) && typeof value === 'function')
          .map(([name]) => (props.updateTriggers as Record<string, unknown>)[name]),
      )
  expect(triggersIn('light')).toEqual(['light'])
  expect(triggersIn('dark')).toEqual(['dark'])
})
