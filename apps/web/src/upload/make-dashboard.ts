import { buildQueryContext, type AnyChart, type ChartForm } from '@parquetry/charts'
import { api } from '../shared/api.ts'

export interface Collected {
  title: string
  chart: AnyChart
  form: ChartForm
}

/** Saves the charts and a dashboard that holds them, in their order. @returns id of the dashboard */
export async function makeDashboard(
  title: string,
  dataset: { id: number; type: string },
  collected: readonly Collected[],
): Promise<number> {
  const made = await api.post<{ id: number }>('/api/v1/dashboard/', { body: { dashboard_title: title } })
  for (const { title: slice_name, chart, form } of collected)
    await api.post('/api/v1/chart/', {
      body: {
        slice_name,
        viz_type: chart.viz_type,
        datasource_id: dataset.id,
        datasource_type: dataset.type,
        params: JSON.stringify(form),
        query_context: JSON.stringify(buildQueryContext(chart, form)),
        dashboards: [made.id],
      },
    })
  return made.id
}
