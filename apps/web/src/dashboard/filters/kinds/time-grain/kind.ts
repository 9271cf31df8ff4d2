import { namesEntry } from '../names.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_timegrain',
  icon: 'calendar',
  word: (t) => t('dashboard.timeGrainFilter', 'Time grain'),
  target: 'dataset',
  begin: { controlValues: {} },
  entry: (filter, value) => namesEntry(filter, value, ([time_grain_sqla]) => ({ time_grain_sqla })),
  control: () => import('./Control.tsx'),
})
