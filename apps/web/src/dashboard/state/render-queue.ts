import { yieldToEventLoop } from '@parquetry/charts/views/yield-to-event-loop'

/** Maximum time in ms that user input waits for drawing. */
export const renderBudgetMs = 40

/** Runs work while the page is idle, or after a delay if the browser does not report that. */
const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 500 })
  else setTimeout(work, 100)
}

/**
 * Queue for first drawings, in the order of arrival: as many per task as fit into `renderBudgetMs`, then it yields to the page. Without
 * it, a dashboard whose results arrive before its tiles draws all of them in one task. Offscreen charts are drawn when they come
 * near the window, otherwise one by one while the page is idle.
 */
export class RenderQueue {
  private readonly waiting = new Map<string, () => void>()
  private readonly offscreen = new Set<string>()
  private readonly rendered = new Set<string>()
  private isRunning = false
  private isIdling = false
  private readonly commitSync: (change: () => void) => void
  private readonly idle: (work: () => void) => void

  /** @param atOnce  applies a change and renders it synchronously */
  constructor(atOnce: (change: () => void) => void, idle: (work: () => void) => void = whenIdle) {
    this.commitSync = atOnce
    this.idle = idle
  }

  /** Calls `begin` when its turn comes; the returned function leaves the queue. */
  enqueue(id: string, render: () => void): () => void {
    this.waiting.set(id, render)
    this.schedule()
    return () => {
      if (this.waiting.get(id) === render) this.waiting.delete(id)
    }
  }

  /** True if its turn has come, or it was drawn without waiting. */
  hasRendered(id: string): boolean {
    return this.rendered.has(id)
  }

  /** Marks it as drawn without waiting. */
  markRendered(id: string): void {
    this.rendered.add(id)
  }

  /** Forgets a removed chart; another one of its id waits again. */
  forget(id: string): void {
    this.rendered.delete(id)
  }

  /** True if it is offscreen; elements count as near by default. */
  isOffscreen(id: string): boolean {
    return this.offscreen.has(id)
  }

  setOffscreen(id: string, isFar: boolean): void {
    if (isFar) this.offscreen.add(id)
    else if (this.offscreen.delete(id) && this.waiting.has(id)) this.schedule()
  }

  /** Draws all waiting charts immediately, as for printing. */
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
    const render = this.waiting.get(id)
    this.waiting.delete(id)
    this.rendered.add(id)
    render?.()
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

  /** Draws one waiting chart when the page is idle. */
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
