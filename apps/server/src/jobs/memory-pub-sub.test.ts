import { expect, it } from 'vitest'
import { createMemoryPubSub } from './memory-pub-sub.ts'
import type { PublishedEvent } from './pub-sub.ts'

const textsOf = (events: PublishedEvent[]) => events.map(({ text }) => text)

it('gives ids that grow, also within a millisecond and when the clock goes back', () => {
  let now = 1000
  const pubSub = createMemoryPubSub(() => now)
  const ids = [1000, 1000, 900, 1001].map((at) => {
    now = at
    return pubSub.publish('a', {}).id
  })
  expect(ids).toEqual(['1000-0', '1000-1', '1000-2', '1001-0'])
})

it('tells who listens on a channel, and who comes later what he missed', () => {
  const pubSub = createMemoryPubSub(Date.now)
  const heard: PublishedEvent[] = []
  const end = pubSub.subscribe('a', (event) => heard.push(event))
  const first = pubSub.publish('a', { text: 'one' })
  pubSub.publish('b', { text: 'other' })
  pubSub.publish('a', { text: 'two', id: 'not mine' })
  end()
  pubSub.publish('a', { text: 'three' })
  expect(textsOf(heard)).toEqual(['one', 'two'])
  expect(textsOf(pubSub.since('a', first.id))).toEqual(['two', 'three'])
  for (const unknown of ['', 'x', '1-']) expect(textsOf(pubSub.since('a', unknown))).toEqual(['one', 'two', 'three'])
})

it('keeps a thousand events of a channel for an hour', () => {
  let now = 0
  const pubSub = createMemoryPubSub(() => now)
  for (let at = 0; at < 1100; at++) pubSub.publish('a', { text: at })
  expect(textsOf(pubSub.since('a', '')).length).toBe(1000)
  expect(textsOf(pubSub.since('a', ''))[0]).toBe(100)
  now = 3_600_001
  expect(pubSub.since('a', '')).toEqual([])
})
