import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { burst } from './burst.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('acts at the first call, and at the end of a burst once more', () => {
  const act = vi.fn<() => void>()
  const { call } = burst(act, 300)
  call()
  expect(act, 'a single change waits for nothing').toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(299)
  call()
  vi.advanceTimersByTime(299)
  call()
  vi.advanceTimersByTime(299)
  expect(act).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledTimes(2)
})

it('a single call is not repeated, and one after a pause is a first one', () => {
  const act = vi.fn<() => void>()
  const { call } = burst(act, 300)
  call()
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(1)
  call()
  expect(act).toHaveBeenCalledTimes(2)
})

it('forgets what waits', () => {
  const act = vi.fn<() => void>()
  const { call, stop } = burst(act, 300)
  call()
  call()
  stop()
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(1)
  call()
  expect(act).toHaveBeenCalledTimes(2)
})
