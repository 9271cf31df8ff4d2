import { AppError } from '@parquetry/model'
import { listTables } from '@parquetry/sql'
import type { Selectable } from 'kysely'
import { listLayerCharts } from '../access/chart-grants.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { type DatabaseRow, resolveSource } from '../connection/source.ts'
import { resolveTableName } from '../connection/table-names.ts'
import { findTableWithRules } from '../row-level-security/load-rules.ts'
import type { DatasetTable } from '../store/tables.ts'
import type { AlertCondition } from './alert/evaluate-condition.ts'

/** The content of a report and the condition that triggers it. */
export interface ReportSource extends Pick<AlertCondition, 'database_id' | 'sql' | 'metric'> {
  chart_id: number | null
  dashboard_id: number | null
}

type DatasetRow = Selectable<DatasetTable>

/** Datasets whose rows the content of a report can show. */
async function listDatasetIds({ db }: ChartDeps, { chart_id, dashboard_id, metric }: ReportSource): Promise<number[]> {
  const ids = dashboard_id
    ? (
        await db.selectFrom('dashboard_chart').select('chart_id').where('dashboard_id', '=', dashboard_id).execute()
      ).map((row) => row.chart_id)
    : chart_id
      ? [chart_id]
      : []
  const select = async (chartIds: readonly number[]) =>
    chartIds.length === 0
      ? []
      : db
          .selectFrom('chart')
          .select(['datasource_id', 'viz_type', 'params', 'query_context'])
          .where('id', 'in', chartIds)
          .execute()
  const charts = await select(ids)
  const inner = await select(charts.flatMap(listLayerCharts).map(({ id }) => id))
  const datasets = [...charts, ...inner].map(({ datasource_id }) => datasource_id)
  return [...new Set([...datasets, ...(metric ? [metric.dataset] : [])])]
}

/**
 * Name of a table with row-level security rules that SQL reads. SQL that cannot be parsed as it is stored counts as reading one if
 * its database has any.
 */
async function findTableOfSql(
  deps: ChartDeps,
  principal: Principal,
  database: DatabaseRow,
  text: string,
  namespace: { schema: string | null; catalog: string | null },
  signal: AbortSignal,
): Promise<string | undefined> {
  const first = await deps.db
    .selectFrom('row_rule_table')
    .select('table_name')
    .where('database_id', '=', database.id)
    .executeTakeFirst()
  if (!first) return undefined
  try {
    const source = await resolveSource(deps, database, principal, namespace.schema, namespace.catalog)
    const inspection = await deps.runners.inspect(text, source, signal)
    if (inspection.error || inspection.statements.length === 0) return first.table_name
    return (await findTableWithRules(deps.db, database, listTables(inspection)))?.name
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return first.table_name
  }
}

async function findTableOfDataset(
  deps: ChartDeps,
  principal: Principal,
  database: DatabaseRow,
  dataset: DatasetRow,
  signal: AbortSignal,
): Promise<string | undefined> {
  const own = await deps.db
    .selectFrom('row_rule_dataset')
    .select('dataset_id')
    .where('dataset_id', '=', dataset.id)
    .executeTakeFirst()
  if (own) return dataset.table_name
  if (dataset.sql) return findTableOfSql(deps, principal, database, dataset.sql, dataset, signal)
  return (await findTableWithRules(deps.db, database, [resolveTableName(database, dataset)]))?.name
}

/**
 * Names of the tables with row-level security rules, for any user, whose rows a report can show; sorted. A recipient without an
 * account may get them only after the owner confirmed it.
 */
export async function findRestrictedTables(
  deps: ChartDeps,
  principal: Principal,
  source: ReportSource,
  signal: AbortSignal,
): Promise<string[]> {
  const { db } = deps
  const found = new Set<string>()
  const databases = new Map<number, DatabaseRow | undefined>()
  const findDatabase = async (id: number) => {
    if (!databases.has(id))
      databases.set(id, await db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirst())
    return databases.get(id)
  }
  const ids = await listDatasetIds(deps, source)
  const datasets = ids.length === 0 ? [] : await db.selectFrom('dataset').selectAll().where('id', 'in', ids).execute()
  for (const dataset of datasets) {
    const database = await findDatabase(dataset.database_id)
    const name = database && (await findTableOfDataset(deps, principal, database, dataset, signal))
    if (name !== undefined) found.add(name)
  }
  if (source.database_id !== null && source.sql) {
    const database = await findDatabase(source.database_id)
    const none = { schema: null, catalog: null }
    const name = database && (await findTableOfSql(deps, principal, database, source.sql, none, signal))
    if (name !== undefined) found.add(name)
  }
  return [...found].toSorted()
}
