import type { Page } from '../shared/page.ts'
import { checkOutdated } from '../shared/update.ts'

/** The network failed: reloading the page would leave an empty window. */
export class PageLoadError extends Error {}

/**
 * Loads the code of a page. If its file no longer exists after an upgrade, the error goes to the router, which reloads the
 * address once; if unsaved work would be lost, `UpdateNotice` asks the user instead.
 * @throws PageNotLoaded
 */
export async function loadPage(page: Page): ReturnType<Page['load']> {
  try {
    return await page.load()
  } catch (error) {
    if (!(await checkOutdated(error))) throw new PageLoadError('the page could not be loaded', { cause: error })
    if (isUnloadBlocked()) return new Promise<never>(() => {})
    throw error
  }
}

/** True if the browser would ask before leaving the page. */
const isUnloadBlocked = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
