import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { debounceEdges } from './debounce-edges.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('acts on the first call and once more at the end of a burst', () => {
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

it('acts once for a single call, and immediately for a call after a pause', () => {
  const act = vi.fn<() => void>()
  const { call } = debounceEdges(act, 300, () => true)
  call()
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(1)
  call()
  expect(act).toHaveBeenCalledTimes(2)
})

it('acts immediately once the earlier work is done', () => {
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

it('discards the pending call on stop', () => {
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

it('makes the pending call on flush, and none without one', () => {
  const act = vi.fn<() => void>()
  const { call, flush } = debounceEdges(act, 300, () => true)
  call()
  flush()
  expect(act).toHaveBeenCalledTimes(1)
  call()
  call()
  flush()
  expect(act).toHaveBeenCalledTimes(3)
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(3)
})
