import type { QueryObject } from '@parquetry/model'
import { judgeOwnSql } from '../dataset/judge-own-sql.ts'
import { refuseSecrets } from '../sql-access/judge.ts'
import { withRowRules } from '../user-sql/row-rules.ts'
import { renderQuestion, type RenderedQuestion } from './render-question.ts'
import { judgeDataset } from './judge-dataset.ts'
import { judgeExpressions } from './judge-expressions.ts'
import type { Question } from './question.ts'

/**
 * One query of a question as it may be planned: templates are carried out, the dataset's expressions and the viewer's own are
 * judged, a table that holds secrets is for administrators, and a dataset's SQL reads of its tables the rows that the viewer may see. That of a run of SQL Lab is read there.
 * @throws AppError what templates, `judgeDataset`, `judgeOwnSql`, `judgeExpressions` and row rules refuse
 */
export async function prepareQuestion(
  given: Question,
  asked: QueryObject,
  signal: AbortSignal,
): Promise<RenderedQuestion> {
  const rendered = await renderQuestion(given, asked)
  const { question, query } = rendered
  const [dataset] = await Promise.all([judgeDataset(question, query), judgeExpressions(question, query, signal)])
  const judged = { ...rendered, question: { ...question, dataset } }
  const { source, database, principal, context, deps } = question
  if (!dataset.sql) {
    refuseSecrets([{ ...dataset, name: dataset.table_name }], database, principal, dataset)
    return judged
  }
  if (context.datasource.type === 'query') return judged
  const { sql, schema } = dataset
  await judgeOwnSql(deps, { sql, row: question.stored.row, database, source, principal, signal })
  const ruled = await withRowRules(deps, { sql, schema, source, database, principal, signal })
  return { ...judged, question: { ...question, dataset: { ...dataset, sql: ruled } } }
}
