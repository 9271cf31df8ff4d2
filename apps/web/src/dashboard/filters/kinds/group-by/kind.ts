import { namesEntry } from '../names.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_groupby',
  icon: 'columns',
  word: (t) => t('dashboard.groupByFilter', 'Group by'),
  target: 'dataset',
  begin: { controlValues: { multiSelect: false } },
  entry: (filter, value) => namesEntry(filter, value, (interactive_groupby) => ({ interactive_groupby })),
  flag: 'DASHBOARD_FILTERS_EXPERIMENTAL',
  control: () => import('./Control.tsx'),
  settings: () => import('./Settings.tsx'),
})
