import type { PlannerDataset } from '@parquetry/model'
import { closeClause, findDatasetSqlProblem } from '../sql/check-sql-text.ts'
import { sql, userSql, type Sql } from '../sql/sql.ts'
import { invalidQuery } from './scope.ts'

/** Name by which expressions can refer to the source rows of a statement. */
export const sourceAliasOf = ({ sql: text, table_name }: PlannerDataset): string =>
  text ? 'virtual_table' : table_name

/** Source of the statement: the table, or the SQL of a virtual dataset as a sub-query. @throws AppError `invalid_query` */
export function tableSql(dataset: PlannerDataset): Sql {
  if (!dataset.sql) {
    return sql.id(...[dataset.catalog, dataset.schema, dataset.table_name].flatMap((name) => name || []))
  }
  const problem = findDatasetSqlProblem(dataset.sql, dataset.engine)
  if (problem) throw invalidQuery(`Error: ${problem}`)
  return sql`(${userSql(closeClause(dataset.sql.trim(), dataset.engine))}) AS ${sql.id(sourceAliasOf(dataset))}`
}
