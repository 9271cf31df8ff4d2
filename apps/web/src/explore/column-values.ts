import { formatText, nullText } from '@parquetry/charts'
import { GenericType, toLikePattern } from '@parquetry/model'
import type { LoadOptions } from '@parquetry/ui'
import { api } from '../shared/api.ts'
import { formatListedTime } from './listed-time.ts'
import type { ExploreDataset } from './use-explore.ts'

const limit = 1000

/** Key of null among the texts of the options. */
export const nullKey = '\u0000null'

export const labelOfKey = (key: string): string => (key === nullKey ? nullText : formatText(key))

/**
 * Loads column values, as text with all digits, that match the typed text through a chart query, so that permissions and
 * row-level security rules apply.
 */
export const loadColumnValues =
  ({ id, type }: Pick<ExploreDataset, 'id' | 'type'>, column: string): LoadOptions<string> =>
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
          filters: search ? [{ col: column, op: 'ILIKE', val: toLikePattern(search) }] : [],
        },
      ],
      result_format: 'json',
      result_type: 'results',
    }
    const { result } = await api.post('/api/v1/chart/data', {
      body,
      signal,
    })
    const isTime = result[0]?.coltypes?.[0] === GenericType.TEMPORAL
    const values = (result[0]?.data ?? []).map((row) => {
      const value = row[column] as string | number | boolean | null | undefined
      if (value === null || value === undefined) return nullKey
      return isTime && typeof value === 'number' ? formatListedTime(value) : String(value)
    })
    return { options: values.map((value) => ({ value, label: labelOfKey(value) })), count: values.length }
  }
