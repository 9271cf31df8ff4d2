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

/** Limit of parts: each occupies a database, and the filters of the form are read for each. */
const maxParts = 100

/** A form that the caller may query. */
export interface ResolvedLegacyQuery {
  resolvedQuery: ResolvedQuery
  /** The form as returned, including dashboard filters. */
  form: ChartForm
  type: LegacyType
  /** One entry for each part of `data`; most types have one. */
  parts: LegacyQueryPart[]
}

export interface LegacyQueryPart {
  /** Name in `data`; null when the part is all of `data`. */
  name: string | null
  query: QueryObject
  encode: Encoding
}

/**
 * Opens a form of an older type. Access to its dataset is checked before errors in the form are reported.
 * @throws AppError `no_dataset`, `dataset_not_found`, `dataset_access`, `bad_request`, `invalid_query`
 */
export async function resolveLegacyQuery(
  input: ChartForm,
  force: boolean,
  deps: ChartDeps,
  principal: Principal,
): Promise<ResolvedLegacyQuery> {
  if (!hasDatasource(input)) throw new AppError('no_dataset')
  const type = legacyType(input['viz_type'])
  const form = toLegacyForm(input, type?.extraFilters?.(input))
  const datasource = parseDatasource(form)
  const context = { datasource, queries: [], force, form_data: form }
  const resolved = await resolveQuery(context, deps, principal).catch((error: unknown) => {
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
        { type: JSON.stringify(input['viz_type'] ?? null) },
      ),
    })
  const range = resolveTimeBounds(form, deps)
  const forms =
    'subforms' in type && type.subforms ? Object.entries(type.subforms(readForm(form))) : [[null, form] as const]
  if (forms.length > maxParts)
    throw new AppError('bad_request', {
      message: message('errors.exploreJson.tooManyParts', 'A chart can request up to {max, number} lists at once.', {
        max: maxParts,
      }),
    })
  const yielder = new EventLoopYielder()
  const parts: LegacyQueryPart[] = []
  for (const [name, subform] of forms) {
    await yielder.yieldIfDue()
    const { queries } = readQueryContext({ ...context, queries: [legacyQuery(type, subform, range)] })
    parts.push({ name, query: queries[0]!, encode: { as: 'legacy', form: pickShapingFields(subform), range } })
  }
  return { resolvedQuery: resolved, form, type, parts }
}

/** Removes fields that do not shape the result, so that forms that differ only in them share one cached result. */
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
