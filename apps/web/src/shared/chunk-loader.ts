import { markChunkFailed, markChunkLoaded } from './failed-chunks.ts'
import { markOffline } from './online.ts'
import { checkOutdated } from './update.ts'

/** Messages of Chromium, Firefox and Safari when the file of a module cannot be loaded; errors in its code differ. */
const fetchFailed = /dynamically imported module|Importing a module script failed/

/**
 * Loads code on first request. If its file cannot be loaded, nothing fails, and the page keeps everything that is open and typed.
 * After an upgrade the file no longer exists, and `UpdateNotice` explains what to do; otherwise it is requested again with the
 * next call, when the server responds again, and when the user retries in `FailedChunksBanner`.
 * @returns a function that requests it; pending until loaded
 */
export function createChunkLoader<T>(load: () => Promise<T>): () => Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let isRequested = false

  async function fetchIt(): Promise<void> {
    try {
      resolve(await load())
      markChunkLoaded(request)
    } catch (error) {
      if (await checkOutdated(error)) return
      if (!fetchFailed.test(String(error))) return reject(error as Error)
      isRequested = false
      markChunkFailed(request)
      markOffline()
    }
  }
  function request(): void {
    if (isRequested) return
    isRequested = true
    void fetchIt()
  }
  return () => {
    request()
    return promise
  }
}
