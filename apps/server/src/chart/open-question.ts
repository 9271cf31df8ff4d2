import type { QueryContext } from '@parquetry/model'
import { plannerDataset } from '../dataset/describe.ts'
import { sourceOf } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import { datasetOfQuery } from '../sqllab/dataset-of-query.ts'
import { readOnce } from '../store/kept-reads.ts'
import { openDataset, notFound, type OpenedDataset, type Origin } from '../dataset/open-dataset.ts'
import type { ChartDeps } from './deps.ts'
import type { Question } from './question.ts'
import { checkValuesQuestion } from './values-question.ts'

/** Reading the text of a run again. */
const inspectMs = 10_000

/**
 * Opens a query context for a principal: its dataset, the rules that hold for him, and where it runs.
 * @throws AppError `dataset_not_found`, `dataset_access`
 */
export async function openQuestion(context: QueryContext, deps: ChartDeps, principal: Principal): Promise<Question> {
  const { id, type = 'table' } = context.datasource
  if (type !== 'table' && type !== 'dataset' && type !== 'query') throw notFound()
  const origin = originOf(context)
  const { chart, ...opened } =
    type === 'query' ? await findQuery(deps, principal, Number(id)) : await openDataset(deps, principal, id, origin)
  if (type !== 'query' && origin.via && 'filterId' in origin.via)
    await checkValuesQuestion(deps, principal, opened.dataset.id, origin.via, context)
  const cacheTimeout =
    context.custom_cache_timeout ??
    chart?.cache_timeout ??
    opened.stored.row.cache_timeout ??
    opened.database.cache_timeout ??
    deps.settings.config.CACHE_DEFAULT_TIMEOUT
  return { ...opened, context, principal, cacheTimeout, deps }
}

/** The same of a run of SQL Lab, whose row rules stand in its text where they hold. */
const findQuery = (deps: ChartDeps, principal: Principal, id: number): Promise<OpenedDataset> =>
  readOnce(deps.db, principal, JSON.stringify(['query', id]), async () => {
    const stored = await datasetOfQuery(deps, { principal, signal: AbortSignal.timeout(inspectMs) }, id)
    const { database, row } = stored
    const source = await sourceOf(deps, database, principal, row.schema, row.catalog)
    return { dataset: plannerDataset(stored), database, stored, source, rowRules: [], chart: undefined }
  })

function originOf({ form_data }: QueryContext): Origin {
  const dashboardId = number(form_data?.['dashboardId'])
  const sliceId = number(form_data?.['slice_id'])
  const filterId = form_data?.['native_filter_id']
  if (form_data?.['type'] === 'NATIVE_FILTER' && typeof filterId === 'string' && dashboardId !== null)
    return { via: { dashboardId, filterId }, sliceId: null }
  return { via: dashboardId !== null && sliceId !== null ? { dashboardId, sliceId } : null, sliceId }
}

const number = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
