import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EventLoopYielder } from './event-loop-yielder.ts'

let now: number
beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => void vi.restoreAllMocks())

it('concurrent tasks together block the event loop no longer than one alone', async () => {
  const rests = new EventLoopYielder()
  let worst = 0
  let last = now
  let isOver = false
  const watch = () => {
    worst = Math.max(worst, now - last)
    last = now
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      await rests.yieldIfDue()
      now += 3
    }),
  )
  isOver = true
  watch()
  // 300 ms of work; one stretch is 10 ms plus the step that ends it.
  expect(worst).toBeLessThan(13)
})

it('does not yield while there is time left', async () => {
  const rests = new EventLoopYielder()
  let isTurned = false
  setImmediate(() => (isTurned = true))
  now += 9
  await rests.yieldIfDue()
  expect(isTurned).toBe(false)
  now += 1
  await rests.yieldIfDue()
  expect(isTurned).toBe(true)
})
