import { type ChartForm, datasourceOf, readForm } from '@parquetry/charts'
import { type Ends, legacyQuery, type LegacyType, legacyType } from '@parquetry/charts/legacy'
import { AppError, message, type Encoding, type QueryObject } from '@parquetry/model'
import { localIso, readQueryContext, resolveTimeRange } from '@parquetry/query'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { openQuestion } from '../chart/open-question.ts'
import { Rests } from '../concurrency/rests.ts'
import type { Question } from '../chart/question.ts'
import { hasDatasource } from './read-request.ts'
import { olderForm } from './older-form.ts'

/** Each of them occupies a database, and filters of the form are read for each of them. */
const mostParts = 100

/** A form that its asker may ask. */
export interface OlderQuestion {
  question: Question
  /** As it is answered, dashboard filters among its own. */
  form: ChartForm
  type: LegacyType
  /** One for each part of `data`; of most types there is one. */
  parts: Part[]
}

export interface Part {
  /** Its name in `data`; null where it is all of it. */
  name: string | null
  query: QueryObject
  encode: Encoding
}

/**
 * Opens a form of an older type: whose dataset it is and whether he may read it comes before what is wrong with the form.
 * @throws AppError `no_dataset`, `dataset_not_found`, `dataset_access`, `bad_request`, `invalid_query`
 */
export async function openOlder(
  given: ChartForm,
  force: boolean,
  deps: ChartDeps,
  principal: Principal,
): Promise<OlderQuestion> {
  if (!hasDatasource(given)) throw new AppError('no_dataset')
  const type = legacyType(given['viz_type'])
  const form = olderForm(given, type?.adds?.(given))
  const datasource = datasourceOf(form)
  const context = { datasource, queries: [], force, form_data: form }
  const question = await openQuestion(context, deps, principal).catch((error: unknown) => {
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
  const ends = endsOf(form, deps)
  const forms = 'parts' in type && type.parts ? Object.entries(type.parts(readForm(form))) : [[null, form] as const]
  if (forms.length > mostParts)
    throw new AppError('bad_request', {
      message: message('errors.exploreJson.tooManyParts', 'A chart can request up to {max, number} lists at once.', {
        max: mostParts,
      }),
    })
  const rests = new Rests()
  const parts: Part[] = []
  for (const [name, one] of forms) {
    await rests.rest()
    const { queries } = readQueryContext({ ...context, queries: [legacyQuery(type, one, ends)] })
    parts.push({ name, query: queries[0]!, encode: { as: 'legacy', form: shapingForm(one), ends } })
  }
  return { question, form, type, parts }
}

/** What neither asks nor filters: forms that differ in the rest are kept as one answer. */
function shapingForm(form: ChartForm): ChartForm {
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

function endsOf(form: ChartForm, { now, settings }: ChartDeps): Ends {
  const range = form['time_range']
  const { since, until } = resolveTimeRange(typeof range === 'string' ? range : undefined, {
    now: localIso(now().getTime(), settings.timeZone),
  })
  const ms = (iso: string | null) => (iso === null ? null : Date.parse(`${iso}Z`))
  return { from: ms(since), to: ms(until) }
}
