import type { LoadOptions } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { loadRelated } from '../related-options.ts'

/** Charts, dashboards or databases that a report can use; values are ids. */
export const loadTargets =
  (column: 'chart' | 'dashboard' | 'database'): LoadOptions<number> =>
  async (filter, page, signal) => {
    const { count, options } = await loadRelated('report', column)(filter, page, signal)
    return { count, options: options.map((option) => ({ ...option, value: Number(option.value) })) }
  }

const pageSize = 100

/** Datasets whose metrics an alert can compare. */
export const loadDatasets: LoadOptions<number> = async (search, page, signal) => {
  const { count, result } = await api.get('/api/v1/dataset/', {
    q: {
      columns: ['id', 'table_name', 'database.database_name'],
      filters: search.trim() === '' ? [] : [{ col: 'table_name', opr: 'ct', value: search.trim() }],
      order_column: 'table_name',
      order_direction: 'asc',
      page,
      page_size: pageSize,
    },
    signal,
  })
  return {
    count,
    options: result.map(({ id, table_name, database }) => ({
      value: id,
      label: table_name,
      note: database.database_name,
    })),
  }
}

/** Slack channels that the bot can see, by id. */
export const loadSlackChannels: LoadOptions<string> = async (search_string, page, signal) => {
  const { result } = await api.get('/api/v1/report/slack_channels/', {
    q: { search_string, page, page_size: pageSize },
    signal,
  })
  return {
    count: page * pageSize + result.length + (result.length === pageSize ? 1 : 0),
    options: result.map(({ id, name }) => ({ value: id, label: `#${name}` })),
  }
}

/** Name and metrics of a dataset; nothing for null. */
export const useDatasetMetrics = (id: number | null) =>
  useQuery({
    queryKey: ['dataset', 'metrics', id],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/dataset/:id', {
          params: { id: String(id) },
          q: { columns: ['table_name', 'metrics.metric_name', 'metrics.verbose_name'] },
          signal,
        })
      ).result,
    enabled: id !== null,
    staleTime: 60_000,
  })

/** Tabs of a dashboard by id, in their order; nothing for null. */
export const useDashboardTabs = (id: number | null) =>
  useQuery({
    queryKey: ['dashboard', 'tabs', id],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/dashboard/:id/tabs', { params: { id: String(id) }, signal })).result.all_tabs,
    enabled: id !== null,
    staleTime: 60_000,
    retry: false,
  })
