import { labelOfMetric, type AdhocMetric, type QueryMetric } from '@parquetry/model'
import { pythonText } from '../read/python-text.ts'
import { aliasOf } from '../sql/alias.ts'
import { sql, type Sql } from '../sql/sql.ts'
import type { Dimension } from './dimensions.ts'
import { adhocSql, columnSql } from './expression.ts'
import { measureOf, type Measure } from './metrics.ts'
import { refuse, type Scope } from './scope.ts'

type Entry = [asked: string | AdhocMetric, ascending: boolean]

/** The pairs of `orderby`; `readQueryContext` has checked their form. */
const entriesOf = ({ query }: Scope): Entry[] => (query.orderby ?? []) as Entry[]

/** Whether the order asks for a metric, so that the columns are grouped even where no metric is selected. */
export const ordersByMetric = (scope: Scope): boolean =>
  entriesOf(scope).some(([asked]) =>
    typeof asked === 'string'
      ? !scope.columns.has(asked) && scope.metrics.has(asked)
      : asked.expressionType === 'SIMPLE',
  )

/** An entry that equals a selected label orders by its alias. @throws AppError `invalid_query`, `adhoc_subquery` */
export function orderOf(dimensions: Dimension[], measures: Measure[], scope: Scope) {
  const byAlias = (label: string): Sql => {
    const measure = scope.dialect.ordersByAliasOfMetric ? undefined : measures.find((one) => one.label === label)
    return measure?.value ?? sql.id(aliasOf(label, scope.dialect))
  }
  const valueOf = (asked: string | AdhocMetric): Sql => {
    if (typeof asked !== 'string') return objectOrder(asked)
    if (dimensions.some(({ label, column }) => label === asked && column)) return byAlias(asked)
    const column = scope.columns.get(asked)
    if (column) return columnSql(column)
    if (measures.some(({ label }) => label === asked)) return byAlias(asked)
    if (scope.metrics.has(asked)) return measureOf(asked, scope).value
    throw refuse(`Unknown column used in orderby: ${asked}`)
  }
  const objectOrder = (asked: AdhocMetric): Sql => {
    const label = labelOfMetric(asked as QueryMetric)
    if ([...dimensions, ...measures].some((selected) => selected.label === label)) return byAlias(label)
    if (asked.expressionType === undefined) throw refuse(`Unknown column used in orderby: ${pythonText(asked)}`)
    const isSql = asked.expressionType !== 'SIMPLE' && asked.sqlExpression
    return isSql ? adhocSql(isSql, scope) : measureOf(asked, scope).value
  }
  return entriesOf(scope).map(([asked, ascending]) => ({ value: valueOf(asked), ascending }))
}
