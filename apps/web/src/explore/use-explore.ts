import type { ChartForm } from '@parquetry/charts'
import type { DatasetObject, ExploreDocument as ApiDocument } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { api } from '../shared/api.ts'
import type { ExploreSearch } from './pages.ts'

export type ExploreColumn = Pick<
  DatasetObject['columns'][number],
  | 'uuid'
  | 'column_name'
  | 'verbose_name'
  | 'description'
  | 'type'
  | 'type_generic'
  | 'is_dttm'
  | 'expression'
  | 'groupby'
  | 'filterable'
  | 'is_certified'
  | 'certified_by'
  | 'certification_details'
  | 'warning_markdown'
> & {
  /** Advanced data type, such as `port`: filter values are entered as text and converted to numbers. */
  advanced_data_type?: string | null
}

export type ExploreMetric = Pick<
  DatasetObject['metrics'][number],
  | 'uuid'
  | 'metric_name'
  | 'verbose_name'
  | 'expression'
  | 'description'
  | 'is_certified'
  | 'certified_by'
  | 'certification_details'
  | 'warning_markdown'
>

/** The API's dataset object, limited to what Explore reads. */
export interface ExploreDataset extends Pick<
  DatasetObject,
  | 'id'
  | 'type'
  | 'name'
  | 'table_name'
  | 'schema'
  | 'sql'
  | 'description'
  | 'database'
  | 'main_dttm_col'
  | 'verbose_map'
  | 'column_formats'
  | 'currency_formats'
  | 'filter_select'
  | 'time_grain_sqla'
  | 'editors'
  | 'select_star'
  | 'folders'
> {
  columns: ExploreColumn[]
  metrics: ExploreMetric[]
  is_sqllab_view?: boolean
  /** JSON with settings that the owners of the dataset made. */
  extra?: string | null
}

/** `12__table`: reference to a dataset in form data. */
export const datasourceKey = ({ id, type }: Pick<ExploreDataset, 'id' | 'type'>): string => `${id}__${type}`

type Slice = NonNullable<ApiDocument['slice']>
export interface SliceDocument extends Pick<Slice, 'slice_id' | 'slice_name' | 'description' | 'editors'> {
  form_data: ChartForm
}

export interface ExploreDocument extends Pick<ApiDocument, 'message'> {
  form_data: ChartForm
  dataset: ExploreDataset
  slice: SliceDocument | null
}

export interface ExploreParams extends ExploreSearch {
  permalink: string | null
}

/**
 * Loads the initial document of the page, once per chart, dataset or permalink; later state is in the draft.
 * @param swappedFormKey  key of the form stored by a dataset swap, which reopens the document
 */
export const useExplore = (params: ExploreParams, swappedFormKey: string | null) =>
  useQuery({
    queryKey: [
      'explore',
      params.slice_id,
      params.datasource_type,
      params.datasource_id,
      params.permalink,
      swappedFormKey,
    ],
    queryFn: async ({ signal }) => {
      const { slice_id, datasource_id, datasource_type, form_data_key, permalink } = params
      const query = {
        slice_id,
        form_data_key,
        permalink_key: permalink,
        ...(datasource_id !== null && { datasource_id, datasource_type }),
      }
      const { result } = await api.get('/api/v1/explore/', { query, signal })
      // Forms have arbitrary keys; `loadStoredForm` validates them.
      return result as typeof result & Pick<ExploreDocument, 'form_data' | 'slice'>
    },
    enabled:
      params.slice_id !== null ||
      params.datasource_id !== null ||
      params.permalink !== null ||
      params.form_data_key !== null,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
