import { parseExactJson } from '@parquetry/model'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { userId } from '../../shared/rights.ts'
import type { RowOf } from '../../shared/use-resource.ts'
import type { ChartRecord } from '../document/read-dashboard.ts'

/** DASH-094: saved charts per page of the panel. */
export const chartsPerPage = 200

/** Columns of a chart that the page can draw. */
export const savedChartColumns = [
  'id',
  'slice_name',
  'viz_type',
  'datasource_id',
  'datasource_type',
  'datasource_name_text',
  'params',
  'changed_on_delta_humanized',
] as const

export type SavedChart = RowOf<'chart', typeof savedChartColumns>

/** Saved charts to add, latest change first, page by page. */
export const useSavedCharts = (search: string, onlyMine: boolean) =>
  useInfiniteQuery({
    queryKey: ['chart', 'to-add', search, onlyMine],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get('/api/v1/chart/', {
        signal,
        q: {
          columns: savedChartColumns,
          keys: ['none'],
          page: pageParam,
          page_size: chartsPerPage,
          order_column: 'changed_on_delta_humanized',
          order_direction: 'desc',
          filters: [
            ...(search ? [{ col: 'slice_name', opr: 'ct', value: search }] : []),
            ...(onlyMine && userId !== null ? [{ col: 'owners', opr: 'rel_m_m', value: userId }] : []),
          ],
        },
      }),
    getNextPageParam: ({ count }, pages) => (pages.length * chartsPerPage < count ? pages.length : undefined),
  })

/** DASH-070: converts a saved chart to one that can be drawn; undefined if its definition is missing. */
export function toChartRecord({
  id,
  slice_name,
  viz_type,
  params,
  datasource_id,
  datasource_type,
}: SavedChart): ChartRecord | undefined {
  if (!viz_type || datasource_id === null) return undefined
  let form: unknown
  try {
    form = parseExactJson(params || '{}')
  } catch {
    return undefined
  }
  const form_data = {
    ...(form as object),
    viz_type,
    slice_id: id,
    datasource: `${datasource_id}__${datasource_type ?? 'table'}`,
  }
  return { id, slice_name: slice_name ?? '', form_data }
}
