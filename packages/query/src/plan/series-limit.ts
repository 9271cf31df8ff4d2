import { AppError, labelOfColumn, message } from '@parquetry/model'
import { buildAlias } from '../sql/alias.ts'
import type { Dialect } from '../sql/dialect.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import type { Dimension } from './dimensions.ts'
import { planMeasure, type Measure } from './metrics.ts'
import { timestampLabel, type Scope } from './scope.ts'
import { planFromWhere } from './where.ts'

const joined = 'series_limit'
const rank = 'mme_inner__'

/** Marks rows of the first series. Rows without a match are null here, or zero on ClickHouse. */
const isFirst = 'first__'

/** Sub-query for the first `series_limit` series, ranked by `series_limit_metric` over the same rows. */
export interface LimitedSeries {
  /** Complete JOIN clause; null when the query has no series limit. */
  join: Sql | null
  /** Dimensions of the query; with `group_others_when_limit_reached` all other series become `Others`. */
  dimensions: Dimension[]
}

/**
 * Limits a query to its first series. A series with a null in its columns never matches, because null is not equal to null: its
 * rows are left out or, when other series are grouped, stay null, so that sums over all series are complete.
 * @throws AppError `unsupported` when the engine has no joins
 */
export function limitSeries(dimensions: Dimension[], measures: Measure[], scope: Scope): LimitedSeries {
  const { query, dialect } = scope
  const series = findSeriesDimensions(dimensions, measures, scope)
  if (!query.series_limit || query.series_limit < 1 || series.length === 0) return { join: null, dimensions }
  if (!dialect.supports.joins)
    throw new AppError('unsupported', {
      message: message('errors.query.seriesLimit', '{engine} does not support a series limit.', {
        engine: dialect.name,
      }),
    })
  const groupsOthers = query.group_others_when_limit_reached === true
  const ranking = query.series_limit_metric ? planMeasure(query.series_limit_metric, scope) : measures[0]
  const ranked = (measures[0] ?? ranking)?.value ?? sql`COUNT(*)`
  const byAlias = dialect.ordersByAliasOfMetric ? sql.id(rank) : ranked
  const present = groupsOthers ? series.map(({ value }) => sql`${value} IS NOT NULL`) : []
  const rows = planFromWhere(scope, scope.innerRange, present)
  const inner = selectSql(
    {
      columns: [
        ...series.map(({ label, value }) => ({ value, alias: innerAlias(label, scope) })),
        { value: ranked, alias: rank },
        ...(groupsOthers ? [{ value: sql`1`, alias: isFirst }] : []),
      ],
      from: rows.from,
      where: [...rows.where, ...present],
      join: null,
      groupBy: series.map(({ group }) => group),
      having: [],
      orderBy: [
        {
          value: query.series_limit_metric && ranking ? ranking.value : byAlias,
          ascending: query.order_desc === false,
        },
      ],
      limit: { rows: query.series_limit, offset: 0 },
    },
    dialect,
  )
  const equal = series.map(({ label, value }) => sql`${value} = ${sql.id(joined, innerAlias(label, scope))}`)
  const partner = sql`(${inner}) AS ${sql.id(joined)} ON ${sql.join(equal, ' AND ')}`
  if (!groupsOthers) return { join: sql`INNER JOIN ${partner}`, dimensions }
  return {
    join: sql`LEFT JOIN ${partner}`,
    dimensions: dimensions.map((each) => (series.includes(each) ? withOthers(each, dialect) : each)),
  }
}

/** Uses the label `Others` in every language, like the API's own clients. */
function withOthers(dimension: Dimension, dialect: Dialect): Dimension {
  const { value } = dimension
  const text = dialect.asText(value)
  const each = sql`CASE WHEN ${sql.id(joined, isFirst)} = 1 THEN ${text} WHEN ${value} IS NOT NULL THEN 'Others' END`
  return { ...dimension, value: each, group: each, grain: null, time: null, dateFormat: null }
}

const innerAlias = (label: string, { dialect }: Scope) => buildAlias(`${label}__`, dialect)

/** `series_columns`; without them all columns of a time series with metrics. */
function findSeriesDimensions(
  dimensions: Dimension[],
  measures: Measure[],
  { query, isTimeseries }: Scope,
): Dimension[] {
  const requested = query.series_columns?.map(labelOfColumn) ?? []
  if (requested.length > 0) return dimensions.filter(({ label }) => requested.includes(label))
  return isTimeseries && measures.length > 0 ? dimensions.filter(({ label }) => label !== timestampLabel) : []
}
