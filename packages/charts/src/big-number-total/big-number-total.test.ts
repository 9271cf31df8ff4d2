import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'big-number-total')

const tint = (n: number | null, rules: object[]) => {
  const form = applyDefaults(chart.form, { viz_type: 'big_number_total', metric: 'n', conditional_formatting: rules })
  return chart.spec(toFrames({ total: [{ name: 'n', values: [n] }] }), form, buildSpecContext(form)).tint
}

it('CTRL-101: uses the color of the last matching format: green, yellow or red', () => {
  const over = (targetValue: number, colorScheme: string) => ({ column: 'n', operator: '>', targetValue, colorScheme })
  const rules = [over(0, '#EFA1AA'), over(10, '#FDE380'), over(100, '#ACE1C4')]
  expect([5, 50, 500].map((n) => tint(n, rules))).toEqual(['red', 'yellow', 'green'])
  expect([tint(-1, rules), tint(null, rules)]).toEqual([undefined, undefined])
})

it('regression: formats a numeric value that an engine sends as text', () => {
  const { total } = toFrames({ total: [{ name: 'n', values: ['11712.3456789012345678'] }] })
  const [column] = total!.columns
  const form = applyDefaults(chart.form, { viz_type: 'big_number_total', metric: 'n' })
  const frame = { ...total!, columns: [{ ...column!, numeric: true } as never] }
  expect(chart.spec({ total: frame }, form, buildSpecContext(form)).value).toBe(Number('11712.3456789012345678'))
})

it('regression: a stored color could add markup to the SVG', async () => {
  const colorScheme = '#000"/><image href="https://example.com/a" x="'
  const rules = [{ column: 'n', operator: '>', targetValue: 0, colorScheme }]
  const frames = toFrames({ total: [{ name: 'n', values: [1] }] })
  const { svg } = await drawChart('big_number_total', frames, { metric: 'n', conditional_formatting: rules })
  expect(svg).not.toContain('<image')
})
