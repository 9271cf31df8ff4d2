import { timeEntry } from '../../mask.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_time',
  icon: 'calendar',
  word: (t) => t('dashboard.timeFilter', 'Time range'),
  target: 'none',
  begin: { controlValues: {} },
  entry: (filter, value) => timeEntry(filter, typeof value === 'string' ? value : null),
  control: () => import('./Control.tsx'),
})
