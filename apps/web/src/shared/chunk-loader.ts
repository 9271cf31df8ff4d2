import { markChunkFailed, markChunkLoaded } from './failed-chunks.ts'
import { markOffline } from './online.ts'
import { checkOutdated } from './update.ts'

/** As Chromium, Firefox and Safari say that the file of a module did not come; an error in its code is another one. */
const fetchFailed = /dynamically imported module|Importing a module script failed/

/**
 * Code that comes when it is first asked for. Where its file does not come, nothing fails and the page stays as it is, with everything that
 * is open and typed there. After an upgrade of the product the file is gone, and `UpdateNotice` says what to do; else it is fetched again
 * when it is asked for again, when the server answers again, and when somebody wishes it in `MissingParts`.
 * @returns asks for it; pending until it is there
 */
export function createChunkLoader<T>(load: () => Promise<T>): () => Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let isAsked = false

  async function fetchIt(): Promise<void> {
    try {
      resolve(await load())
      markChunkLoaded(ask)
    } catch (error) {
      if (await checkOutdated(error)) return
      if (!fetchFailed.test(String(error))) return reject(error as Error)
      isAsked = false
      markChunkFailed(ask)
      markOffline()
    }
  }
  function ask(): void {
    if (isAsked) return
    isAsked = true
    void fetchIt()
  }
  return () => {
    ask()
    return promise
  }
}
