// Written by `npm run gen` from the folders beside it.
import type { ViewModule } from './view.ts'

/** Charts that draw themselves. */
export const views: Record<string, () => Promise<ViewModule>> = {
}
