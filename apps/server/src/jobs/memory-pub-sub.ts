import type { PublishedEvent, PubSub } from './pub-sub.ts'

/** Events retained per channel, as many as the reference retains per stream. */
const maxEvents = 1000
const eventTtlMs = 3_600_000
/** Number of channels above which idle ones with only old events are removed. */
const pruneThreshold = 200

interface Channel {
  events: { at: number; event: PublishedEvent }[]
  listeners: Set<(event: PublishedEvent) => void>
}

/** Publishes events within one server process. */
export function createMemoryPubSub(now: () => number): PubSub {
  const channels = new Map<string, Channel>()
  let lastMs = 0
  let lastNumber = 0

  function nextId(): string {
    const ms = Math.max(lastMs, now())
    lastNumber = ms === lastMs ? lastNumber + 1 : 0
    lastMs = ms
    return `${ms}-${lastNumber}`
  }
  function channelOf(name: string): Channel {
    const existing = channels.get(name)
    if (existing) return existing
    const created: Channel = { events: [], listeners: new Set() }
    channels.set(name, created)
    return created
  }
  function removeIdleChannels(): void {
    const oldest = now() - eventTtlMs
    for (const [name, { events, listeners }] of channels)
      if (listeners.size === 0 && (events.at(-1)?.at ?? 0) < oldest) channels.delete(name)
  }

  return {
    async publish(name, fields) {
      if (channels.size > pruneThreshold) removeIdleChannels()
      const channel = channelOf(name)
      const event = { ...fields, id: nextId() }
      channel.events.push({ at: now(), event })
      if (channel.events.length > maxEvents) channel.events.shift()
      for (const listener of channel.listeners) listener(event)
      return event
    },
    async subscribe(name, listener) {
      const { listeners } = channelOf(name)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async since(name, lastId) {
      const after = parseEventId(lastId)
      const oldest = now() - eventTtlMs
      const events = channels.get(name)?.events ?? []
      return events.flatMap(({ at, event }) => (at >= oldest && isAfter(parseEventId(event.id), after) ? [event] : []))
    },
  }
}

type EventPosition = readonly [ms: number, number: number]

function parseEventId(id: string): EventPosition {
  const [, ms, number] = /^(\d+)-(\d+)$/.exec(id) ?? []
  return [Number(ms ?? -1), Number(number ?? -1)]
}

const isAfter = (position: EventPosition, other: EventPosition): boolean =>
  position[0] > other[0] || (position[0] === other[0] && position[1] > other[1])
