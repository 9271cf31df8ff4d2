import type { Workload } from './bench.ts'
import { medians } from './measure.ts'
import { listProcessTree, readMemoryMb } from './processes.ts'
import { forms } from './twenty-charts.ts'

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** Images without a browser, of cached results: one chart, and a dashboard of twenty as pages and as pixels. */
export const pictures: Workload = async ({ client, dashboard, datasets, product, runs }) => {
  const ask = (path: string, body: object) => async () => {
    const response = await client.send('POST', path, { body })
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.body.toString()}`)
    return response.ms
  }
  const all = () => sum(listProcessTree(product.pid).map(readMemoryMb))
  const before = all()
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, all())), 50)
  const page = `/api/v1/dashboard/${dashboard.id}/picture`
  // one after another, as the dashboard draws them
  const each = forms.map(([, form]) =>
    ask('/api/v1/chart/picture', {
      format: 'pdf',
      form_data: { ...form, datasource: `${datasets.flights}__table` },
    }),
  )
  const measured = await medians(
    {
      charts: async () => {
        let ms = 0
        for (const chart of each) ms += await chart()
        return ms
      },
      pdf: ask(page, { format: 'pdf' }),
      png: ask(page, { format: 'png' }),
    },
    Math.max(3, Math.round(runs / 4)),
  )
  clearInterval(watch)
  const count = Math.max(3, Math.round(runs / 4))
  const floor = { floor: measured.charts, floorIs: '20 charts one by one', budget: measured.charts }
  return [
    { name: 'picture of a chart: PDF', unit: 'ms', value: measured.charts / each.length, runs: count },
    { name: 'picture of 20 charts: PDF', unit: 'ms', value: measured.pdf, runs: count, ...floor },
    { name: 'picture of 20 charts: PNG', unit: 'ms', value: measured.png, runs: count },
    { name: 'picture of 20 charts: more memory', unit: 'MB', value: Math.max(0, most - before), runs: 1, budget: 300 },
  ]
}
