import {
  AppError,
  defaultLimits,
  resultTypes,
  type Dataset,
  type Encoding,
  type Plan,
  type QueryContext,
  type QueryObject,
  type ResultType,
  type Source,
} from '@parquetry/model'
import { localIso, plan, restrict, type PlanContext, type Planned, type RowRule } from '@parquetry/query'
import { asDataset, describeDataset, type StoredDataset } from '../dataset/describe.ts'
import { runCached, type CachedRun } from '../cache/run-cached.ts'
import { engineFor, sourceOf, type DatabaseRow } from '../database/source.ts'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'
import { rowRulesFor } from '../security/row-rules.ts'
import { datasetOfQuery } from '../sqllab/dataset-of-query.ts'
import { readOnce } from '../store/kept-reads.ts'

/** A query context whose rights are checked, with everything that its queries need. */
export interface Question {
  context: QueryContext
  dataset: Dataset
  stored: StoredDataset
  database: DatabaseRow
  source: Source
  principal: Principal
  rowRules: RowRule[]
  /** Seconds that an answer may be kept. */
  cacheTimeout: number
  deps: Deps
}

/** Reading the text of a run again. */
const inspectMs = 10_000

/** This call says so in other words than those of datasets. */
const notFound = () => new AppError('dataset_not_found', { message: 'Not found' })

/**
 * Opens a query context for a principal: its dataset, the rules that hold for him, and where it runs.
 * @throws AppError `dataset_not_found`, `dataset_access`
 */
export async function openQuestion(context: QueryContext, deps: Deps, principal: Principal): Promise<Question> {
  const { id, type = 'table' } = context.datasource
  if (type !== 'table' && type !== 'dataset' && type !== 'query') throw notFound()
  const via = viaOf(context)
  const sliceId = number(context.form_data?.['slice_id'])
  const found = await readOnce(deps.db, principal, JSON.stringify([type, id, via, sliceId]), () =>
    type === 'query' ? findQuery(deps, principal, Number(id)) : findQuestion(deps, principal, { id, via, sliceId }),
  )
  const { chart, ...opened } = found
  const cacheTimeout =
    context.custom_cache_timeout ??
    chart?.cache_timeout ??
    opened.stored.row.cache_timeout ??
    opened.database.cache_timeout ??
    deps.settings.config.CACHE_DEFAULT_TIMEOUT
  return { ...opened, context, principal, cacheTimeout, deps }
}

interface Asked {
  id: number | string
  via: ReturnType<typeof viaOf>
  sliceId: number | null
}

/** What the store knows of a question. A dashboard asks for the same twenty times, so it is read once. */
async function findQuestion(deps: Deps, principal: Principal, { id, via, sliceId }: Asked) {
  const { db } = deps
  const access = { db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
  const opened = await describeDataset(access, await datasetIdOf(db, id), via).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'dataset_not_found' ? notFound() : error
  })
  const [source, rowRules, chart] = await Promise.all([
    sourceOf(deps, opened.database, opened.dataset.schema),
    rowRulesFor(db, principal, opened.dataset.id),
    chartOf(db, sliceId),
  ])
  return { ...opened, source, rowRules, chart }
}

/** The same of a run of SQL Lab, whose row rules stand in its text where they hold. */
async function findQuery(deps: Deps, principal: Principal, id: number): ReturnType<typeof findQuestion> {
  const stored = await datasetOfQuery(deps, { principal, signal: AbortSignal.timeout(inspectMs) }, id)
  const { database, row } = stored
  const source = await sourceOf(deps, database, row.schema, row.catalog)
  return { dataset: asDataset(stored), database, stored, source, rowRules: [], chart: undefined }
}

/** The plan of one of the question's queries. @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery` */
export const planOf = ({ dataset, rowRules }: Question, query: QueryObject, context: PlanContext): Planned =>
  plan(restrict(query, dataset, { rowRules }), dataset, context)

/** The answer to one of the question's plans, from the cache where it may come from there. */
export const runPlan = (
  { deps, database, cacheTimeout, context, principal }: Question,
  asked: Plan,
  signal: AbortSignal,
): Promise<CachedRun> =>
  runCached(asked, deps, {
    connectionVersion: database.version,
    actsAs: database.impersonate_user === 1 ? principal.username : null,
    timeoutSeconds: cacheTimeout,
    force: context.force === true,
    signal,
  })

/** What planning needs besides the query: where and when it runs, how it is encoded, and within which limits. */
export function planContext(
  { source, database, deps, context: { form_data } }: Question,
  encode: Encoding,
  resultType: ResultType,
): PlanContext {
  const { config, flags, timeZone } = deps.settings
  return {
    now: localIso(deps.now().getTime(), timeZone),
    source,
    encode,
    limits: { ...defaultLimits, timeoutMs: config.SUPERSET_WEBSERVER_TIMEOUT * 1000 },
    dialect: engineFor(database).dialect,
    settings: {
      ROW_LIMIT: config.ROW_LIMIT,
      SQL_MAX_ROW: config.SQL_MAX_ROW,
      SAMPLES_ROW_LIMIT: config.SAMPLES_ROW_LIMIT,
      ALLOW_ADHOC_SUBQUERY: flags['ALLOW_ADHOC_SUBQUERY'] === true,
    },
    resultType,
    form: form_data ?? null,
  }
}

/** A query's own result type, else the context's. */
export const resultTypeOf = (context: QueryContext, query: QueryObject): ResultType =>
  resultTypes.find((type) => type === (query.result_type ?? context.result_type)) ?? 'full'

const number = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) ? value : null)

/** The chart and dashboard that a request says it comes from. */
function viaOf({ form_data }: QueryContext): { dashboardId: number; sliceId: number } | null {
  const dashboardId = number(form_data?.['dashboardId'])
  const sliceId = number(form_data?.['slice_id'])
  return dashboardId !== null && sliceId !== null ? { dashboardId, sliceId } : null
}

async function chartOf(db: Deps['db'], id: number | null): Promise<{ cache_timeout: number | null } | undefined> {
  return id === null
    ? undefined
    : db.selectFrom('chart').select('cache_timeout').where('id', '=', id).executeTakeFirst()
}

async function datasetIdOf(db: Deps['db'], id: number | string): Promise<number> {
  if (typeof id === 'number' || /^\d+$/.test(id)) return Number(id)
  const row = await db.selectFrom('dataset').select('id').where('uuid', '=', id).executeTakeFirst()
  return row?.id ?? -1
}
