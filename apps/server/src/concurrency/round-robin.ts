/**
 * Starts tasks one per turn of the event loop, users in turn: other events are handled in between, and many tasks of one user do
 * not delay those of others by more than one task.
 */
export class RoundRobin {
  /** Waiting tasks by user; the user whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when the next task of the user may start. */
  start(user: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#waiting.size === 0) setImmediate(() => this.#startNext())
    const tasks = this.#waiting.get(user)
    if (tasks) tasks.push(resolve)
    else this.#waiting.set(user, [resolve])
    return promise
  }

  #startNext(): void {
    for (const [user, tasks] of this.#waiting) {
      this.#waiting.delete(user)
      tasks.shift()?.()
      if (tasks.length > 0) this.#waiting.set(user, tasks)
      break
    }
    if (this.#waiting.size > 0) setImmediate(() => this.#startNext())
  }
}
