import { expect, it, vi } from 'vitest'
import { Turns } from './turns.ts'

it('draws in the order in which they came, as many at once as take a moment', async () => {
  const clock = vi.spyOn(performance, 'now')
  let now = 0
  clock.mockImplementation(() => now)
  try {
    const slices: string[][] = [[]]
    const turns = new Turns((change) => {
      change()
      now += 25
    })
    const watch = setInterval(() => slices.at(-1)!.length > 0 && slices.push([]))
    for (const name of ['a', 'b', 'c', 'd', 'e']) turns.take(() => slices.at(-1)!.push(name))
    const leave = turns.take(() => slices.at(-1)!.push('gone'))
    leave()
    await expect.poll(() => slices.flat()).toEqual(['a', 'b', 'c', 'd', 'e'])
    clearInterval(watch)
    // two take 50 ms, which is more than a moment
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(4)
    expect(slices[0]!.length).toBeGreaterThanOrEqual(2)
  } finally {
    clock.mockRestore()
  }
})

it('begins again when somebody comes after the last one', async () => {
  const turns = new Turns((change) => change())
  const drawn: number[] = []
  turns.take(() => drawn.push(1))
  await expect.poll(() => drawn).toEqual([1])
  turns.take(() => drawn.push(2))
  await expect.poll(() => drawn).toEqual([1, 2])
})
