import { expect, it, vi } from 'vitest'
import { RenderQueue } from './render-queue.ts'

it('draws in the order of arrival, as many charts per task as fit into the time limit', async () => {
  const clock = vi.spyOn(performance, 'now')
  let now = 0
  clock.mockImplementation(() => now)
  try {
    const slices: string[][] = [[]]
    const turns = new RenderQueue((change) => {
      change()
      now += 25
    })
    const watch = setInterval(() => slices.at(-1)!.length > 0 && slices.push([]))
    for (const name of ['a', 'b', 'c', 'd', 'e']) turns.enqueue(name, () => slices.at(-1)!.push(name))
    const leave = turns.enqueue('gone', () => slices.at(-1)!.push('gone'))
    leave()
    await expect.poll(() => slices.flat()).toEqual(['a', 'b', 'c', 'd', 'e'])
    clearInterval(watch)
    // Two take 50 ms, which exceeds `renderBudgetMs`.
    expect(slices.filter(({ length }) => length > 0)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  } finally {
    clock.mockRestore()
  }
})

it('resumes when a chart arrives after the last one', async () => {
  const turns = new RenderQueue((change) => change())
  const drawn: number[] = []
  turns.enqueue('1', () => drawn.push(1))
  await expect.poll(() => drawn).toEqual([1])
  turns.enqueue('2', () => drawn.push(2))
  await expect.poll(() => drawn).toEqual([1, 2])
})

it('defers offscreen charts until they come near', async () => {
  const idle: (() => void)[] = []
  const turns = new RenderQueue(
    (change) => change(),
    (work) => idle.push(work),
  )
  const drawn: string[] = []
  for (const id of ['far', 'farther']) turns.setOffscreen(id, true)
  for (const id of ['far', 'near', 'farther']) turns.enqueue(id, () => drawn.push(id))
  await expect.poll(() => drawn).toEqual(['near'])
  turns.setOffscreen('farther', false)
  await expect.poll(() => drawn).toEqual(['near', 'farther'])
  expect(turns.isOffscreen('far')).toBe(true)
})

it('draws offscreen charts one by one while idle, and all of them immediately for printing', async () => {
  const idle: (() => void)[] = []
  const turns = new RenderQueue(
    (change) => change(),
    (work) => idle.push(work),
  )
  const drawn: string[] = []
  for (const id of ['a', 'b', 'c', 'd']) {
    turns.setOffscreen(id, true)
    turns.enqueue(id, () => drawn.push(id))
  }
  expect(idle).toHaveLength(1)
  idle.shift()?.()
  expect(drawn).toEqual(['a'])
  idle.shift()?.()
  expect(drawn).toEqual(['a', 'b'])
  turns.flush()
  expect(drawn).toEqual(['a', 'b', 'c', 'd'])
  idle.shift()?.()
  expect(idle).toEqual([])
})

it('remembers drawn charts, including those drawn without waiting, until they are forgotten', async () => {
  const turns = new RenderQueue((change) => change())
  turns.enqueue('waited', () => undefined)
  turns.markRendered('at once')
  expect(turns.hasRendered('waited')).toBe(false)
  await expect.poll(() => turns.hasRendered('waited')).toBe(true)
  expect(turns.hasRendered('at once')).toBe(true)
  turns.forget('at once')
  expect([turns.hasRendered('at once'), turns.hasRendered('waited')]).toEqual([false, true])
})
