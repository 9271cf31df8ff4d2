import { type ChartForm, parseDatasource, readForm } from '@parquetry/charts'
import { type TimeBounds, legacyQuery, type LegacyType, legacyType } from '@parquetry/charts/legacy'
import { AppError, message, type Encoding, type QueryObject } from '@parquetry/model'
import { formatLocalIso, readQueryContext, resolveTimeRange } from '@parquetry/query'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { ResolvedQuery } from '../chart/resolved-query.ts'
import { hasDatasource } from './read-request.ts'
import { toLegacyForm } from './legacy-form.ts'

/** Each of them occupies a database, and filters of the form are read for each of them. */
const maxParts = 100

/** A form that its asker may ask. */
export interface ResolvedLegacyQuery {
  question: ResolvedQuery
  /** As it is answered, dashboard filters among its own. */
  form: ChartForm
  type: LegacyType
  /** One for each part of `data`; of most types there is one. */
  parts: LegacyQueryPart[]
}

export interface LegacyQueryPart {
  /** Its name in `data`; null where it is all of it. */
  name: string | null
  query: QueryObject
  encode: Encoding
}

/**
 * Opens a form of an older type: whose dataset it is and whether he may read it comes before what is wrong with the form.
 * @throws AppError `no_dataset`, `dataset_not_found`, `dataset_access`, `bad_request`, `invalid_query`
 */
export async function resolveLegacyQuery(
  given: ChartForm,
  force: boolean,
  deps: ChartDeps,
  principal: Principal,
): Promise<ResolvedLegacyQuery> {
  if (!hasDatasource(given)) throw new AppError('no_dataset')
  const type = legacyType(given['viz_type'])
  const form = toLegacyForm(given, type?.extraFilters?.(given))
  const datasource = parseDatasource(form)
  const context = { datasource, queries: [], force, form_data: form }
  const question = await resolveQuery(context, deps, principal).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'dataset_not_found') throw error
    throw new AppError('dataset_not_found', {
      message: message('errors.chart.datasourceMissing', 'Datasource does not exist'),
    })
  })
  if (!type)
    throw new AppError('bad_request', {
      message: message(
        'errors.exploreJson.chartType',
        'This endpoint does not support charts of type {type}. Use /api/v1/chart/data instead.',
        { type: JSON.stringify(given['viz_type'] ?? null) },
      ),
    })
  const ends = resolveTimeBounds(form, deps)
  const forms =
    'subforms' in type && type.subforms ? Object.entries(type.subforms(readForm(form))) : [[null, form] as const]
  if (forms.length > maxParts)
    throw new AppError('bad_request', {
      message: message('errors.exploreJson.tooManyParts', 'A chart can request up to {max, number} lists at once.', {
        max: maxParts,
      }),
    })
  const rests = new EventLoopYielder()
  const parts: LegacyQueryPart[] = []
  for (const [name, one] of forms) {
    await rests.yieldIfDue()
    const { queries } = readQueryContext({ ...context, queries: [legacyQuery(type, one, ends)] })
    parts.push({ name, query: queries[0]!, encode: { as: 'legacy', form: pickShapingFields(one), ends } })
  }
  return { question, form, type, parts }
}

/** What neither asks nor filters: forms that differ in the rest are kept as one answer. */
function pickShapingFields(form: ChartForm): ChartForm {
  const {
    datasource: _,
    slice_id,
    dashboardId,
    adhoc_filters,
    extra_form_data,
    url_params,
    applied_time_extras,
    ...rest
  } = form
  void [slice_id, dashboardId, adhoc_filters, extra_form_data, url_params, applied_time_extras]
  return rest
}

function resolveTimeBounds(form: ChartForm, { now, settings }: ChartDeps): TimeBounds {
  const range = form['time_range']
  const { since, until } = resolveTimeRange(typeof range === 'string' ? range : undefined, {
    now: formatLocalIso(now().getTime(), settings.timeZone),
  })
  const ms = (iso: string | null) => (iso === null ? null : Date.parse(`${iso}Z`))
  return { from: ms(since), to: ms(until) }
}
