import type { ChartForm } from '@parquetry/charts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../shared/api.ts'
import type { ExploreSearch } from './pages.ts'

export interface DatasetColumnDocument {
  column_name: string
  verbose_name: string | null
  description: string | null
  type: string | null
  type_generic: number | null
  is_dttm: boolean
  expression: string | null
  groupby: boolean
  filterable: boolean
}

export interface DatasetMetricDocument {
  metric_name: string
  verbose_name: string | null
  expression: string
  description: string | null
}

/** The API's dataset document, as far as Explore reads it. */
export interface DatasetDocument {
  id: number
  /** `query` is a run of SQL Lab, which is stored nowhere as a dataset. */
  type: string
  name: string
  table_name: string
  schema: string | null
  sql: string | null
  description: string | null
  database: { id: number; name: string; backend: string }
  columns: DatasetColumnDocument[]
  metrics: DatasetMetricDocument[]
  main_dttm_col: string | null
  verbose_map: Record<string, string>
  column_formats: Record<string, string | null>
  time_grain_sqla: [duration: string | null, label: string][]
  owners: { id: number; first_name: string; last_name: string }[]
  select_star: string | null
}

/** `12__table`: how form data names what it asks. */
export const datasourceKey = ({ id, type }: Pick<DatasetDocument, 'id' | 'type'>): string => `${id}__${type}`

export interface SliceDocument {
  slice_id: number
  slice_name: string
  description: string | null
  form_data: ChartForm
  owners: number[]
}

export interface ExploreDocument {
  form_data: ChartForm
  dataset: DatasetDocument
  slice: SliceDocument | null
  message: string | null
}

export interface ExplorePlace extends ExploreSearch {
  permalink: string | null
}

/**
 * What the page opens with; asked once per address, since what happens afterwards is the draft's.
 * @param swapped  key of the form that was kept when another dataset was put under the chart; opens anew
 */
export const useExplore = (place: ExplorePlace, swapped: string | null) =>
  useQuery({
    queryKey: ['explore', place.slice_id, place.datasource_type, place.datasource_id, place.permalink, swapped],
    queryFn: async ({ signal }) => {
      const { slice_id, datasource_id, datasource_type, form_data_key, permalink } = place
      const query = {
        slice_id,
        form_data_key,
        permalink_key: permalink,
        ...(datasource_id !== null && { datasource_id, datasource_type }),
      }
      return (await api.get<{ result: ExploreDocument }>('/api/v1/explore/', { query, signal })).result
    },
    enabled:
      place.slice_id !== null ||
      place.datasource_id !== null ||
      place.permalink !== null ||
      place.form_data_key !== null,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
