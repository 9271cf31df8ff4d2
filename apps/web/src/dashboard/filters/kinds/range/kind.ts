import { GenericType } from '@parquetry/model'
import { targetColumnOf, emptyEntry } from '../../mask.ts'
import { defineKind } from '../kind.ts'
import { formatRange, readRange } from './range.ts'

export default defineKind({
  filterType: 'filter_range',
  icon: 'number',
  label: (t) => t('dashboard.rangeFilter', 'Numerical range'),
  target: 'column',
  fits: ({ filterable, is_dttm, type_generic }) =>
    filterable !== false && is_dttm !== true && (type_generic ?? GenericType.NUMERIC) === GenericType.NUMERIC,
  defaults: { controlValues: { enableEmptyFilter: false } },
  entry(filter, value) {
    const column = targetColumnOf(filter)
    const [from, to] = readRange(value)
    if (column === undefined || (from === null && to === null)) return emptyEntry(filter)
    const filters =
      from === to
        ? [{ col: column, op: '==', val: from }]
        : [
            ...(from === null ? [] : [{ col: column, op: '>=', val: from }]),
            ...(to === null ? [] : [{ col: column, op: '<=', val: to }]),
          ]
    return {
      id: filter.id,
      extraFormData: { filters },
      filterState: { value: [from, to], label: formatRange(from, to) },
      ownState: {},
    }
  },
  isTall: true,
  control: () => import('./Control.tsx'),
  settings: () => import('./Settings.tsx'),
})
