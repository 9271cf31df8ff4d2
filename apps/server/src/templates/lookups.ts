import { AppError, message, type PlannerDataset } from '@parquetry/model'
import { formatLocalIso, plan, restrict } from '@parquetry/query'
import type { ConnectionDeps } from '../connection/deps.ts'
import { authorizeDatasetSql } from '../dataset/authorize-dataset-sql.ts'
import {
  authorizeDatasetExpressions,
  canAuthorReadDatabase,
  listDatasetExpressions,
} from '../dataset/dataset-expressions.ts'
import { type ResolvedDataset, resolveDataset } from '../dataset/resolve-dataset.ts'
import { planContext } from '../dataset/plan-context.ts'
import type { Principal } from '../access/principal.ts'
import { canReadAll } from '../sql-access/table-access.ts'

/** Maximum time to check expressions. */
const inspectTimeoutMs = 10_000

/**
 * A dataset as a subquery that the user may read: it contains their row-level security rules.
 * @throws AppError `dataset_not_found`, `dataset_access`; `sql_not_allowed` for an expression that may not run;
 * `template_invalid` for a dataset whose SQL contains templates or values
 */
export async function renderDatasetSql(
  deps: ConnectionDeps,
  principal: Principal,
  id: number,
  { include_metrics, columns }: { include_metrics: boolean; columns: string[] | null },
): Promise<string> {
  const resolved = await resolveDataset(deps, principal, id)
  const { dataset, rlsRules } = resolved
  if ([dataset.sql, ...rlsRules.map(({ clause }) => clause)].some((text) => /\{[{%]/.test(text ?? '')))
    throw new AppError('template_invalid', {
      message: message(
        'errors.templates.nestedDataset',
        'Dataset {id} cannot be used in a template because its SQL or row-level security rules contain templates.',
        { id },
      ),
    })
  const context = planContext({ ...resolved, deps, context: {} }, { as: 'frames' }, 'full')
  const query = {
    columns: columns ?? dataset.columns.map(({ column_name }) => column_name),
    metrics: include_metrics ? dataset.metrics.map(({ metric_name }) => metric_name) : null,
    time_range: 'No filter',
  }
  const { stored, database, source } = resolved
  const signal = AbortSignal.timeout(inspectTimeoutMs)
  if (dataset.sql)
    await authorizeDatasetSql(deps, { sql: dataset.sql, row: stored.row, database, source, principal, signal })
  const [usedColumns, usedMetrics] = [new Set(query.columns), new Set(query.metrics)]
  await authorizeTemplateExpressions(deps, principal, resolved, {
    columns: dataset.columns.filter(({ column_name }) => usedColumns.has(column_name)),
    metrics: dataset.metrics.filter(({ metric_name }) => usedMetrics.has(metric_name)),
  })
  const { plan: planned } = plan(restrict(query, dataset, { rlsRules }), dataset, {
    ...context,
    now: formatLocalIso(deps.now().getTime(), deps.settings.timeZone),
  })
  const [statement] = planned.statements
  if (!statement || statement.values.length > 0)
    throw new AppError('template_invalid', {
      message: message('errors.templates.noSubquery', 'Dataset {id} cannot be used as a subquery in a template.', {
        id,
      }),
    })
  return `(${withoutLimit(statement.text)}) AS dataset_${id}`
}

/** Removes a LIMIT at the end of the text. */
function withoutLimit(text: string): string {
  const limitIndex = text.lastIndexOf('LIMIT ')
  return limitIndex > 0 && /^LIMIT \d+\s*$/.test(text.slice(limitIndex)) && /\s/.test(text[limitIndex - 1] ?? '')
    ? text.slice(0, limitIndex).trimEnd()
    : text
}

/** @throws AppError `dataset_not_found`, `dataset_access`, `template_invalid` for a metric that the dataset does not have */
export async function renderMetricSql(
  deps: ConnectionDeps,
  principal: Principal,
  key: string,
  id: number,
): Promise<string> {
  const resolved = await resolveDataset(deps, principal, id)
  const { dataset } = resolved
  const metric = dataset.metrics.find(({ metric_name }) => metric_name === key)
  if (!metric)
    throw new AppError('template_invalid', {
      message: message('errors.templates.metricNotFound', 'Metric {metric} not found in {dataset}.', {
        metric: key,
        dataset: dataset.table_name,
      }),
    })
  await authorizeTemplateExpressions(deps, principal, resolved, { columns: [], metrics: [metric] })
  return metric.expression
}

/**
 * Expressions are checked here because they become part of another user's SQL, which is not checked again if it belongs to a
 * dataset.
 */
const authorizeTemplateExpressions = (
  deps: ConnectionDeps,
  principal: Principal,
  { stored, database, source }: ResolvedDataset,
  texts: Pick<PlannerDataset, 'columns' | 'metrics'>,
): Promise<void> =>
  authorizeDatasetExpressions(listDatasetExpressions({ ...texts, fetch_values_predicate: null }), {
    deps,
    database,
    source,
    canCallForeign: () =>
      canReadAll(principal, database) || canAuthorReadDatabase(deps, stored.row.expressions_by_fk, database),
    signal: AbortSignal.timeout(inspectTimeoutMs),
  })
