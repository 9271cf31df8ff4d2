import { toList, buildSelectEntry, type ColumnValue } from '../../mask.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_select',
  icon: 'list',
  label: (t) => t('dashboard.valueFilter', 'Value'),
  target: 'column',
  fits: ({ filterable, is_dttm }) => filterable !== false && is_dttm !== true,
  defaults: { controlValues: { multiSelect: true, enableEmptyFilter: false } },
  entry: (filter, value) => buildSelectEntry(filter, toList(value) as ColumnValue[]),
  hasValues: true,
  control: () => import('./Control.tsx'),
  settings: () => import('./Settings.tsx'),
})
