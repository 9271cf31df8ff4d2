import { AppError, message, type Message, type QueryColumn, type QueryMetric, type QueryObject } from '@parquetry/model'
import { findRangeText, formatLocalIso, resolveTimeRange } from '@parquetry/query'
import {
  isTemplate,
  renderTemplate,
  TemplateError,
  type TemplateContext,
  type TemplateValue,
} from '@parquetry/templates'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { parseObject } from '../http/json-body.ts'
import { hideRowsWithoutAttribute } from '../row-level-security/missing-attribute.ts'
import { redactRuleError } from '../row-level-security/rule-error.ts'
import type { ResolvedQuery } from './resolved-query.ts'
import { isTemplating, parseTemplateParams, refuseDisabledTemplate, templateContext } from '../templates/context.ts'

/** A query whose SQL contains no templates any more, and the filters that the templates read. */
export interface RenderedQuery {
  resolved: ResolvedQuery
  query: QueryObject
  applied_template_filters: string[]
}

/**
 * Renders the templates in all SQL of a query: the dataset's own SQL, calculated columns, metrics, expressions and clauses of the
 * query, row-level security rules, and the predicate for lists of values. When templates are disabled, those in rules still are
 * rendered, because only administrators write rules.
 * @throws AppError `invalid_query` that names the place of the template; `template_invalid` when templates are disabled
 */
export async function renderQuery(resolved: ResolvedQuery, query: QueryObject): Promise<RenderedQuery> {
  if (!isTemplating(resolved.deps)) refuseDisabledTemplate(resolved.database, usedTexts(resolved, query))
  if (!holdsTemplates(resolved, query)) return { resolved, query, applied_template_filters: [] }
  const used = { applied: new Set<string>(), removed: new Set<string>() }
  const context = buildTemplateContext(resolved, query, used)
  const text = (sql: string, location: string) => renderText(sql, location, context)
  const renderOptional = async (sql: string | null | undefined, location: string) => (sql ? text(sql, location) : sql)

  const { dataset } = resolved
  const rlsRules = await mapSequentially(resolved.rlsRules, async (rule) => ({
    ...rule,
    clause: await text(rule.clause, 'RLS filters')
      .catch((error: unknown) => hideRowsWithoutAttribute(resolved.deps, error, resolved.principal, rule))
      .catch((error: unknown) => {
        throw redactRuleError(error, resolved.principal, resolved.database, dataset.table_name)
      }),
  }))
  if (!isTemplating(resolved.deps))
    return { resolved: { ...resolved, rlsRules }, query, applied_template_filters: [...used.applied] }
  const rendered: ResolvedQuery = {
    ...resolved,
    rlsRules,
    dataset: {
      ...dataset,
      sql: (await renderOptional(dataset.sql, 'virtual dataset query')) ?? null,
      fetch_values_predicate: (await renderOptional(dataset.fetch_values_predicate, 'fetch values predicate')) ?? null,
      columns: await mapSequentially(dataset.columns, async (column) => ({
        ...column,
        expression: (await renderOptional(column.expression, 'calculated column')) ?? null,
      })),
      metrics: await mapSequentially(dataset.metrics, async (metric) => ({
        ...metric,
        expression: await text(metric.expression, 'metric expression'),
      })),
    },
  }
  const renderExpression = async <T>(value: T): Promise<T> =>
    isExpression(value) ? { ...value, sqlExpression: await text(value.sqlExpression, 'expression') } : value
  const renderedQuery: QueryObject = {
    ...query,
    ...(query.columns && { columns: await mapSequentially(query.columns, renderExpression<QueryColumn>) }),
    ...(query.series_columns && {
      series_columns: await mapSequentially(query.series_columns, renderExpression<QueryColumn>),
    }),
    ...(query.having_columns && {
      having_columns: await mapSequentially(query.having_columns, renderExpression<QueryColumn>),
    }),
    ...(query.metrics && { metrics: await mapSequentially(query.metrics, renderExpression<QueryMetric>) }),
    ...(query.series_limit_metric && { series_limit_metric: await renderExpression(query.series_limit_metric) }),
    ...(query.orderby && {
      orderby: await mapSequentially(query.orderby, async (order) =>
        Array.isArray(order) ? mapSequentially(order as unknown[], renderExpression) : order,
      ),
    }),
    ...(query.extras && {
      extras: {
        ...query.extras,
        where: await renderOptional(query.extras.where, 'WHERE clause'),
        having: await renderOptional(query.extras.having, 'HAVING clause'),
      },
    }),
  }
  const filters = await mapSequentially(query.filters ?? [], async (filter) => ({
    ...filter,
    col: await renderExpression(filter.col),
  }))
  return {
    resolved: rendered,
    query: {
      ...renderedQuery,
      ...(query.filters && { filters: filters.filter(({ col }) => typeof col !== 'string' || !used.removed.has(col)) }),
    },
    applied_template_filters: [...used.applied],
  }
}

/** Runs sequentially: few macros wait, and errors keep the order of the texts. */
async function mapSequentially<T, R>(items: readonly T[], change: (item: T) => Promise<R>): Promise<R[]> {
  const changed: R[] = []
  const yielder = new EventLoopYielder()
  for (const item of items) {
    changed.push(await change(item))
    await yielder.yieldIfDue()
  }
  return changed
}

/** Checks if templates affect the query: they may read the requester, the clock and other data. */
export const holdsTemplates = (resolved: ResolvedQuery, query: QueryObject): boolean =>
  resolved.rlsRules.some(({ clause }) => isTemplate(clause)) ||
  (isTemplating(resolved.deps) && hasTemplates(resolved, query))

type Expression = { sqlExpression: string }
const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Expression>).sqlExpression === 'string'

function hasTemplates(resolved: ResolvedQuery, query: QueryObject): boolean {
  const { dataset } = resolved
  const texts = [
    ...usedTexts(resolved, query),
    dataset.fetch_values_predicate,
    ...dataset.columns.map((column) => column.expression),
    ...dataset.metrics.map((metric) => metric.expression),
  ]
  return texts.some((text) => text && isTemplate(text))
}

/** All SQL that a query runs, except for row-level security rules and the predicate for lists of values. */
function usedTexts(
  { dataset }: ResolvedQuery,
  { columns, having_columns, metrics, series_columns, series_limit_metric, orderby, extras, filters }: QueryObject,
): (string | null | undefined)[] {
  const used = [
    columns,
    having_columns,
    metrics,
    series_columns,
    [series_limit_metric],
    orderby?.flat(),
    filters?.map(({ col }) => col),
  ].flatMap((values) => (values ?? []) as unknown[])
  const names = new Set(used)
  return [
    dataset.sql,
    ...dataset.columns.flatMap(({ column_name, expression }) => (names.has(column_name) ? expression : [])),
    ...dataset.metrics.flatMap(({ metric_name, expression }) => (names.has(metric_name) ? expression : [])),
    extras?.where,
    extras?.having,
    ...used.map((value) => (isExpression(value) ? value.sqlExpression : null)),
  ]
}

async function renderText(sql: string, location: string, context: TemplateContext): Promise<string> {
  if (!isTemplate(sql)) return sql
  const templateError = (reason: string | Message, cause?: unknown) =>
    new AppError('invalid_query', {
      message: message('errors.chart.template', 'Error: Error in jinja expression in {location}: {reason}', {
        location,
        reason,
      }),
      cause,
    })
  try {
    const { text, unknown } = await renderTemplate(sql, context)
    if (unknown.length > 0)
      throw templateError(message('errors.templates.undefined', "'{name}' is undefined", { name: unknown[0] }))
    return text
  } catch (error) {
    throw error instanceof TemplateError ? templateError(error.sentence, error) : error
  }
}

function buildTemplateContext(
  { dataset, stored, database, principal, rlsRules, deps }: ResolvedQuery,
  query: QueryObject,
  used: { applied: Set<string>; removed: Set<string> },
): TemplateContext {
  const time_range = findRangeText(query)
  const { since, until } = resolveTimeRange(time_range ?? 'No filter', {
    now: formatLocalIso(deps.now().getTime(), deps.settings.timeZone),
    relativeStart: query.extras?.relative_start,
    relativeEnd: query.extras?.relative_end,
    timeShift: query.time_shift,
  })
  const names = (values: readonly unknown[] | null | undefined): TemplateValue[] =>
    (values ?? []).map((value) => value as TemplateValue)
  const table_columns = dataset.columns.map(({ column_name }) => column_name)
  const urlParams = Object.entries(query.url_params ?? {}).filter(([, value]) => value !== null)
  return templateContext(
    deps,
    principal,
    {
      database,
      schema: dataset.schema,
      catalog: dataset.catalog,
      values: {
        from_dttm: since,
        to_dttm: until,
        table_columns,
        ...parseTemplateParams(stored.row.template_params ?? templateParamsIn(stored.row.params)),
      },
      ofViewers: {
        columns: names(query.columns),
        groupby: names(query.columns),
        metrics: names(query.metrics),
        filter: names(query.filters),
        row_limit: query.row_limit ?? null,
        row_offset: query.row_offset ?? 0,
        time_column: query.granularity ?? null,
        time_grain: query.extras?.time_grain_sqla ?? null,
      },
      names: table_columns,
      url_params: new Map(urlParams.map(([name, value]) => [name, String(value)])),
      filters: (query.filters ?? []).flatMap(({ col, op, val }) =>
        typeof col === 'string' ? [{ col, op, val: val as TemplateValue }] : [],
      ),
      time_range,
      rules: rlsRules.map(({ clause }) => clause),
      datasetId: dataset.id,
    },
    used,
  )
}

const templateParamsIn = (params: string | null): string | null => {
  const { templateParams: found } = parseObject(params)
  return typeof found === 'string' ? found : null
}
