import { namesEntry } from '../names.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_timecolumn',
  icon: 'clock',
  word: (t) => t('dashboard.timeColumnFilter', 'Time column'),
  target: 'dataset',
  begin: { controlValues: {} },
  entry: (filter, value) => namesEntry(filter, value, ([granularity_sqla]) => ({ granularity_sqla })),
  control: () => import('./Control.tsx'),
})
