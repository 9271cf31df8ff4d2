/** Longest stretch of drawing that what the user does waits for. */
export const drawMs = 40

/** Ends a stretch of work: what the user has done is taken and what was drawn is shown before it goes on. */
export const nextTask = (): Promise<void> =>
  'scheduler' in globalThis
    ? (globalThis as unknown as { scheduler: { yield(): Promise<void> } }).scheduler.yield()
    : new Promise((resolve) => setTimeout(resolve))

/**
 * First pictures, one after the other in the order in which they came: as many as take no longer than a moment, then the page does
 * what else there is. Without it a board whose answers are there before its tiles draws all of them in one task.
 */
export class Turns {
  private readonly waiting: (() => void)[] = []
  private isRunning = false
  private readonly atOnce: (change: () => void) => void

  /** @param atOnce  carries out a change and has it drawn before it returns */
  constructor(atOnce: (change: () => void) => void) {
    this.atOnce = atOnce
  }

  /** Calls `begin` when its turn has come; what it gives leaves the line. */
  take(begin: () => void): () => void {
    this.waiting.push(begin)
    void this.run()
    return () => {
      const at = this.waiting.indexOf(begin)
      if (at >= 0) this.waiting.splice(at, 1)
    }
  }

  private async run(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    while (this.waiting.length > 0) {
      await nextTask()
      const since = performance.now()
      do {
        const begin = this.waiting.shift()
        if (begin) this.atOnce(begin)
      } while (this.waiting.length > 0 && performance.now() - since < drawMs)
    }
    this.isRunning = false
  }
}
