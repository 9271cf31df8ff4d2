import { AppError } from '@parquetry/model'
import { localIso, plan, restrict } from '@parquetry/query'
import { findDataset } from '../chart/find-dataset.ts'
import { planContext } from '../chart/question.ts'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'

/**
 * A dataset as a sub-select, as the person who asks may read it: its row rules stand in it.
 * @throws AppError `dataset_not_found`, `dataset_access`; `template_invalid` for one whose text holds templates or values
 */
export async function datasetText(
  deps: Deps,
  principal: Principal,
  id: number,
  { include_metrics, columns }: { include_metrics: boolean; columns: string[] | null },
): Promise<string> {
  const asked = await findDataset(deps, principal, id)
  const { dataset, rowRules } = asked
  if ([dataset.sql, ...rowRules.map(({ clause }) => clause)].some((text) => /\{[{%]/.test(text ?? '')))
    throw new AppError('template_invalid', {
      message: `Dataset ${id} holds templates itself and cannot be used in one.`,
    })
  const question = { ...asked, deps, context: { datasource: { id, type: 'table' }, queries: [] } }
  const context = planContext(question, { as: 'frames' }, 'full')
  const query = {
    columns: columns ?? dataset.columns.map(({ column_name }) => column_name),
    metrics: include_metrics ? dataset.metrics.map(({ metric_name }) => metric_name) : null,
    time_range: 'No filter',
  }
  const { plan: planned } = plan(restrict(query, dataset, { rowRules }), dataset, {
    ...context,
    now: localIso(deps.now().getTime(), deps.settings.timeZone),
  })
  const [statement] = planned.statements
  if (!statement || statement.values.length > 0)
    throw new AppError('template_invalid', { message: `Dataset ${id} cannot be written as a sub-select.` })
  return `(${statement.text.replace(/\s+LIMIT \d+\s*$/, '')}) AS dataset_${id}`
}

/** @throws AppError `dataset_not_found`, `dataset_access`, `template_invalid` for a metric that the dataset lacks */
export async function metricText(deps: Deps, principal: Principal, key: string, id: number): Promise<string> {
  const { dataset } = await findDataset(deps, principal, id)
  const metric = dataset.metrics.find(({ metric_name }) => metric_name === key)
  if (!metric) throw new AppError('template_invalid', { message: `Metric ${key} not found in ${dataset.table_name}.` })
  return metric.expression
}
