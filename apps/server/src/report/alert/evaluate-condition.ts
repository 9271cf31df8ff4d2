import { buildQueryContext, loadChart, unknownChart } from '@parquetry/charts'
import {
  type AlertMetric,
  AppError,
  defaultLimits,
  message,
  type Plan,
  type ReportConditionResult,
  type RunHeader,
  type ValidatorConfig,
} from '@parquetry/model'
import { readQueryContext } from '@parquetry/query'
import { isReadOnly, spliceLimit } from '@parquetry/sql'
import { sql } from 'kysely'
import { databaseAccess } from '../../access/access.ts'
import type { Principal } from '../../access/principal.ts'
import type { ChartDeps } from '../../chart/deps.ts'
import { resolveQuery } from '../../chart/resolve-query.ts'
import { runQuery } from '../../chart/run-query.ts'
import type { DatabaseRow } from '../../connection/source.ts'
import { unprocessableFields } from '../../http/writing.ts'
import { redactDatabaseError } from '../../sql-access/redact-database-error.ts'
import { prepareUserSql } from '../../user-sql/prepare-user-sql.ts'
import { isTriggered, toNumber } from './compare-value.ts'

/** When an alert is sent: a value by SQL on a database, or a metric of a dataset, and what it is compared with. */
export interface AlertCondition {
  database_id: number | null
  sql: string | null
  metric: AlertMetric | undefined
  validator_type: string | null
  validator_config: ValidatorConfig
}

type Row = Record<string, unknown>
interface Answer {
  header: Pick<RunHeader, 'columns'>
  rows: Row[]
}

const encode = { as: 'rows', times: 'iso' } as const
/** One more than allowed, to tell that there are several. */
const maxRows = 2

/** @throws AppError `unprocessable` for a database that is missing or of which the principal may read nothing */
async function findDatabase({ db }: ChartDeps, principal: Principal, id: number | null): Promise<DatabaseRow> {
  const row = await db
    .selectFrom('database')
    .selectAll()
    .where('id', '=', id ?? -1)
    .where(databaseAccess(principal) ?? sql<never>`1 = 1`)
    .executeTakeFirst()
  if (!row) throw unprocessableFields({ database: message('errors.report.databaseMissing', 'Database does not exist') })
  return row
}

/** Runs the SQL of an alert as SQL Lab would for the principal. */
async function readSql(
  deps: ChartDeps,
  { database_id, sql: text }: AlertCondition,
  principal: Principal,
  signal: AbortSignal,
): Promise<Answer> {
  const database = await findDatabase(deps, principal, database_id)
  const userSql = { sql: text ?? '', templateParams: null, name: '', schema: null, catalog: null }
  const prepared = await prepareUserSql(deps, { principal, signal }, database, userSql)
  const [statement, ...others] = prepared.inspection.statements
  if (!statement || others.length > 0 || !isReadOnly(prepared.inspection))
    throw new AppError('sql_not_allowed', {
      message: message('errors.report.oneQuery', 'The SQL of an alert must be one query that only reads.'),
    })
  const canLimit = prepared.source.kind !== 'embedded' && statement.kind === 'select'
  const plan: Plan = {
    source: prepared.source,
    statements: [
      {
        name: 'condition',
        text: canLimit ? spliceLimit(prepared.sql, statement, maxRows) : prepared.sql.slice(...statement.span),
        values: [],
      },
    ],
    joins: [],
    steps: [],
    columns: [],
    encode,
    limits: { ...defaultLimits, rows: maxRows, timeoutMs: deps.settings.config.SQLLAB_TIMEOUT * 1000 },
    guard: 'user-sql',
  }
  const { header, body } = await deps.runners.run(plan, signal).catch((error: unknown) => {
    throw redactDatabaseError(error, principal, database)
  })
  return { header, rows: JSON.parse(body.toString()) as Row[] }
}

/**
 * The part of a form that limits rows to a time range, by the time column of the dataset.
 * @throws AppError `unprocessable` for a dataset without one: the range would be ignored
 */
async function rangeOf({ db }: ChartDeps, { dataset, time_range }: AlertMetric): Promise<object> {
  if (!time_range || time_range === 'No filter') return {}
  const row = await db.selectFrom('dataset').select('main_dttm_col').where('id', '=', dataset).executeTakeFirst()
  if (!row?.main_dttm_col)
    throw unprocessableFields({
      extra: [
        message(
          'errors.report.noTimeColumn',
          'The dataset has no default time column for the time range. Choose one in the dataset, or add a filter.',
        ),
      ],
    })
  return { time_range, granularity_sqla: row.main_dttm_col }
}

/** Queries the metric as a chart with one number would, so that the row-level security rules of the dataset apply. */
async function readMetric(
  deps: ChartDeps,
  condition: AlertMetric,
  principal: Principal,
  signal: AbortSignal,
): Promise<Answer> {
  const { dataset, metric, adhoc_filters = [] } = condition
  const form = {
    viz_type: 'big_number_total',
    datasource: `${dataset}__table`,
    metric,
    adhoc_filters,
    ...(await rangeOf(deps, condition)),
  }
  const context = readQueryContext(
    buildQueryContext((await loadChart(form.viz_type)) ?? unknownChart(form.viz_type), form, { force: true }),
  )
  const resolved = await resolveQuery(context, deps, principal)
  const { run } = await runQuery(resolved, context.queries[0]!, encode, 'results', signal)
  return { header: run.header, rows: JSON.parse(run.body.toString()) as Row[] }
}

/**
 * Evaluates the condition of an alert now, with the rights and rows of the principal; nothing comes from the cache.
 * @throws AppError `unprocessable` with the field `sql` for several rows or columns, and for text where a number is compared; what
 * SQL Lab or a chart refuses
 */
export async function evaluateCondition(
  deps: ChartDeps,
  condition: AlertCondition,
  principal: Principal,
  signal: AbortSignal,
): Promise<ReportConditionResult> {
  const { metric, validator_type } = condition
  const { header, rows } = metric
    ? await readMetric(deps, metric, principal, signal)
    : await readSql(deps, condition, principal, signal)
  const refuse = (text: ReturnType<typeof message>) => unprocessableFields({ sql: [text] })
  if (rows.length > 1)
    throw refuse(message('errors.report.severalRows', 'Alert query returned more than one row. Return one value.'))
  if (header.columns.length > 1)
    throw refuse(
      message('errors.report.severalColumns', 'Alert query returned more than one column. {count} columns returned', {
        count: header.columns.length,
      }),
    )
  const row = rows[0] ?? null
  const value = row ? (Object.values(row)[0] ?? null) : null
  if (validator_type === 'operator' && value !== null && toNumber(value) === null)
    throw refuse(message('errors.report.noNumber', 'Alert query returned a non-number value.'))
  return { value: toNumber(value), row, is_triggered: isTriggered(value, condition) }
}
