import type { PlannerDataset } from '@parquetry/model'
import { closedText, datasetSqlProblem } from '../sql/check-sql-text.ts'
import { sql, userSql, type Sql } from '../sql/sql.ts'
import { refuse } from './scope.ts'

/** By which expressions may name the rows that a statement reads. */
export const nameOfRows = ({ sql: text, table_name }: PlannerDataset): string => (text ? 'virtual_table' : table_name)

/** What the statement reads: the table, or the SQL of a virtual dataset as a sub-select. @throws AppError `invalid_query` */
export function tableSql(dataset: PlannerDataset): Sql {
  if (!dataset.sql) {
    return sql.id(...[dataset.catalog, dataset.schema, dataset.table_name].flatMap((name) => name || []))
  }
  const problem = datasetSqlProblem(dataset.sql, dataset.engine)
  if (problem) throw refuse(`Error: ${problem}`)
  return sql`(${userSql(closedText(dataset.sql.trim(), dataset.engine))}) AS ${sql.id(nameOfRows(dataset))}`
}
