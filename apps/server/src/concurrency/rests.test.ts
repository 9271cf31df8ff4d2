import { expect, it } from 'vitest'
import { Rests } from './rests.ts'

const work = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

it('many that work at once hold the loop no longer together than one alone', async () => {
  const rests = new Rests()
  let worst = 0
  let last = performance.now()
  const watch = setInterval(() => {
    worst = Math.max(worst, performance.now() - last)
    last = performance.now()
  }, 1)
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      await rests.rest()
      work(3)
    }),
  )
  clearInterval(watch)
  // 300 ms of work; one stretch is 10.
  expect(worst).toBeLessThan(150)
})

it('does not wait while there is time left', async () => {
  const rests = new Rests()
  let isTurned = false
  setImmediate(() => (isTurned = true))
  await rests.rest()
  expect(isTurned).toBe(false)
})
