// Written by `npm run gen` from the folders beside it.
import type { DrawingModule } from './drawing.ts'

/** The same charts without a browser. */
export const drawings: Record<string, () => Promise<DrawingModule>> = {
}
