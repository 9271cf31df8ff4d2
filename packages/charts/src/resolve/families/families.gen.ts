// Written by `npm run gen` from the folders beside it.
import type { FamilyModule } from './load.ts'

/** Kinds of series. */
export const entries: Record<string, () => Promise<FamilyModule>> = {
  bar: () => import('./bar/family.ts'),
  funnel: () => import('./funnel/family.ts'),
  gauge: () => import('./gauge/family.ts'),
  line: () => import('./line/family.ts'),
  note: () => import('./note/family.ts'),
  overlay: () => import('./overlay/family.ts'),
  pie: () => import('./pie/family.ts'),
  radar: () => import('./radar/family.ts'),
  scatter: () => import('./scatter/family.ts'),
  sunburst: () => import('./sunburst/family.ts'),
  treemap: () => import('./treemap/family.ts'),
}
