import type { ChartForm, DatasetFacts, DatasetDisplay } from '@parquetry/charts'
import { chartEntry } from '@parquetry/charts'
import { boot } from '../boot.ts'
import { can } from '../rights.ts'

/** A chart that can be drilled into. */
export interface DrillSubject {
  title: string
  /** The queried form, with a dashboard's filters applied. */
  form: ChartForm
  dataset: (Partial<DatasetFacts> & DatasetDisplay) | undefined
  /** Dashboard of the chart; its viewers may read the data through it. */
  dashboardId: number | null
}

/** Drill actions that the user may use on the marks of a chart type. */
export interface DrillPermissions {
  canDrillToRows: boolean
  canDrillBy: boolean
}

const isOn = (flag: string): boolean => boot.common.feature_flags[flag] === true

/** Hides unavailable actions; the server checks the same permissions. */
export function resolveDrillPermissions(viz_type: unknown): DrillPermissions {
  const behaviors = chartEntry(typeof viz_type === 'string' ? viz_type : undefined)?.behaviors ?? []
  const may = can('can_drill', 'Dashboard') || can('can_explore', 'Superset')
  return {
    canDrillToRows:
      may && isOn('DRILL_TO_DETAIL') && can('can_samples', 'Datasource') && behaviors.includes('DRILL_TO_DETAIL'),
    canDrillBy: may && isOn('DRILL_BY') && behaviors.includes('DRILL_BY'),
  }
}
