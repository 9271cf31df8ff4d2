import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { debounceEdges } from './debounce-edges.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('acts at the first call, and at the end of a burst once more', () => {
  const act = vi.fn<() => void>()
  const { call } = debounceEdges(act, 300, () => true)
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
  const { call } = debounceEdges(act, 300, () => true)
  call()
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(1)
  call()
  expect(act).toHaveBeenCalledTimes(2)
})

it('waits for nothing once what was begun is done', () => {
  const act = vi.fn<() => void>()
  let isUnderWay = true
  const { call } = debounceEdges(act, 300, () => isUnderWay)
  call()
  call()
  isUnderWay = false
  call()
  expect(act, 'the second call and the third are one').toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(2)
})

it('forgets what waits', () => {
  const act = vi.fn<() => void>()
  const { call, stop } = debounceEdges(act, 300, () => true)
  call()
  call()
  stop()
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(1)
  call()
  expect(act).toHaveBeenCalledTimes(2)
})
