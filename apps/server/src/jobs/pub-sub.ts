/** An event as it was published, with an id that grows with time: `<milliseconds>-<number>`. */
export type PublishedEvent = { id: string } & Record<string, unknown>

/** Where a user's jobs say how far they are; clients of the API read it as `channel_id`. */
export const userChannel = (userId: number): string => `user:${userId}`

/** Where a user's runs of SQL Lab say so. */
export const queryChannel = (userId: number): string => `${userChannel(userId)}:queries`

/** News for who is there, and the latest of them for who comes back. */
export interface PubSub {
  publish(channel: string, event: Record<string, unknown>): Promise<PublishedEvent>
  /** Settles when nothing that is published from now on is missed. @returns ends it */
  subscribe(channel: string, listener: (event: PublishedEvent) => void): Promise<() => void>
  /** What was published after an event, oldest first. A text that is no id is before everything that is kept. */
  since(channel: string, lastId: string): Promise<PublishedEvent[]>
}
