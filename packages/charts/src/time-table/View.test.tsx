import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { toFrames } from '../testing/frames.ts'
import { ChartHost } from '../views/index.tsx'

const frames = toFrames({
  series: [
    { name: 'at', kind: 'time', values: [0, 1, 2].map((month) => Date.UTC(2026, month, 1)) },
    { name: 'a', values: [1, 2, 30] },
    { name: 'b', values: [5, null, null] },
    { name: 'c', values: [3, 50, 40] },
  ],
})
const form = {
  viz_type: 'time_table',
  x_axis: 'at',
  time_grain_sqla: 'P1M',
  metrics: ['n'],
  groupby: ['g'],
  url: '/x/?q={{ metric }}',
  column_collection: [
    { label: 'Now', colType: 'time', timeLag: 0 },
    { label: 'Trend', colType: 'spark' },
  ],
}
const names = () =>
  page
    .getByRole('rowheader')
    .elements()
    .map(({ textContent }) => textContent)

it('sorts by its columns, links its names, and announces its sparklines', async () => {
  await show(
    <div style={{ width: 480, height: 300 }}>
      <ChartHost form={form} frames={frames} title="Trend" />
    </div>,
  )
  await expect.poll(names).toEqual(['a', 'b', 'c'])
  const now = page.getByRole('button', { name: 'Now' })
  await now.click()
  expect(names()).toEqual(['c', 'a', 'b'])
  await now.click()
  expect(names()).toEqual(['a', 'c', 'b'])
  await expect.element(page.getByRole('columnheader', { name: 'Now' })).toHaveAttribute('aria-sort', 'ascending')
  await expect.element(page.getByRole('link', { name: 'c' })).toHaveAttribute('href', '/x/?q=c')
  await expect.element(page.getByRole('img', { name: 'Range from 3 to 50, last value 40' })).toBeVisible()
  await expect.element(page.getByText('Last period: March 2026')).toBeVisible()
})
