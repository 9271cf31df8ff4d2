import { expect, it } from 'vitest'
import { createMemoryPubSub } from './memory-pub-sub.ts'
import type { PublishedEvent } from './pub-sub.ts'

const listTexts = (events: PublishedEvent[]) => events.map(({ text }) => text)

it('generates increasing ids, even within a millisecond and when the clock goes back', async () => {
  let now = 1000
  const pubSub = createMemoryPubSub(() => now)
  const ids: string[] = []
  for (const at of [1000, 1000, 900, 1001]) {
    now = at
    ids.push((await pubSub.publish('a', {})).id)
  }
  expect(ids).toEqual(['1000-0', '1000-1', '1000-2', '1001-0'])
})

it('delivers events to the listeners of a channel, and missed events on request', async () => {
  const pubSub = createMemoryPubSub(Date.now)
  const heard: PublishedEvent[] = []
  const end = await pubSub.subscribe('a', (event) => heard.push(event))
  const first = await pubSub.publish('a', { text: 'one' })
  await pubSub.publish('b', { text: 'other' })
  await pubSub.publish('a', { text: 'two', id: 'not mine' })
  end()
  await pubSub.publish('a', { text: 'three' })
  expect(listTexts(heard)).toEqual(['one', 'two'])
  expect(listTexts(await pubSub.since('a', first.id))).toEqual(['two', 'three'])
  for (const unknown of ['', 'x', '1-'])
    expect(listTexts(await pubSub.since('a', unknown))).toEqual(['one', 'two', 'three'])
})

it('retains a thousand events per channel for an hour', async () => {
  let now = 0
  const pubSub = createMemoryPubSub(() => now)
  for (let index = 0; index < 1100; index++) await pubSub.publish('a', { text: index })
  expect(listTexts(await pubSub.since('a', '')).length).toBe(1000)
  expect(listTexts(await pubSub.since('a', ''))[0]).toBe(100)
  now = 3_600_001
  expect(await pubSub.since('a', '')).toEqual([])
})
