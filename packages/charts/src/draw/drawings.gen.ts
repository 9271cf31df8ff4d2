// Written by `npm run gen` from the folders beside it.
import type { DrawingModule } from './drawing.ts'

/** The same charts without a browser. */
export const drawings: Record<string, () => Promise<DrawingModule>> = {
  big_number: () => import('../big-number/svg.ts'),
  big_number_total: () => import('../big-number-total/svg.ts'),
  pop_kpi: () => import('../pop-kpi/svg.ts'),
  table: () => import('../table/svg.ts'),
}
