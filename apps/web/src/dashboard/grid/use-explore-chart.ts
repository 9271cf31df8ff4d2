import { parseDatasource } from '@parquetry/charts'
import { toastError, useNavigation } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import type { ChartRecord } from '../document/read-dashboard.ts'
import { inheritedForm } from '../filters/inherited-form.ts'
import { toFilteredDashboard } from '../state/chart-request.ts'
import { useDashboard } from '../state/context.ts'
import { datasetOfForm } from '../state/dashboard-colors.ts'

/** Opens a chart in Explore with the filters that apply to it here. */
export function useExploreChart(): (chart: ChartRecord) => Promise<void> {
  const { store, datasets } = useDashboard()
  const { go } = useNavigation()
  return async (chart) => {
    const { dashboard, mask } = store.getState()
    const board = toFilteredDashboard(dashboard, dashboard.layout.nodes)
    const { main_dttm_col, columns = [] } = datasetOfForm(chart.form_data, datasets) ?? {}
    const isTemporal = (name: string) => columns.some(({ column_name, is_dttm }) => column_name === name && is_dttm)
    const form = inheritedForm(chart.form_data, chart.id, board, mask, main_dttm_col, isTemporal)
    const address = `/explore/?slice_id=${chart.id}&dashboard_id=${dashboard.result.id}`
    if (!form) return go(address)
    try {
      const { id } = parseDatasource(form)
      const { key } = await api.post('/api/v1/explore/form_data', {
        body: {
          datasource_id: Number(id),
          datasource_type: 'table',
          chart_id: chart.id,
          form_data: JSON.stringify({ ...form, slice_id: chart.id }),
        },
      })
      go(`${address}&form_data_key=${encodeURIComponent(key)}`)
    } catch (error) {
      toastError(messageOf(error))
    }
  }
}
