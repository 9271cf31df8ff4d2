import { AppError, type Source } from '@parquetry/model'
import { forAdministrators, refusedFunctions } from '@parquetry/sql'
import { authorOf } from '../access/load-principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { Rests } from '../concurrency/rests.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { foreignName } from '../sql-access/judge.ts'
import { holdsQuery, readExpression } from '../sql-access/read-expression.ts'
import { readsAll } from '../sql-access/table-access.ts'

/** An expression that belongs to a dataset, and how people are told of it. */
export interface OwnText {
  field: 'columns' | 'metrics' | 'fetch_values_predicate'
  /** Of its column or metric. */
  name: string | null
  title: string
  sql: string
}

export interface TextProblem extends OwnText {
  problem: string
}

interface Texts {
  columns: readonly { column_name: string; expression?: string | null }[]
  metrics: readonly { metric_name: string; expression: string }[]
  fetch_values_predicate: string | null
}

/** Every expression of a dataset; its own SQL is a query and none of them. */
export function ownTextsOf({ columns, metrics, fetch_values_predicate }: Texts): OwnText[] {
  const calculated = columns.flatMap(({ column_name: name, expression: sql }): OwnText[] =>
    sql ? [{ field: 'columns', name, title: `The calculated column "${name}"`, sql }] : [],
  )
  const measures = metrics.map(({ metric_name: name, expression: sql }): OwnText => ({
    field: 'metrics',
    name,
    title: `The metric "${name}"`,
    sql,
  }))
  const title = 'The filter value predicate'
  return [
    ...calculated,
    ...measures,
    ...(fetch_values_predicate
      ? [{ field: 'fetch_values_predicate' as const, name: null, title, sql: fetch_values_predicate }]
      : []),
  ]
}

/** Where the texts run, and whether they may call what the engine does not bring along. */
export interface Judging {
  deps: Pick<ConnectionDeps, 'runners'>
  database: DatabaseRow
  source: Source
  mayCallForeign: () => boolean | Promise<boolean>
  signal: AbortSignal
}

/**
 * Those texts of a dataset that may not run for anybody, by the engine's own grammar (decision 0015): one is an expression
 * without a query of its own, and calls functions that people made in the database only where `mayCallForeign` says so.
 */
export async function problemsOf(texts: readonly OwnText[], judging: Judging): Promise<TextProblem[]> {
  const rests = new Rests()
  const judged = await Promise.all(
    texts.map(async (text) => {
      await rests.rest()
      return { ...text, problem: await problemOf(text, judging) }
    }),
  )
  return judged.filter((text): text is TextProblem => text.problem !== null)
}

async function problemOf(
  { title, sql }: OwnText,
  { deps, database, source, mayCallForeign, signal }: Judging,
): Promise<string | null> {
  if (/^\s*count\(\*\)\s*$/i.test(sql)) return null
  const read = await readExpression(deps, source, sql, signal)
  if (read.length === 0) return `${title} is not a valid SQL expression.`
  for (const { sql: text, statement } of read) {
    if (holdsQuery(statement)) return `${title} must be an expression without a subquery.`
    const [closed] = refusedFunctions(statement, database.backend)
    if (closed !== undefined) return `${title} uses "${closed}", which cannot be used here.`
    const ruling = forAdministrators(text, statement, database.backend, { schema: null, catalog: null })
    if (ruling !== undefined) return `${title} cannot be used. ${ruling} can expose information about the server.`
    const foreign = foreignName(statement, database)
    if (foreign !== undefined && !(await mayCallForeign()))
      return `${title} uses "${foreign}", which is not built into the database. Only users with access to the whole database can save it.`
  }
  return null
}

/**
 * Whether somebody who saved expressions may read the whole database today. Of those that were stored before this was kept
 * nobody knows who did.
 */
export async function mayVouch(
  { db }: Pick<ConnectionDeps, 'db'>,
  userId: number | null,
  database: DatabaseRow,
): Promise<boolean> {
  const author = userId === null ? undefined : await authorOf(db, userId)
  return author !== undefined && readsAll(author, database)
}

export const refusedText = ({ problem }: TextProblem): AppError => new AppError('sql_not_allowed', { message: problem })

/** @throws AppError `sql_not_allowed` for the first of `problemsOf` */
export async function judgeOwnTexts(texts: readonly OwnText[], judging: Judging): Promise<void> {
  const [refused] = await problemsOf(texts, judging)
  if (refused) throw refusedText(refused)
}
