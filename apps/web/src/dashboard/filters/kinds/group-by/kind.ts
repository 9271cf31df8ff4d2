import { buildNamesEntry } from '../names.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_groupby',
  icon: 'columns',
  label: (t) => t('dashboard.groupByFilter', 'Group by'),
  target: 'dataset',
  defaults: { controlValues: { multiSelect: false } },
  entry: (filter, value) => buildNamesEntry(filter, value, (interactive_groupby) => ({ interactive_groupby })),
  flag: 'DASHBOARD_FILTERS_EXPERIMENTAL',
  control: () => import('./Control.tsx'),
  settings: () => import('./Settings.tsx'),
})
