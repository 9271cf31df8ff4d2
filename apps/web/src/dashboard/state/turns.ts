import { nextTask } from '@parquetry/charts/views/next-task'

/** Longest stretch of drawing that what the user does waits for. */
export const drawMs = 40

/** What rests while nothing else happens; where a browser does not say when, after a moment. */
const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 500 })
  else setTimeout(work, 100)
}

/**
 * First pictures, one after the other in the order in which they came: as many as take no longer than a moment, then the page does
 * what else there is. Without it a board whose answers are there before its tiles draws all of them in one task. What is far from
 * the window comes when it comes near, else one by one while the page is idle.
 */
export class Turns {
  private readonly waiting = new Map<string, () => void>()
  private readonly far = new Set<string>()
  private readonly came = new Set<string>()
  private isRunning = false
  private isIdling = false
  private readonly atOnce: (change: () => void) => void
  private readonly idle: (work: () => void) => void

  /** @param atOnce  carries out a change and has it drawn before it returns */
  constructor(atOnce: (change: () => void) => void, idle: (work: () => void) => void = whenIdle) {
    this.atOnce = atOnce
    this.idle = idle
  }

  /** Calls `begin` when its turn has come; what it gives leaves the line. */
  take(id: string, begin: () => void): () => void {
    this.waiting.set(id, begin)
    this.go()
    return () => {
      if (this.waiting.get(id) === begin) this.waiting.delete(id)
    }
  }

  /** Whether its turn came already, or was not waited for. */
  hasCome(id: string): boolean {
    return this.came.has(id)
  }

  /** It is drawn without a turn. */
  come(id: string): void {
    this.came.add(id)
  }

  /** It is no more; one of its name would wait again. */
  forget(id: string): void {
    this.came.delete(id)
  }

  /** What nobody said is near. */
  isFar(id: string): boolean {
    return this.far.has(id)
  }

  setFar(id: string, isFar: boolean): void {
    if (isFar) this.far.add(id)
    else if (this.far.delete(id) && this.waiting.has(id)) this.go()
  }

  /** Draws all that waits now, as for a printer. */
  drawAll(): void {
    if (this.waiting.size === 0) return
    this.atOnce(() => {
      for (const id of this.waiting.keys()) this.begin(id)
    })
  }

  private go(): void {
    void this.run()
    this.rest()
  }

  private begin(id: string): void {
    const begin = this.waiting.get(id)
    this.waiting.delete(id)
    this.came.add(id)
    begin?.()
  }

  private near(): string | undefined {
    for (const id of this.waiting.keys()) if (!this.far.has(id)) return id
    return undefined
  }

  private async run(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    while (this.near() !== undefined) {
      await nextTask()
      const since = performance.now()
      for (let id = this.near(); id !== undefined; id = performance.now() - since < drawMs ? this.near() : undefined)
        this.draw(id)
    }
    this.isRunning = false
  }

  /** One that is far, once the page is idle. */
  private rest(): void {
    if (this.isIdling || this.waiting.size === 0) return
    this.isIdling = true
    this.idle(() => {
      this.isIdling = false
      const [id] = this.waiting.keys()
      if (id !== undefined && !this.isRunning) this.draw(id)
      this.rest()
    })
  }

  private draw(id: string): void {
    this.atOnce(() => this.begin(id))
  }
}
