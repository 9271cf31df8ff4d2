import { nativeFilters } from '@parquetry/model'
import { isEmptyTree, type Dashboard } from './read-dashboard.ts'
import { untitled } from './save-body.ts'

/** Whether it is as "New dashboard" made it: nobody would miss it. */
export const isUntouched = ({ result, layout, metadata, charts }: Dashboard): boolean =>
  (result.dashboard_title ?? untitled) === untitled &&
  !result.published &&
  !result.slug &&
  charts.size === 0 &&
  isEmptyTree(layout.nodes) &&
  nativeFilters({ nodes: layout.nodes, metadata }).length === 0
