import { expect, it } from 'vitest'
import { planTimedRefresh } from './stagger.ts'

const delays = (...args: Parameters<typeof planTimedRefresh>) => planTimedRefresh(...args).map(({ delayMs }) => delayMs)

it('DASH-068: staggers a timed refresh unless the dashboard disables it', () => {
  expect(delays([1, 2, 3], {})).toEqual([0, 2500, 5000])
  expect(planTimedRefresh([1, 2, 3], { stagger_refresh: false })).toEqual([{ charts: [1, 2, 3], delayMs: 0 }])
})

it('DASH-069: spreads charts over 5000 ms, or over the stagger_time of the dashboard', () => {
  expect(delays([1, 2], {}).at(-1)).toBe(5000)
  expect(delays([1, 2, 3], { stagger_time: 8000 })).toEqual([0, 4000, 8000])
  expect(delays([1, 2], { stagger_time: 'soon' }).at(-1)).toBe(5000)
})

it('sends at most five requests, with every chart in one of them', () => {
  const requests = planTimedRefresh([1, 2, 3, 4, 5, 6, 7], { stagger_time: 4000 })
  expect(requests.map(({ charts }) => charts)).toEqual([[1, 2], [3], [4, 5], [6], [7]])
  expect(requests.map(({ delayMs }) => delayMs)).toEqual([0, 1000, 2000, 3000, 4000])
})

it('skips charts excluded from timed refreshes, and does not delay a single chart', () => {
  expect(planTimedRefresh([1, 2], { timed_refresh_immune_slices: [1] })).toEqual([{ charts: [2], delayMs: 0 }])
  expect(planTimedRefresh([1], { timed_refresh_immune_slices: [1] })).toEqual([])
})
