/** A published event. Its id increases with time: `<milliseconds>-<number>`. */
export type PublishedEvent = { id: string } & Record<string, unknown>

/** Channel for the progress of a user's jobs; API clients read it as `channel_id`. */
export const userChannel = (userId: number): string => `user:${userId}`

/** Channel for the progress of a user's SQL Lab runs. */
export const queryChannel = (userId: number): string => `${userChannel(userId)}:queries`

/** Delivers events to subscribers and retains recent ones for clients that reconnect. */
export interface PubSub {
  publish(channel: string, event: Record<string, unknown>): Promise<PublishedEvent>
  /** Resolves once no later event can be missed. @returns a function that unsubscribes */
  subscribe(channel: string, listener: (event: PublishedEvent) => void): Promise<() => void>
  /** Events published after the given one, oldest first. An invalid id precedes all retained events. */
  since(channel: string, lastId: string): Promise<PublishedEvent[]>
}
