import { AppError, defaultLimits, type Encoding, type FileFormat, message, type Plan } from '@parquetry/model'
import { isReadOnly, spliceLimit } from '@parquetry/sql'
import type { RunStream } from '../runners/runners.ts'
import type { SqllabDeps } from './deps.ts'
import type { QueryRow } from './history.ts'
import { findRun, prepareRerun } from './past-run.ts'
import type { Caller } from '../user-sql/prepare-user-sql.ts'

export interface ExportRequest {
  client_id: string
  format: FileFormat
  /** Includes rows beyond the limit of the run. */
  all: boolean
}

/** The result of a run as a file, written while it is read. */
export interface ExportedQuery {
  query: QueryRow
  stream: RunStream
}

/**
 * Runs the last statement of a run again, without the display limit, and streams its rows. It is authorized like a new query:
 * permissions may have changed, and statements that write are not run twice.
 * @throws AppError `result_gone`; `bad_request` for a run without rows; what `authorizeSql` refuses; engine errors
 */
export async function exportQuery(deps: SqllabDeps, caller: Caller, request: ExportRequest): Promise<ExportedQuery> {
  const run = await findRun(deps, caller, 'client_id', request.client_id)
  if (!run) throw new AppError('result_gone')
  const { query } = run
  const { config } = deps.settings
  const { sql, inspection, source } = await prepareRerun(deps, caller, run, query.select_sql ?? query.sql)
  const last = inspection.statements.at(-1)!
  if (!isReadOnly({ statements: [last], error: null }))
    throw new AppError('bad_request', {
      message: message(
        'errors.sqllab.nothingToExport',
        'The last statement of this query changes data, so there are no rows to export.',
      ),
    })
  const rows = request.all ? Number.MAX_SAFE_INTEGER - 1 : (query.limit ?? config.SQL_MAX_ROW)
  const plan: Plan = {
    source,
    statements: [
      { name: 'export', text: buildStatementText(sql, last, request.all ? null : rows, source.kind), values: [] },
    ],
    joins: [],
    steps: [],
    columns: [],
    encode: toEncoding(request.format, config.CSV_EXPORT),
    limits: { ...defaultLimits, rows, timeoutMs: config.SQLLAB_ASYNC_TIME_LIMIT_SEC * 1000 },
    guard: 'user-sql',
  }
  return { query, stream: await deps.runners.stream(plan, caller.signal, () => {}) }
}

type Spliced = Parameters<typeof spliceLimit>[1]

const buildStatementText = (
  sql: string,
  statement: Spliced,
  rows: number | null,
  kind: 'embedded' | 'network',
): string =>
  rows === null || kind === 'embedded' ? sql.slice(...statement.span) : spliceLimit(sql, statement, rows + 1)

function toEncoding(format: FileFormat, { sep }: { sep?: string }): Encoding {
  if (format !== 'csv') return { as: format }
  return { as: 'csv', escape: true, separator: sep?.length === 1 ? sep : ',', header: true }
}
