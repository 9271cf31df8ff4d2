import { expect, it } from 'vitest'
import { resolveColorScale } from './shared/colors/scale.ts'
import { buildSpecContext } from './spec-context.ts'

it('regression: a metric keeps the color stored for its label when it is shown under the label of its column', () => {
  const label_colors = { 'SUM(rain)': '#ff0000', 'SUM(rain), Bonn': '#00ff00', Revenue: '#0000ff' }
  const context = buildSpecContext(
    {},
    {
      dataset: { verbose_map: { rain: 'Rain (mm)', revenue: 'Revenue' } },
      colors: resolveColorScale({}, { label_colors }),
    },
  )
  const names = [
    context.displayName('SUM(rain)'),
    `${context.displayName('SUM(rain)')}, Bonn`,
    context.displayName('revenue'),
  ]
  expect(names).toEqual(['Sum of Rain (mm)', 'Sum of Rain (mm), Bonn', 'Revenue'])
  expect(names.map(context.colorsOf(names))).toEqual(['#ff0000', '#00ff00', '#0000ff'])
})
