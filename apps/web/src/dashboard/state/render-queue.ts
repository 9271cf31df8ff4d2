import { yieldToEventLoop } from '@parquetry/charts/views/yield-to-event-loop'

/** Longest stretch of drawing that what the user does waits for. */
export const renderBudgetMs = 40

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
export class RenderQueue {
  private readonly waiting = new Map<string, () => void>()
  private readonly offscreen = new Set<string>()
  private readonly rendered = new Set<string>()
  private isRunning = false
  private isIdling = false
  private readonly commitSync: (change: () => void) => void
  private readonly idle: (work: () => void) => void

  /** @param atOnce  carries out a change and has it drawn before it returns */
  constructor(atOnce: (change: () => void) => void, idle: (work: () => void) => void = whenIdle) {
    this.commitSync = atOnce
    this.idle = idle
  }

  /** Calls `begin` when its turn has come; what it gives leaves the line. */
  enqueue(id: string, begin: () => void): () => void {
    this.waiting.set(id, begin)
    this.schedule()
    return () => {
      if (this.waiting.get(id) === begin) this.waiting.delete(id)
    }
  }

  /** Whether its turn came already, or was not waited for. */
  hasRendered(id: string): boolean {
    return this.rendered.has(id)
  }

  /** It is drawn without a turn. */
  markRendered(id: string): void {
    this.rendered.add(id)
  }

  /** It is no more; one of its name would wait again. */
  forget(id: string): void {
    this.rendered.delete(id)
  }

  /** What nobody said is near. */
  isOffscreen(id: string): boolean {
    return this.offscreen.has(id)
  }

  setOffscreen(id: string, isFar: boolean): void {
    if (isFar) this.offscreen.add(id)
    else if (this.offscreen.delete(id) && this.waiting.has(id)) this.schedule()
  }

  /** Draws all that waits now, as for a printer. */
  flush(): void {
    if (this.waiting.size === 0) return
    this.commitSync(() => {
      for (const id of this.waiting.keys()) this.begin(id)
    })
  }

  private schedule(): void {
    void this.run()
    this.renderWhenIdle()
  }

  private begin(id: string): void {
    const begin = this.waiting.get(id)
    this.waiting.delete(id)
    this.rendered.add(id)
    begin?.()
  }

  private nextOnscreen(): string | undefined {
    for (const id of this.waiting.keys()) if (!this.offscreen.has(id)) return id
    return undefined
  }

  private async run(): Promise<void> {
    if (this.isRunning) return
    this.isRunning = true
    while (this.nextOnscreen() !== undefined) {
      await yieldToEventLoop()
      const since = performance.now()
      for (
        let id = this.nextOnscreen();
        id !== undefined;
        id = performance.now() - since < renderBudgetMs ? this.nextOnscreen() : undefined
      )
        this.draw(id)
    }
    this.isRunning = false
  }

  /** One that is far, once the page is idle. */
  private renderWhenIdle(): void {
    if (this.isIdling || this.waiting.size === 0) return
    this.isIdling = true
    this.idle(() => {
      this.isIdling = false
      const [id] = this.waiting.keys()
      if (id !== undefined && !this.isRunning) this.draw(id)
      this.renderWhenIdle()
    })
  }

  private draw(id: string): void {
    this.commitSync(() => this.begin(id))
  }
}
