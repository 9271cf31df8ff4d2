import { toastError } from '@parquetry/ui'
import { createDataset } from '../../shared/dataset-calls.ts'
import { messageOf } from '../../shared/errors.ts'
import { t } from '../../shared/intl.ts'
import { queryClient } from '../../shared/query-client.ts'
import type { Lab } from '../lab.ts'

/**
 * SQL-013, SQL-053, SQL-109: Explore on a query. Explore asks datasets, so the query becomes a virtual one, named after the tab and
 * the moment.
 */
export async function createChart(lab: Lab, queryId: string, go: (href: string) => void): Promise<void> {
  const query = lab.store.getState().queries[queryId]
  if (!query) return
  try {
    const id = await createDataset(nameAt(query.tab, new Date()), {
      database: query.dbId,
      schema: query.schema,
      sql: query.sql.trim().replace(/;\s*$/, ''),
    })
    void queryClient.invalidateQueries({ queryKey: ['dataset'] })
    go(`/explore/?datasource_id=${id}&datasource_type=table`)
  } catch (error) {
    toastError(`${t('sqllab.noDatasource', 'An error occurred while creating the data source')}: ${messageOf(error)}`)
  }
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `orders 11/21/2026 14:05:00`, as datasets are named (DSET-030). */
const nameAt = (name: string, now: Date): string =>
  `${name} ${two(now.getMonth() + 1)}/${two(now.getDate())}/${now.getFullYear()} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
