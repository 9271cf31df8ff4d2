import { expect, it } from 'vitest'
import { planTimedRefresh } from './stagger.ts'

const delays = (...args: Parameters<typeof planTimedRefresh>) => planTimedRefresh(...args).map(({ delayMs }) => delayMs)

it('DASH-068: staggers a timed refresh unless the dashboard disables it', () => {
  expect(delays([1, 2, 3], {})).toEqual([0, 2500, 5000])
  expect(delays([1, 2, 3], { stagger_refresh: false })).toEqual([0, 0, 0])
})

it('DASH-069: spreads charts over 5000 ms, or over the stagger_time of the dashboard', () => {
  expect(delays([1, 2], {}).at(-1)).toBe(5000)
  expect(delays([1, 2, 3], { stagger_time: 8000 })).toEqual([0, 4000, 8000])
  expect(delays([1, 2], { stagger_time: 'soon' }).at(-1)).toBe(5000)
})

it('skips charts excluded from timed refreshes, and does not delay a single chart', () => {
  expect(planTimedRefresh([1, 2], { timed_refresh_immune_slices: [1] })).toEqual([{ chart: 2, delayMs: 0 }])
})
