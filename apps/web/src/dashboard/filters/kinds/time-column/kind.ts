import { buildNamesEntry } from '../names.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_timecolumn',
  icon: 'clock',
  label: (t) => t('dashboard.timeColumnFilter', 'Time column'),
  target: 'dataset',
  defaults: { controlValues: {} },
  entry: (filter, value) => buildNamesEntry(filter, value, ([granularity_sqla]) => ({ granularity_sqla })),
  control: () => import('./Control.tsx'),
})
