import { api } from '../../shared/api.ts'
import { createDataset, toastDatasourceError } from '../../shared/dataset-calls.ts'
import { queryClient } from '../../shared/query-client.ts'
import type { Lab } from '../lab.ts'
import { createdTableName } from '../queries.ts'
import type { Query } from '../state.ts'

/**
 * SQL-013, SQL-053, SQL-109: opens Explore on a run, which becomes a dataset only when the chart is saved. A run unknown to the
 * server becomes one immediately, named after the tab and the time.
 */
export async function createChart(lab: Lab, queryId: string, go: (href: string) => void): Promise<void> {
  const query = lab.store.getState().queries[queryId]
  if (!query) return
  try {
    const run = query.view?.queryId ?? query.results?.answer.query_id ?? null
    if (run !== null && (await queryExists(run))) return go(`/explore/?datasource_type=query&datasource_id=${run}`)
    const id = await saveRunAsDataset(query)
    go(`/explore/?datasource_type=table&datasource_id=${id}`)
  } catch (error) {
    toastDatasourceError(error)
  }
}

/** Opens Explore on a dataset of the table or view that a run has created. */
export async function createTableChart(lab: Lab, queryId: string, go: (href: string) => void): Promise<void> {
  const query = lab.store.getState().queries[queryId]
  if (!query) return
  const { dbId, catalog, schema, view } = query
  try {
    const { id } = await api.post('/api/v1/dataset/', {
      body: {
        database: dbId,
        ...(catalog !== null && { catalog }),
        schema: view?.tempSchema ?? schema,
        table_name: createdTableName(query),
        filter_select_enabled: true,
      },
    })
    void queryClient.invalidateQueries({ queryKey: ['dataset'] })
    go(`/explore/?datasource_type=table&datasource_id=${id}`)
  } catch (error) {
    toastDatasourceError(error)
  }
}

/** Explore returns a run that was deleted, or that the user may no longer read, as a dataset without columns. */
async function queryExists(run: number): Promise<boolean> {
  const { result } = await api.get('/api/v1/explore/', {
    query: { datasource_type: 'query', datasource_id: run },
  })
  return result.dataset.columns.length > 0
}

async function saveRunAsDataset({ tab, dbId, schema, sql }: Query): Promise<number> {
  const source = { database: dbId, schema, sql: sql.trim().replace(/;\s*$/, '') }
  const id = await createDataset(nameAt(tab, new Date()), source)
  void queryClient.invalidateQueries({ queryKey: ['dataset'] })
  return id
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `orders 11/21/2026 14:05:00`, the naming scheme of datasets (DSET-030). */
const nameAt = (name: string, now: Date): string =>
  `${name} ${two(now.getMonth() + 1)}/${two(now.getDate())}/${now.getFullYear()} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
