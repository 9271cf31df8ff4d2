/** Ends a stretch of work: what the user has done is taken and what was drawn is shown before it goes on. */
export const yieldToEventLoop = (): Promise<void> =>
  'scheduler' in globalThis
    ? (globalThis as unknown as { scheduler: { yield(): Promise<void> } }).scheduler.yield()
    : new Promise((resolve) => setTimeout(resolve))
