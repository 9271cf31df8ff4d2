import type { Page } from '../shared/page.ts'
import { checkOutdated } from '../shared/update.ts'

/** The network failed, so that loading the page again would leave nothing at all. */
export class PageLoadError extends Error {}

/**
 * The page that an address asks for. When its file is gone because the product was upgraded, the error goes to the router, which loads
 * the address anew, once; where something would be lost by that, the user is asked by `UpdateNotice` instead.
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

/** Whether the browser would ask before it leaves the page. */
const isUnloadBlocked = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
