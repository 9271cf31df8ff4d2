/** Yields between pieces of work, so that user input is processed and drawn content is shown before it continues. */
export const yieldToEventLoop = (): Promise<void> =>
  'scheduler' in globalThis
    ? (globalThis as unknown as { scheduler: { yield(): Promise<void> } }).scheduler.yield()
    : new Promise((resolve) => setTimeout(resolve))
