import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startIdleCollection } from './idle-memory.ts'

const everyMs = 100
/** Active and idle time of the event loop in ms. */
let loop: { active: number; idle: number }
let times: number

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  loop = { active: 0, idle: 0 }
  times = 0
})
afterEach(() => void vi.useRealTimers())

const start = (worthMs: number) =>
  startIdleCollection({
    collect() {
      times += 1
      // A collection counts as active time of the loop, too.
      loop.active += 400
    },
    everyMs,
    worthMs,
    readLoop: () => ({ ...loop, utilization: 0 }),
  })

/** Advances time by intervals in which the loop works for `workMs`. */
function pass(intervals: number, workMs: number): void {
  for (let index = 0; index < intervals; index += 1) {
    loop.active += workMs
    loop.idle += everyMs - workMs
    vi.advanceTimersByTime(everyMs)
  }
}

it('collects once after the work ends, and again after more work', () => {
  const end = start(300)
  pass(10, 90)
  expect(times).toBe(0)
  pass(1, 1)
  expect(times).toBe(1)
  pass(100, 1)
  expect(times).toBe(1)
  pass(4, 90)
  expect(times).toBe(1)
  pass(1, 0)
  expect(times).toBe(2)
  end()
  pass(10, 90)
  pass(10, 0)
  expect(times).toBe(2)
})

it('collects after the start, and leaves a server alone that has been idle since', () => {
  const end = start(60_000)
  pass(1, 0)
  expect(times).toBe(1)
  pass(1000, 1)
  expect(times).toBe(1)
  end()
})
