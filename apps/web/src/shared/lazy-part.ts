import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { wasUpdated } from './update.ts'

/**
 * A component whose code comes when it is first shown. After an upgrade of the product its file is gone: the part stays away then
 * and the page around it as it is, with everything that is open and typed there, while `UpdateNotice` says what to do.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- what React itself takes
export const lazyPart = <T extends ComponentType<any>>(load: () => Promise<T>): LazyExoticComponent<T> =>
  lazy(async () => ({ default: await load().catch(unlessUpdated) }))

async function unlessUpdated(error: unknown): Promise<never> {
  if (await wasUpdated(error)) return new Promise<never>(() => {})
  throw error
}
