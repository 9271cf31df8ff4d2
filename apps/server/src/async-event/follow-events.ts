import type { PublishedEvent, PubSub } from '../jobs/pub-sub.ts'

/**
 * Passes on events of a channel as they are published, after those that a client has missed.
 * @param lastId  the last event that the client received; undefined for a client that asks for later ones only
 * @returns a function that ends it
 */
export async function followEvents(
  events: PubSub,
  channel: string,
  lastId: string | undefined,
  onEvent: (event: PublishedEvent) => void,
): Promise<() => void> {
  // Subscribes before looking up missed events; events received meanwhile follow the missed ones without duplicates.
  let buffered: PublishedEvent[] | null = []
  const unsubscribe = await events.subscribe(channel, (event) => (buffered ? buffered.push(event) : onEvent(event)))
  try {
    const missed = lastId === undefined ? [] : await events.since(channel, lastId)
    const missedIds = new Set(missed.map(({ id }) => id))
    for (const event of [...missed, ...buffered.filter(({ id }) => !missedIds.has(id))]) onEvent(event)
    buffered = null
    return unsubscribe
  } catch (error) {
    unsubscribe()
    throw error
  }
}
