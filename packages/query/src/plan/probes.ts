import type { Plan, PlannerDataset, QueryObject } from '@parquetry/model'
import { renderSql } from '../sql/render.ts'
import { selectSql } from '../sql/select.ts'
import { isBaseAxis } from './dimensions.ts'
import { adhocSql } from './expression.ts'
import type { PlanContext } from './scope.ts'
import { tableSql } from './table.ts'

/**
 * Plans that find out what only the database knows about a query: whether an expression with a grain is a time, and whether a
 * filtered expression is valid. Each plan returns no rows; the kind in its header, or its failure, becomes the expression's entry
 * in `PlanContext.expressions`. Most queries need none.
 * @throws AppError `invalid_query`, `adhoc_subquery`
 */
export function planProbes(
  query: QueryObject,
  dataset: PlannerDataset,
  context: Pick<PlanContext, 'dialect' | 'settings' | 'source' | 'limits'>,
): { expression: string; plan: Plan }[] {
  const names = new Set(dataset.columns.map(({ column_name }) => column_name))
  const axes = query.columns?.filter((column) => isBaseAxis(column) && column.timeGrain) ?? []
  const filtered = query.filters?.map(({ col }) => col) ?? []
  const expressions = [...axes, ...filtered].flatMap((column) =>
    typeof column === 'string' || typeof column.sqlExpression !== 'string' ? [] : [column.sqlExpression],
  )
  return [...new Set(expressions)]
    .filter((expression) => !names.has(expression))
    .map((expression) => ({ expression, plan: planProbe(expression, dataset, context) }))
}

function planProbe(
  expression: string,
  dataset: PlannerDataset,
  context: Pick<PlanContext, 'dialect' | 'settings' | 'source' | 'limits'>,
): Plan {
  const { dialect, source, limits } = context
  const statement = selectSql(
    {
      columns: [{ value: adhocSql(expression, { context }), alias: 'probe' }],
      from: tableSql(dataset),
      join: null,
      where: [],
      groupBy: [],
      having: [],
      orderBy: [],
      limit: { rows: 0, offset: 0 },
    },
    dialect,
  )
  return {
    source,
    statements: [{ name: 'probe', ...renderSql(statement, dialect) }],
    joins: [],
    steps: [],
    columns: [{ name: 'probe', kind: null }],
    encode: { as: 'rows', times: 'ms' },
    limits: { ...limits, rows: 1 },
    guard: 'user-sql',
  }
}
