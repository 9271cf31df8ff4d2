import { buildNamesEntry } from '../names.ts'
import { defineKind } from '../kind.ts'

export default defineKind({
  filterType: 'filter_timegrain',
  icon: 'calendar',
  label: (t) => t('dashboard.timeGrainFilter', 'Time grain'),
  target: 'dataset',
  defaults: { controlValues: {} },
  entry: (filter, value) => buildNamesEntry(filter, value, ([time_grain_sqla]) => ({ time_grain_sqla })),
  control: () => import('./Control.tsx'),
})
