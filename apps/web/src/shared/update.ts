/** The server runs another version than the one that this page came from, and files of this page are gone. */
let isOutdated = false
const listeners = new Set<() => void>()

export const isPageOutdated = (): boolean => isOutdated
export const subscribeUpdate = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where the browser looked for a part that it could not load; browsers that do not say it are asked for the page's own script. */
function findChunkUrl(error: unknown): string | undefined {
  const said = /(?:https?:\/\/|\/static\/)\S+/.exec(error instanceof Error ? error.message : '')?.[0]
  return said ?? document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
}

/**
 * Whether a part of the page could not be loaded because it is gone, and not because the network failed. Once it was, the page
 * is told to be old: `UpdateNotice` offers to load it again.
 */
export async function checkOutdated(error: unknown): Promise<boolean> {
  const address = findChunkUrl(error)
  if (isOutdated || address === undefined) return isOutdated
  try {
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store' })
    if (status !== 404 && status !== 410) return false
  } catch {
    return false
  }
  isOutdated = true
  for (const listener of listeners) listener()
  return true
}

/** Looks after every part that is imported when it is needed, also those that no component waits for. */
export function watchChunkErrors(): void {
  addEventListener('vite:preloadError', (event) => void checkOutdated((event as Event & { payload: unknown }).payload))
}
