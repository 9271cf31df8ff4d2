import type { ChartForm, DatasetFacts, DatasetDisplay } from '@parquetry/charts'
import { chartEntry } from '@parquetry/charts'
import { boot } from '../boot.ts'
import { can } from '../rights.ts'

/** A chart that can be drilled into. */
export interface DrillSubject {
  title: string
  /** As it was asked: a dashboard's filters are laid over it. */
  form: ChartForm
  dataset: (Partial<DatasetFacts> & DatasetDisplay) | undefined
  /** Where it stands; its viewers may see the data through it. */
  dashboardId: number | null
}

/** What somebody may do with the marks of a chart type. */
export interface DrillPermissions {
  canDrillToRows: boolean
  canDrillBy: boolean
}

const isOn = (flag: string): boolean => boot.common.feature_flags[flag] === true

/** The server decides the same by itself; this hides dead ends. */
export function resolveDrillPermissions(viz_type: unknown): DrillPermissions {
  const behaviors = chartEntry(typeof viz_type === 'string' ? viz_type : undefined)?.behaviors ?? []
  const may = can('can_drill', 'Dashboard') || can('can_explore', 'Superset')
  return {
    canDrillToRows:
      may && isOn('DRILL_TO_DETAIL') && can('can_samples', 'Datasource') && behaviors.includes('DRILL_TO_DETAIL'),
    canDrillBy: may && isOn('DRILL_BY') && behaviors.includes('DRILL_BY'),
  }
}
