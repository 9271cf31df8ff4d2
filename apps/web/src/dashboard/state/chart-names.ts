import { chartNameOverrides } from '@parquetry/model'
import { useMemo } from 'react'
import { useDashboard, useDashboardState } from './context.ts'

/** Returns the names of charts on this dashboard, which may differ from the charts' own names. */
export function useChartNames(): (id: number) => string {
  const { data } = useDashboard()
  const nodes = useDashboardState(({ history }) => history.present)
  const charts = useDashboardState(({ dashboard }) => dashboard.charts)
  return useMemo(() => {
    const overrides = chartNameOverrides(nodes)
    return (id) => overrides.get(id) ?? charts.get(id)?.slice_name ?? data.chart(id)?.slice_name ?? String(id)
  }, [data, nodes, charts])
}
