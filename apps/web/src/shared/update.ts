/** The server runs another version than the one that this page came from, and files of this page are gone. */
let isOld = false
const listeners = new Set<() => void>()

export const isUpdated = (): boolean => isOld
export const subscribeUpdate = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where the browser looked for a part that it could not load; browsers that do not say it are asked for the page's own script. */
function addressOf(error: unknown): string | undefined {
  const said = /(?:https?:\/\/|\/static\/)\S+/.exec(error instanceof Error ? error.message : '')?.[0]
  return said ?? document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
}

/**
 * Whether a part of the page could not be loaded because it is gone, and not because the network failed. Once it was, the page
 * is told to be old: `UpdateNotice` offers to load it again.
 */
export async function wasUpdated(error: unknown): Promise<boolean> {
  const address = addressOf(error)
  if (isOld || address === undefined) return isOld
  try {
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store' })
    if (status !== 404 && status !== 410) return false
  } catch {
    return false
  }
  isOld = true
  for (const listener of listeners) listener()
  return true
}

/** Looks after every part that is imported when it is needed, also those that no component waits for. */
export function watchParts(): void {
  addEventListener('vite:preloadError', (event) => void wasUpdated((event as Event & { payload: unknown }).payload))
}
