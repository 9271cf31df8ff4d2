import { AppError, labelOfColumn } from '@parquetry/model'
import { aliasOf } from '../sql/alias.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import type { Dimension } from './dimensions.ts'
import { measureOf, type Measure } from './metrics.ts'
import { timestampLabel, type Scope } from './scope.ts'
import { rowsOf } from './where.ts'

const joined = 'series_limit'
const rank = 'mme_inner__'

/**
 * The join that keeps the `series_limit` first series, ranked by `series_limit_metric` over the same rows. A series with a
 * null in its columns is not among them, as equality has it.
 * @returns null when the query has no such limit
 * @throws AppError `unsupported` when the engine has no joins
 */
export function seriesLimitJoin(dimensions: Dimension[], measures: Measure[], scope: Scope): Sql | null {
  const { query, dialect } = scope
  const series = seriesOf(dimensions, measures, scope)
  if (!query.series_limit || query.series_limit < 1 || series.length === 0) return null
  if (!dialect.supports.joins) throw new AppError('unsupported', { message: `${dialect.name} cannot limit series` })
  const ranking = query.series_limit_metric ? measureOf(query.series_limit_metric, scope) : measures[0]
  const ranked = (measures[0] ?? ranking)?.value ?? sql`COUNT(*)`
  const byAlias = dialect.ordersByAliasOfMetric ? sql.id(rank) : ranked
  const inner = selectSql(
    {
      columns: [
        ...series.map(({ label, value }) => ({ value, alias: innerAlias(label, scope) })),
        { value: ranked, alias: rank },
      ],
      ...rowsOf(scope, scope.innerRange, []),
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
  return sql`(${inner}) AS ${sql.id(joined)} ON ${sql.join(equal, ' AND ')}`
}

const innerAlias = (label: string, { dialect }: Scope) => aliasOf(`${label}__`, dialect)

/** `series_columns`; without them all columns of a time series with metrics. */
function seriesOf(dimensions: Dimension[], measures: Measure[], { query, isTimeseries }: Scope): Dimension[] {
  const asked = query.series_columns?.map(labelOfColumn) ?? []
  if (asked.length > 0) return dimensions.filter(({ label }) => asked.includes(label))
  return isTimeseries && measures.length > 0 ? dimensions.filter(({ label }) => label !== timestampLabel) : []
}
