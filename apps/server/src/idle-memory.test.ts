import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startIdleCollection } from './idle-memory.ts'

const everyMs = 100
/** How long the event loop has worked and rested. */
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
      // A collection is active time of the loop, too.
      loop.active += 400
    },
    everyMs,
    worthMs,
    readLoop: () => ({ ...loop, utilization: 0 }),
  })

/** Lets intervals pass, in each of which the loop works for `workMs`. */
function pass(intervals: number, workMs: number): void {
  for (let at = 0; at < intervals; at += 1) {
    loop.active += workMs
    loop.idle += everyMs - workMs
    vi.advanceTimersByTime(everyMs)
  }
}

it('gives memory back once, when the work is over, and again after more of it', () => {
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

it('gives back what the start left, and leaves a server alone that has done next to nothing since', () => {
  const end = start(60_000)
  pass(1, 0)
  expect(times).toBe(1)
  pass(1000, 1)
  expect(times).toBe(1)
  end()
})
