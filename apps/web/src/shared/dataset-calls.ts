import { toastError, type Option } from '@parquetry/ui'
import { api } from './api.ts'
import { boot } from './boot.ts'
import { messageOf } from './errors.ts'
import { t } from './intl.ts'

/** The query of a virtual dataset. */
export interface DatasetSource {
  database: number
  schema: string | null
  sql: string
}

/** DSET-030: the default name contains the date and time. */
export function defaultDatasetName(now: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${two(now.getMonth() + 1)}/${two(now.getDate())}/${now.getFullYear()}`
  return `Untitled Dataset ${day} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
}

/** @returns id of the new dataset */
export const createDataset = async (name: string, { database, schema, sql }: DatasetSource): Promise<number> =>
  (
    await api.post('/api/v1/dataset/', {
      body: { database, schema, table_name: name, sql, filter_select_enabled: true },
    })
  ).id

/** DSET-036: row limit of the first chart on a newly saved dataset. */
const firstRowLimit = 1000

/** DSET-037: returns the Explore address of a newly saved dataset, with its stored form data. */
export async function createExploreUrl(id: number): Promise<string> {
  const address = `/explore/?datasource_id=${id}&datasource_type=table`
  const form_data = JSON.stringify({ datasource: `${id}__table`, row_limit: firstRowLimit })
  try {
    const { key } = await api.post('/api/v1/explore/form_data', {
      body: { datasource_id: id, datasource_type: 'table', form_data },
    })
    return `${address}&form_data_key=${encodeURIComponent(key)}`
  } catch {
    // The dataset is saved; Explore opens it with a default form.
    return address
  }
}

/** SQL-109. */
export const toastDatasourceError = (error: unknown): void =>
  toastError(`${t('shared.noDatasource', 'An error occurred while creating the data source')}: ${messageOf(error)}`)

/** Replaces the SQL and columns of a dataset; metrics stay. */
export async function overwriteDataset(id: number, { database, schema, sql }: DatasetSource): Promise<void> {
  await api.put('/api/v1/dataset/:id', {
    params: { id },
    query: { override_columns: 'true' },
    body: { database_id: database, schema, sql },
  })
}

/** DSET-020, DSET-032: the user's own virtual datasets whose names contain the search text. */
export async function searchOwnDatasets(
  search: string,
  page: number,
  signal: AbortSignal,
): Promise<{ options: Option<number>[]; count: number }> {
  const { count, result } = await api.get('/api/v1/dataset/', {
    q: {
      columns: ['id', 'table_name', 'database.database_name'],
      filters: [
        { col: 'owners', opr: 'rel_m_m', value: boot.user.userId ?? -1 },
        { col: 'sql', opr: 'dataset_is_null_or_empty', value: false },
        ...(search ? [{ col: 'table_name', opr: 'ct', value: search }] : []),
      ],
      order_column: 'changed_on_delta_humanized',
      order_direction: 'desc',
      page,
      page_size: 100,
    },
    signal,
  })
  const options = result.map(({ id, table_name, database }) => ({
    value: id,
    label: table_name,
    note: database.database_name,
  }))
  return { options, count }
}

/** Names of the charts that use a dataset. */
export async function fetchChartNames(id: number, signal: AbortSignal): Promise<string[]> {
  const { charts } = await api.get('/api/v1/dataset/:id/related_objects', { params: { id }, signal })
  return charts.result.map(({ slice_name }) => slice_name)
}
