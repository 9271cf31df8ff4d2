import type { LoadOptions } from '@parquetry/ui'
import { api } from '../shared/api.ts'
import type { ExploreDataset } from './use-explore.ts'

const limit = 1000

/**
 * Loads column values that match the typed text through a chart query, so that permissions and row-level security rules apply.
 */
export const loadColumnValues =
  <V extends string | number>({ id, type }: Pick<ExploreDataset, 'id' | 'type'>, column: string): LoadOptions<V> =>
  async (search, _page, signal) => {
    const body = {
      datasource: { id, type },
      queries: [
        {
          columns: [column],
          metrics: [],
          orderby: [[column, true]],
          row_limit: limit,
          apply_fetch_values_predicate: true,
          filters: search ? [{ col: column, op: 'ILIKE', val: `%${search}%` }] : [],
        },
      ],
      result_format: 'json',
      result_type: 'results',
    }
    const { result } = await api.post('/api/v1/chart/data', {
      body,
      signal,
    })
    const values = (result[0]?.data ?? []).flatMap((row) => (row[column] as V | null) ?? [])
    return { options: values.map((value) => ({ value, label: String(value) })), count: values.length }
  }
