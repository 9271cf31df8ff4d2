import { buildQueryContext, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'
import { api } from '../shared/api.ts'

export interface CollectedChart {
  title: string
  chart: AnyChart
  form: ChartForm
}

/** Saves the charts in order on a dashboard, or on a new one if none is given. @returns the id of the dashboard */
export async function addToDashboard(
  dashboard_id: number | null,
  title: string,
  dataset: Pick<DatasetObject, 'id' | 'type'>,
  collected: readonly CollectedChart[],
): Promise<number> {
  const id = dashboard_id ?? (await api.post('/api/v1/dashboard/', { body: { dashboard_title: title } })).id
  for (const { title: slice_name, chart, form } of collected)
    await api.post('/api/v1/chart/', {
      body: {
        slice_name,
        viz_type: chart.viz_type,
        datasource_id: dataset.id,
        datasource_type: dataset.type,
        params: JSON.stringify(form),
        query_context: JSON.stringify(buildQueryContext(chart, form)),
        dashboards: [id],
      },
    })
  return id
}
