import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { fixturesOf } from '../testing/fixtures.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import chart from './chart.ts'

chartSuite(chart, 'bar')

it('regression: numbers below narrow bars were left out unevenly', async () => {
  const { form, frames } = fixturesOf('bar').find(({ name }) => name === 'industries')!
  const { svg } = await drawChart(String(form.viz_type), frames, form, { width: 320, height: 300 })
  const texts = [...svg.matchAll(/<text\b[^>]*>([^<]*)</g)].map(([, text]) => text)
  expect(texts).toEqual(expect.arrayContaining(['0', '300', '600', '900', '1.2k']))
})
