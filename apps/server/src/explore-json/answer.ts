import type { LayeredType } from '@parquetry/charts/legacy'
import { AppError, saidByDatabase } from '@parquetry/model'
import { readForm, type ChartForm } from '@parquetry/charts'
import { annotationAnswers, annotationData } from '../chart/annotations.ts'
import { shapeOf, withData } from '../chart/envelope.ts'
import type { QueryRun } from '../chart/run-query.ts'
import { runQuery } from '../chart/run-query.ts'
import { typedError } from '../http/errors.ts'
import { answeredForm } from './older-form.ts'
import type { OlderQuestion, Part } from './older-question.ts'

/** The answer without `data`, in the order of the API. */
interface Payload {
  cache_key: string | null
  cached_dttm: string | null
  cache_timeout: number
  errors: object[]
  form_data: ChartForm
  is_cached: boolean
  query: string
  from_dttm: number | null
  to_dttm: number | null
  status: 'success' | 'failed'
  stacktrace: null
  rowcount: number
  colnames: (string | readonly unknown[])[] | null
  coltypes: number[] | null
  applied_filters: { column: string }[]
  rejected_filters: { column: string; reason: string }[]
  annotation_data?: Record<string, unknown>
}

export interface OlderAnswer {
  status: 200 | 400
  body: Buffer
}

/** Failures of the question that are told in the answer; all others fail the call. */
const told = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && error.code !== 'query_timeout' && error.code !== 'query_stopped'

/** What the older call gives for a form; a question that fails is an answer too, with the status 400. */
export async function answerOlder(asked: OlderQuestion, signal: AbortSignal): Promise<OlderAnswer> {
  try {
    return { status: 200, body: await answered(asked, signal) }
  } catch (error) {
    if (!told(error)) throw error
    return {
      status: 400,
      body: Buffer.from(JSON.stringify({ ...empty(asked), status: 'failed', errors: [entryOf(error)] })),
    }
  }
}

const empty = ({ question, form }: OlderQuestion): Payload => ({
  cache_key: null,
  cached_dttm: null,
  cache_timeout: question.cacheTimeout,
  errors: [],
  form_data: answeredForm(form),
  is_cached: false,
  query: '',
  from_dttm: null,
  to_dttm: null,
  status: 'success',
  stacktrace: null,
  rowcount: 0,
  colnames: null,
  coltypes: null,
  applied_filters: [],
  rejected_filters: [],
})

/** What a database says has its own type; whatever else is wrong with a question is of one. */
function entryOf(error: AppError): object {
  const message = error.message.replace(/^Error: /, '').replace(/^(Columns missing in) dataset/, '$1 datasource')
  const entry = typedError(error)
  return saidByDatabase.has(error.code)
    ? { ...entry, message }
    : { message, error_type: 'VIZ_GET_DF_ERROR', level: 'error', extra: null }
}

async function answered(asked: OlderQuestion, signal: AbortSignal): Promise<Buffer> {
  const { question, type, parts } = asked
  const [first] = parts
  if ('ofLayers' in type) return layered(asked, type, signal)
  const run = ({ query, encode }: Part) => runQuery(question, query, encode, 'full', signal)
  if (parts.length === 1 && first?.name === null) {
    const [one, annotation_data] = await Promise.all([run(first), annotationData(question, first.query, signal)])
    const hasLayers = Object.keys(annotation_data).length > 0
    return withData({ ...payloadOf(asked, one), ...(hasLayers && { annotation_data }) }, one.run.body)
  }
  const runs = await Promise.all(parts.map(async (part) => ({ name: part.name ?? '', ...(await run(part)) })))
  const query = runs.map(({ queryText }) => queryText).join('\n\n')
  return withData({ ...empty(asked), query }, partsOf(runs))
}

/** What the charts that the form names hold; why one of them could not be read stands among the errors. */
async function layered(asked: OlderQuestion, type: LayeredType, signal: AbortSignal): Promise<Buffer> {
  const { question, form, parts } = asked
  const { data = {}, errors = {} } = (await annotationAnswers(question, parts[0]!.query, signal)) ?? {}
  const said = Object.values(errors).map((message) => ({
    message,
    error_type: 'VIZ_GET_DF_ERROR',
    level: 'error',
    extra: null,
  }))
  const json = JSON.stringify(type.ofLayers(data, readForm(form)))
  return withData({ ...empty(asked), errors: said }, Buffer.from(json))
}

/** `{"name":part,...}` of finished bytes. */
function partsOf(runs: readonly { name: string; run: { body: Buffer } }[]): Buffer {
  const pieces = runs.flatMap(({ name, run }, at) => [
    Buffer.from(`${at > 0 ? ',' : ''}${JSON.stringify(name)}:`),
    run.body,
  ])
  return Buffer.concat([Buffer.from('{'), ...pieces, Buffer.from('}')])
}

function payloadOf(asked: OlderQuestion, { run, queryText, ...said }: QueryRun): Payload {
  const { rowcount, colnames, coltypes } = shapeOf(run.header, asked.question.dataset)
  return {
    ...empty(asked),
    cache_key: run.key,
    cached_dttm: run.isCached ? run.cachedAt : null,
    is_cached: run.isCached,
    query: queryText,
    from_dttm: said.from_dttm,
    to_dttm: said.to_dttm,
    rowcount,
    colnames: rowcount === 0 ? [] : colnames,
    coltypes,
    applied_filters: said.applied_filters,
    rejected_filters: said.rejected_filters,
  }
}
