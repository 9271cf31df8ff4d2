import { engineOf } from '@parquetry/engines'
import { AppError, defaultLimits, type QueryObject, type ResultType } from '@parquetry/model'
import { isKnownDifference, readReference, referenceDatasets, type RecordedCase } from '@parquetry/testing'
import { describe, expect, it } from 'vitest'
import { readQueryContext } from '../read/read-query-context.ts'
import { restrict } from '../row-level-security.ts'
import { ansi } from '../sql/dialect.ts'
import { plan, type QueryPlan } from './plan.ts'

/** Results for which the reference needs its database, template engine or store. */
const decidedElsewhere = [
  /^annotation: (chart missing|NATIVE missing layer)$/,
  /jinja/,
  /^bad: datasource unknown id$/,
  /^form post/,
  /^not logged in$/,
  /^extras.where: syntax error$/,
  /^orderby: column not selected, grouped$/,
  /^grain: P1Y on (v_dates.d_text|gapminder.year)/,
]
const datasets = referenceDatasets('postgresql', 'public')
const dialect = engineOf('postgresql')?.dialect ?? ansi
const today = '2026-04-15'

function planAll(body: unknown): { query: QueryObject; planned: QueryPlan | null }[] {
  const name = (body as { datasource?: { id?: { $dataset?: string } } }).datasource?.id?.$dataset
  const context = readQueryContext(withIds(body))
  const dataset = datasets.get(name ?? '')
  if (!dataset) throw new Error(`no dataset ${name}`)
  return context.queries.map((query) => {
    const resultType = (query.result_type ?? context.result_type ?? 'full') as ResultType
    if (resultType === 'columns' || resultType === 'timegrains') return { query, planned: null }
    const planned = plan(restrict(query, dataset, { rlsRules: [] }), dataset, {
      now: `${today}T12:34:56`,
      source: { kind: 'network', engine: 'postgresql', id: 'lab', settings: {}, schema: null },
      encode: { as: 'rows', times: 'ms' },
      limits: defaultLimits,
      dialect,
      settings: { ROW_LIMIT: 50_000, SQL_MAX_ROW: 100_000, SAMPLES_ROW_LIMIT: 1000, ALLOW_ADHOC_SUBQUERY: false },
      resultType,
      expressions: new Map([['UPPER(nope)', 'invalid']]),
    })
    return { query, planned }
  })
}

/** Assigns ids to datasets and saved objects; any number works here. */
const withIds = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === 'object' && value !== null && ('$dataset' in value || '$saved' in value) ? 7 : value,
  )

interface Entry {
  status?: string
  query?: string
  colnames?: string[]
  data?: unknown
  from_dttm?: unknown
  to_dttm?: unknown
  applied_filters?: unknown
  rejected_filters?: unknown
}

const fits = (given: number | null, recorded: unknown) =>
  recorded === '$any' ? given === Date.parse(`${today}T00:00:00Z`) : given === recorded

/** Compares the parts of the response that are known before a runner has run the plan. */
function expectEntry(
  { query, planned }: { query: QueryObject; planned: QueryPlan | null },
  entry: Entry | undefined,
  isShaped: boolean,
) {
  if (!planned || !entry || !('applied_filters' in entry) || entry.status === 'failed') return
  expect(planned.applied_filters).toEqual(entry.applied_filters)
  expect(planned.rejected_filters).toEqual(entry.rejected_filters)
  if (entry.query !== '$any') {
    expect([planned.from_dttm, planned.to_dttm]).toSatisfy(
      () => fits(planned.from_dttm, entry.from_dttm) && fits(planned.to_dttm, entry.to_dttm),
    )
  }
  const hasRows = (entry.colnames ?? []).length > 0
  if (!hasRows || query.post_processing?.length || isShaped) return
  const offsets = planned.plan.joins.flatMap(({ offset, metrics }) => metrics.map((metric) => `${metric}__${offset}`))
  const names = [...planned.plan.columns.map(({ name }) => name), ...offsets]
  expect(names.toSorted()).toEqual(entry.colnames?.toSorted())
}

describe.each(['chart-data.json', 'post-processing.json'])('%s', (file) => {
  const cases = readReference<RecordedCase>(file).filter(
    ({ name, request }) =>
      request.body && request.path.startsWith('/api/v1/chart/data') && !isKnownDifference(file, name),
  )
  const planned = cases.filter(({ name }) => !decidedElsewhere.some((pattern) => pattern.test(name)))

  it.each(planned.filter(({ status }) => status === 200))('plans: $name', ({ request, response }) => {
    const entries = response['result'] as Entry[] | undefined
    const isShaped = (request.body as { result_type?: string }).result_type === 'post_processed'
    planAll(request.body).forEach((one, index) => expectEntry(one, entries?.[index], isShaped))
  })

  const isOfStep = ({ status }: RecordedCase) => file === 'post-processing.json' && status >= 500
  const refused = planned.filter((one) => one.status >= 400 && !isOfStep(one))
  it.each(refused)('rejects as recorded: $name', ({ request, status, response }) => {
    let error: unknown
    try {
      planAll(request.body)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(AppError)
    if (status >= 500) return
    expect((error as AppError).status).toBe(status)
    expect((error as AppError).message).toBe(response['message'])
  })
})
