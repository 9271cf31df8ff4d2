import { sourceOf } from '@parquetry/bundle'
import { expect, it } from 'vitest'
import { indexBundle } from './source-ids.ts'

it('regression: the index of a bundle keeps a limited number of the ids in its layouts', async () => {
  const place = (chartId: number) => ({ type: 'CHART', id: `C${chartId}`, meta: { chartId, uuid: `u${chartId}` } })
  const layout = (first: number) =>
    Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`C${index}`, place(first + index)]))
  const files = new Map(
    [1, 60_001].map((first) => [
      `dashboards/d_${first}.yaml`,
      { dashboard_title: 'd', uuid: `d${first}`, position: layout(first) },
    ]),
  )
  const metadata = { version: '1.0.0', type: 'Dashboard', timestamp: '2026-01-02T03:04:05+00:00' } as const
  const { charts } = await indexBundle(sourceOf({ metadata, files }))
  expect([charts.size, charts.get(1), charts.get(100_001)]).toEqual([100_000, 'u1', undefined])
})
