import { expect, it } from 'vitest'
import { RoundRobin } from './round-robin.ts'

/** Keeps the thread busy, in several microtasks. */
async function work(ms: number): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end) await Promise.resolve()
}

it('starts tasks of users in turn', async () => {
  const turns = new RoundRobin()
  const order: string[] = []
  await turns.start('z').then(() => work(5))
  await Promise.all(
    ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
      await turns.start(name.charAt(0))
      order.push(name)
    }),
  )
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

it('lets other events be handled between any two long tasks', async () => {
  const turns = new RoundRobin()
  const order: string[] = []
  let isOver = false
  const watch = () => {
    order.push('other')
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await turns.start('a')
      order.push('task')
      await work(3)
    }),
  )
  isOver = true
  expect(order.filter((each) => each === 'task')).toHaveLength(20)
  expect(order.join(' ')).not.toContain('task task')
})

it('starts short tasks in the same turn of the event loop', async () => {
  const turns = new RoundRobin()
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const started = await Promise.all(Array.from({ length: 20 }, () => turns.start('a').then(() => turn)))
  isOver = true
  expect(new Set(started).size).toBeLessThan(10)
})
