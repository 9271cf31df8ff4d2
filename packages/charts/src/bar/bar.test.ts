import { buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { buildQueryContext, resolveForm } from '../query/build-query-context.ts'
import { loadStoredForm } from '../registry.ts'
import { readFixtures } from '../testing/fixtures.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import chart from './chart.ts'

chartSuite(chart, 'bar')

it('regression: thins axis labels of narrow bars evenly', async () => {
  const { form, frames } = readFixtures('bar').find(({ name }) => name === 'industries')!
  const { svg } = await drawChart(String(form.viz_type), frames, form, { width: 320, height: 300 })
  const texts = [...svg.matchAll(/<text\b[^>]*>([^<]*)</g)].map(([, text]) => text)
  expect(texts).toEqual(expect.arrayContaining(['0', '300', '600', '900', '1.2k']))
})

const fruitForm = {
  viz_type: 'echarts_timeseries_bar',
  datasource: '1__table',
  x_axis: 'fruit',
  metrics: ['sold'],
  timeseries_limit_metric: 'price',
  x_axis_sort: 'price',
}

async function queryAndDraw(more: object, columns: object) {
  const { chart: opened, form } = (await loadStoredForm({ ...fruitForm, ...more }))!
  const [query] = buildQueryContext(opened, form).queries
  const spec = opened.spec({ series: buildFrame(columns as never) }, resolveForm(opened, form), buildSpecContext(form))
  return { query, names: (spec.series as { name: string }[]).map(({ name }) => name) }
}

it('regression: sorts the x-axis by a metric that is not a series', async () => {
  const { query, names } = await queryAndDraw({}, { fruit: ['fig', 'pear'], sold: [3, 1], price: [1, 2] })
  expect(query).toMatchObject({ metrics: ['sold', 'price'] })
  expect(query!.post_processing).toContainEqual({ operation: 'sort', options: { by: 'price', ascending: true } })
  expect(query!.post_processing![0]).toMatchObject({ options: { aggregates: { sold: {}, price: {} } } })
  expect(names).toEqual(['sold'])
})

it('does not add the sort metric to the query for shares, groups, or if it is a series already', async () => {
  for (const more of [
    { contributionMode: 'column' },
    { stack: 'Expand' },
    { groupby: ['farm'] },
    { metrics: ['sold', 'price'] },
  ]) {
    const { query } = await queryAndDraw(more, { fruit: ['fig'], sold: [3] })
    expect(query!.metrics, JSON.stringify(more)).toEqual('metrics' in more ? more.metrics : ['sold'])
  }
})
