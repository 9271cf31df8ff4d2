import { locateRun } from '../editor/diagnostics.ts'
import { stripComments } from '../editor/strip-comments.ts'
import type { Query, QueryEditor } from '../state.ts'

/** Older runs than these are not on screen. */
const maxQueries = 50

/**
 * Ids of the runs whose text is no longer in the tab: their results are older than what the user sees above them. The server
 * knows runs without their comments.
 * @param dialect  see `lex`
 */
export function findOutdated(
  queries: readonly Query[],
  { sql, loaded }: Pick<QueryEditor, 'sql' | 'loaded'>,
  dialect: string,
): string[] {
  if (!loaded) return []
  let bare: string | undefined
  return queries
    .filter(({ isDataPreview }) => !isDataPreview)
    .slice(0, maxQueries)
    .filter(
      (query) => locateRun(sql, query) === null && !(bare ??= stripComments(sql, dialect)).includes(query.sql.trim()),
    )
    .map(({ id }) => id)
}
