import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { QueryTimeRange } from './QueryTimeRange.tsx'

it('TIME-028: shows the bounds of a time range, and nothing without a start', async () => {
  const [from_dttm, to_dttm] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1, 12)]
  await show(
    <div data-testid="ranges">
      <QueryTimeRange from_dttm={from_dttm} to_dttm={to_dttm} />
      <QueryTimeRange from_dttm={from_dttm} />
      <QueryTimeRange from_dttm={null} to_dttm={to_dttm} />
      <QueryTimeRange />
    </div>,
  )
  const ranges = page.getByTestId('ranges')
  await expect.element(ranges).toBeVisible()
  expect([...ranges.element().children].map(({ textContent }) => textContent)).toEqual([
    'Time range: 2026-01-01 T 00:00:00 UTC to 2026-02-01 T 12:00:00 UTC',
    'Time range: since 2026-01-01 T 00:00:00 UTC',
  ])
})
