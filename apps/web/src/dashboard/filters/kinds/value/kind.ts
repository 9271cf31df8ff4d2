import { listOf, selectEntry, type FilterValue } from '../../mask.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_select',
  icon: 'list',
  word: (t) => t('dashboard.valueFilter', 'Value'),
  target: 'column',
  fits: ({ filterable, is_dttm }) => filterable !== false && is_dttm !== true,
  begin: { controlValues: { multiSelect: true, enableEmptyFilter: false } },
  entry: (filter, value) => selectEntry(filter, listOf(value) as FilterValue[]),
  hasValues: true,
  control: () => import('./Control.tsx'),
  settings: () => import('./Settings.tsx'),
})
