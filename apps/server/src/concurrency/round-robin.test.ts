import { expect, it } from 'vitest'
import { RoundRobin } from './round-robin.ts'

it('starts tasks of users in turn', async () => {
  const turns = new RoundRobin()
  const order: string[] = []
  await Promise.all(
    ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
      await turns.start(name.charAt(0))
      order.push(name)
    }),
  )
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

it('lets other events be handled between any two tasks', async () => {
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
    }),
  )
  isOver = true
  expect(order.filter((each) => each === 'task')).toHaveLength(20)
  expect(order.join(' ')).not.toContain('task task')
})
