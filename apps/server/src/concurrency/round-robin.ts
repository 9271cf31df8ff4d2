/** Tasks run one right after the other until they have taken this long together; then other events are handled. */
const sharedTurnMs = 2

const resolved = Promise.resolve()

/**
 * Starts waiting tasks, each for the next user who has one. Other events are handled between tasks, except between short ones.
 * Many tasks of one user do not delay those of others by more than one task and `sharedTurnMs`.
 */
export class RoundRobin {
  /** Waiting tasks by user; the user whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()
  /** When the first task of this turn of the event loop started; undefined until one does. */
  #turnStart: number | undefined
  /** The last started task has not come to its first wait for another event. */
  #isWorking = false

  /** Resolves when the next task of the user may start. */
  start(user: string): Promise<void> {
    if (this.#waiting.size === 0 && this.#mayStart()) {
      this.#watchWork()
      return resolved
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const tasks = this.#waiting.get(user)
    if (tasks) tasks.push(resolve)
    else this.#waiting.set(user, [resolve])
    return promise
  }

  #mayStart(): boolean {
    if (this.#isWorking) return false
    if (this.#turnStart !== undefined) return performance.now() - this.#turnStart < sharedTurnMs
    this.#turnStart = performance.now()
    setImmediate(() => {
      this.#turnStart = undefined
      this.#startNext()
    })
    return true
  }

  #startNext(): void {
    const next = this.#waiting.entries().next().value
    if (!next || !this.#mayStart()) return
    const [user, tasks] = next
    this.#waiting.delete(user)
    tasks.shift()?.()
    if (tasks.length > 0) this.#waiting.set(user, tasks)
    this.#watchWork()
  }

  /** Starts the next task after the work of this one: a tick that a microtask queues comes after all microtasks. */
  #watchWork(): void {
    this.#isWorking = true
    void resolved.then(this.#queueEndOfWork)
  }

  readonly #queueEndOfWork = (): void => process.nextTick(this.#endWork)

  readonly #endWork = (): void => {
    this.#isWorking = false
    this.#startNext()
  }
}
