import { expect, it } from 'vitest'
import { settle } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import chart from './chart.ts'

chartSuite(chart, 'area')

it('regression: a form without `stack` was drawn stacked', () => {
  expect(settle(chart.form, { viz_type: 'echarts_area' }).stack).not.toBe('Stack')
  expect(settle(chart.form, { viz_type: 'echarts_area', stack: 'Stack' }).stack).toBe('Stack')
})
