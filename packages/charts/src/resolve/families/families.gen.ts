// Written by `npm run gen` from the folders beside it.
import type { FamilyModule } from './load.ts'

/** Kinds of series. */
export const entries: Record<string, () => Promise<FamilyModule>> = {
  bar: () => import('./bar/family.ts'),
  boxplot: () => import('./boxplot/family.ts'),
  bubble: () => import('./bubble/family.ts'),
  bullet: () => import('./bullet/family.ts'),
  calendar: () => import('./calendar/family.ts'),
  forecast: () => import('./forecast/family.ts'),
  funnel: () => import('./funnel/family.ts'),
  gauge: () => import('./gauge/family.ts'),
  heatmap: () => import('./heatmap/family.ts'),
  histogram: () => import('./histogram/family.ts'),
  horizon: () => import('./horizon/family.ts'),
  line: () => import('./line/family.ts'),
  note: () => import('./note/family.ts'),
  overlay: () => import('./overlay/family.ts'),
  parallel: () => import('./parallel/family.ts'),
  partition: () => import('./partition/family.ts'),
  pie: () => import('./pie/family.ts'),
  radar: () => import('./radar/family.ts'),
  rose: () => import('./rose/family.ts'),
  scatter: () => import('./scatter/family.ts'),
  sunburst: () => import('./sunburst/family.ts'),
  tree: () => import('./tree/family.ts'),
  treemap: () => import('./treemap/family.ts'),
  waterfall: () => import('./waterfall/family.ts'),
  words: () => import('./words/family.ts'),
}
