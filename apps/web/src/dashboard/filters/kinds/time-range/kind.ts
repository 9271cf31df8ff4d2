import { buildTimeEntry } from '../../mask.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_time',
  icon: 'calendar',
  label: (t) => t('dashboard.timeFilter', 'Time range'),
  target: 'none',
  defaults: { controlValues: {} },
  entry: (filter, value) => buildTimeEntry(filter, typeof value === 'string' ? value : null),
  control: () => import('./Control.tsx'),
})
