import { chartsBelow, rootId } from '@parquetry/model'
import { useQueries } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import type { LoadedDataset } from '../data/calls.ts'
import type { ChartRecord } from '../document/read-dashboard.ts'
import { useDashboardState, useDashboard } from '../state/context.ts'

/** Charts of the edited layout, including new ones that are not part of the stored dashboard yet. */
export function useLayoutCharts(): ReadonlyMap<number, ChartRecord> {
  const { data } = useDashboard()
  const nodes = useDashboardState(({ history }) => history.present)
  const charts = chartsBelow(nodes, rootId).flatMap((id) => data.chart(id) ?? [])
  return new Map(charts.map((chart) => [chart.id, chart]))
}

/** Datasets with all of their columns; those loaded with the dashboard have only the columns that its charts use. */
export function useDatasetsWithColumns(wanted: readonly { id: number }[]): LoadedDataset[] {
  const { datasets } = useDashboard()
  const answers = useQueries({
    queries: wanted.map(({ id }) => ({
      queryKey: ['dataset', 'columns', id],
      staleTime: 5 * 60_000,
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await api.get('/api/v1/dataset/:id', { params: { id }, signal })).result.columns,
    })),
  })
  return wanted.map(({ id }, index) => {
    const known = datasets.find((dataset) => dataset.id === id)
    const columns = answers[index]?.data ?? known?.columns
    return { ...known, id, ...(columns && { columns }) }
  })
}
