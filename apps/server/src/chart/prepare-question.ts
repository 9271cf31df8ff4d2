import type { QueryObject } from '@parquetry/model'
import { withRowRules } from '../sqllab/row-rules.ts'
import { renderQuestion, type RenderedQuestion } from '../templates/render-question.ts'
import { judgeExpressions } from './judge-expressions.ts'
import type { Question } from './question.ts'

/**
 * One query of a question as it may be planned: templates are carried out, the viewer's own SQL is judged, and a dataset's SQL
 * reads of its tables the rows that the viewer may see. That of a run of SQL Lab is read there.
 * @throws AppError what templates, `judgeExpressions` and row rules refuse
 */
export async function prepareQuestion(
  given: Question,
  asked: QueryObject,
  signal: AbortSignal,
): Promise<RenderedQuestion> {
  const rendered = await renderQuestion(given, asked)
  const { question, query } = rendered
  await judgeExpressions(question, query, signal)
  const { dataset, source, database, principal, context, deps } = question
  if (!dataset.sql || context.datasource.type === 'query') return rendered
  const { sql, schema } = dataset
  const ruled = await withRowRules(deps, { sql, schema, source, database, principal, signal })
  return ruled === sql ? rendered : { ...rendered, question: { ...question, dataset: { ...dataset, sql: ruled } } }
}
