/** True when the server runs another version than this page and no longer has files of this page. */
let isOutdated = false
const listeners = new Set<() => void>()

export const isPageOutdated = (): boolean => isOutdated
export const subscribeUpdate = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the URL of a part that failed to load; the page's own script for browsers that do not report it. */
function findChunkUrl(error: unknown): string | undefined {
  const url = /(?:https?:\/\/|\/static\/)\S+/.exec(error instanceof Error ? error.message : '')?.[0]
  return url ?? document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
}

/**
 * Returns whether a part of the page failed to load because its file no longer exists, not because the network failed. If so, the
 * page is marked as old, and `UpdateNotice` offers to reload it.
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

/** Watches all dynamic imports, also those that no component waits for. */
export function watchChunkErrors(): void {
  addEventListener('vite:preloadError', (event) => void checkOutdated((event as Event & { payload: unknown }).payload))
}
