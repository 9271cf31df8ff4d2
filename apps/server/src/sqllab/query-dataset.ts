import { AppError, message, type ResultColumn } from '@parquetry/model'
import { isTemplate } from '@parquetry/templates'
import { randomUUID } from 'node:crypto'
import type { StoredDataset } from '../dataset/stored-dataset.ts'
import type { DatabaseRow } from '../connection/source.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { parseExtra, type QueryRow } from './history.ts'
import { findRun, type PastRun, prepareRerun } from './past-run.ts'
import type { Caller } from '../user-sql/prepare-user-sql.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

const notFound = () =>
  new AppError('dataset_not_found', { message: message('errors.sqllab.datasetNotFound', 'Not found') })

/**
 * A past run as a dataset that is not stored (`{ type: 'query' }`): its last statement with its columns and the metric `count`.
 * The user must be able to read today what the run read.
 * @throws AppError `dataset_not_found` for a run of another user or one that did not succeed; what `authorizeSql` refuses
 */
export async function buildQueryDataset(deps: ConnectionDeps, caller: Caller, id: number): Promise<StoredDataset> {
  const run = await findRun(deps, caller, 'id', id)
  if (run?.query.status !== 'success') throw notFound()
  const { query, database } = run
  const columns = (parseExtra(query)['columns'] ?? []) as ResultColumn[]
  const { sql, place } = await lastStatement(deps, caller, run)
  return toStoredDataset({ ...query, ...place }, database, columns, sql)
}

async function lastStatement(
  deps: ConnectionDeps,
  caller: Caller,
  run: PastRun,
): Promise<{ sql: string; place: Namespace }> {
  const { sql, inspection, namespace } = await prepareRerun(deps, caller, run)
  const last = inspection.statements.at(-1)
  if (!last?.readOnly || last.kind !== 'select')
    throw new AppError('invalid_query', {
      message: message('errors.sqllab.notChartable', 'Only the result of a SELECT statement can be shown as a chart.'),
    })
  const text = sql.slice(...last.span)
  // A chart renders the templates of its dataset again.
  return { sql: isTemplate(text) ? `{% raw %}${text}{% endraw %}` : text, place: namespace }
}

function toStoredDataset(
  query: QueryRow,
  database: DatabaseRow,
  columns: readonly ResultColumn[],
  sql: string,
): StoredDataset {
  const timestamps = { created_on: query.changed_on, changed_on: query.changed_on }
  const identityOf = (index: number) => ({ id: index + 1, uuid: randomUUID(), dataset_id: query.id, ...timestamps })
  const emptyTexts = { verbose_name: null, description: null, extra: null, other_fields: null }
  return {
    database,
    row: {
      ...timestamps,
      ...emptyTexts,
      id: query.id,
      uuid: randomUUID(),
      created_by_fk: query.user_id,
      changed_by_fk: query.user_id,
      database_id: database.id,
      table_name: query.tab_name ?? `Query ${query.id}`,
      schema: query.schema,
      catalog: query.catalog,
      sql,
      main_dttm_col: columns.find(({ type_generic }) => type_generic === 2)?.name ?? null,
      default_endpoint: null,
      offset: 0,
      cache_timeout: null,
      params: null,
      template_params: null,
      filter_select_enabled: 1,
      fetch_values_predicate: null,
      sql_by_fk: query.user_id,
      expressions_by_fk: query.user_id,
      folders: null,
      is_sqllab_view: 1,
      normalize_columns: 0,
      always_filter_main_dttm: 0,
      is_managed_externally: 0,
      external_url: null,
    },
    columns: columns.map(({ name, type, type_generic, is_dttm }, index) => ({
      ...identityOf(index),
      ...emptyTexts,
      column_name: name,
      expression: null,
      type,
      advanced_data_type: null,
      type_generic,
      is_dttm: is_dttm ? 1 : 0,
      is_active: 1,
      groupby: 1,
      filterable: 1,
      python_date_format: null,
    })),
    metrics: [
      {
        ...identityOf(0),
        ...emptyTexts,
        metric_name: 'count',
        verbose_name: 'COUNT(*)',
        expression: 'COUNT(*)',
        metric_type: 'count',
        d3format: null,
        currency: null,
        warning_text: null,
      },
    ],
  }
}
