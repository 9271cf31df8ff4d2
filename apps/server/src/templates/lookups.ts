import { AppError, message, type PlannerDataset } from '@parquetry/model'
import { localIso, plan, restrict } from '@parquetry/query'
import type { ConnectionDeps } from '../connection/deps.ts'
import { judgeOwnSql } from '../dataset/judge-own-sql.ts'
import { judgeOwnTexts, mayVouch, ownTextsOf } from '../dataset/judge-own-texts.ts'
import { type OpenedDataset, openDataset } from '../dataset/open-dataset.ts'
import { planContext } from '../dataset/plan-context.ts'
import type { Principal } from '../access/principal.ts'
import { readsAll } from '../sql-access/table-access.ts'

/** Reading an expression takes this long at most. */
const judgeMs = 10_000

/**
 * A dataset as a sub-select, as the person who asks may read it: its row rules stand in it.
 * @throws AppError `dataset_not_found`, `dataset_access`; `sql_not_allowed` for an expression that may not run; `template_invalid`
 *   for one whose text holds templates or values
 */
export async function datasetText(
  deps: ConnectionDeps,
  principal: Principal,
  id: number,
  { include_metrics, columns }: { include_metrics: boolean; columns: string[] | null },
): Promise<string> {
  const asked = await openDataset(deps, principal, id)
  const { dataset, rowRules } = asked
  if ([dataset.sql, ...rowRules.map(({ clause }) => clause)].some((text) => /\{[{%]/.test(text ?? '')))
    throw new AppError('template_invalid', {
      message: message(
        'errors.templates.nestedDataset',
        'Dataset {id} cannot be used in a template because its SQL or row-level security rules contain templates.',
        { id },
      ),
    })
  const context = planContext({ ...asked, deps, context: {} }, { as: 'frames' }, 'full')
  const query = {
    columns: columns ?? dataset.columns.map(({ column_name }) => column_name),
    metrics: include_metrics ? dataset.metrics.map(({ metric_name }) => metric_name) : null,
    time_range: 'No filter',
  }
  const { stored, database, source } = asked
  const signal = AbortSignal.timeout(judgeMs)
  if (dataset.sql) await judgeOwnSql(deps, { sql: dataset.sql, row: stored.row, database, source, principal, signal })
  const [taken, measures] = [new Set(query.columns), new Set(query.metrics)]
  await judgeTexts(deps, principal, asked, {
    columns: dataset.columns.filter(({ column_name }) => taken.has(column_name)),
    metrics: dataset.metrics.filter(({ metric_name }) => measures.has(metric_name)),
  })
  const { plan: planned } = plan(restrict(query, dataset, { rowRules }), dataset, {
    ...context,
    now: localIso(deps.now().getTime(), deps.settings.timeZone),
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

/** Cut before the last LIMIT, if nothing but its number follows. */
function withoutLimit(text: string): string {
  const at = text.lastIndexOf('LIMIT ')
  return at > 0 && /^LIMIT \d+\s*$/.test(text.slice(at)) && /\s/.test(text[at - 1] ?? '')
    ? text.slice(0, at).trimEnd()
    : text
}

/** @throws AppError `dataset_not_found`, `dataset_access`, `template_invalid` for a metric that the dataset lacks */
export async function metricText(deps: ConnectionDeps, principal: Principal, key: string, id: number): Promise<string> {
  const opened = await openDataset(deps, principal, id)
  const { dataset } = opened
  const metric = dataset.metrics.find(({ metric_name }) => metric_name === key)
  if (!metric)
    throw new AppError('template_invalid', {
      message: message('errors.templates.metricNotFound', 'Metric {metric} not found in {dataset}.', {
        metric: key,
        dataset: dataset.table_name,
      }),
    })
  await judgeTexts(deps, principal, opened, { columns: [], metrics: [metric] })
  return metric.expression
}

/** They go into the SQL of somebody else, which is not judged again where it is that of a dataset. */
const judgeTexts = (
  deps: ConnectionDeps,
  principal: Principal,
  { stored, database, source }: OpenedDataset,
  texts: Pick<PlannerDataset, 'columns' | 'metrics'>,
): Promise<void> =>
  judgeOwnTexts(ownTextsOf({ ...texts, fetch_values_predicate: null }), {
    deps,
    database,
    source,
    mayCallForeign: () => readsAll(principal, database) || mayVouch(deps, stored.row.expressions_by_fk, database),
    signal: AbortSignal.timeout(judgeMs),
  })
