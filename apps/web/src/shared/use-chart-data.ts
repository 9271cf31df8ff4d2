import { ApiError } from '@parquetry/client'
import { buildQueryContext, namedQueries, type AnyChart, type ChartForm } from '@parquetry/charts'
import type { Frame } from '@parquetry/frame'
import {
  errorCodes,
  databaseMessageCodes,
  type AnnotationLayer,
  type QueryContext,
  type QueryHead,
  type WireError,
} from '@parquetry/model'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from './api.ts'
import type { ChartFrameState } from './ChartFrame.tsx'
import { messageOf } from './errors.ts'
import { readFrameResults } from './frame-results.ts'
import { framesType } from './message-stream.ts'
import { readRefusedCall, type ServerRefusal } from './refusal.ts'

export interface ChartResult {
  /** By the names of the chart's `queries`. */
  frames: Record<string, Frame>
  heads: QueryHead[]
  /** The queried form. */
  form: ChartForm
  ms: number
}

export interface ChartData {
  /** The last result; it stays while the next one loads or fails. */
  result: ChartResult | undefined
  state: ChartFrameState
  /** Cancels the request, down to the engine. */
  stop(): void
  /** Queries again, bypassing the cache. */
  refresh(): void
}

interface Options {
  /** The chart's own part of the data mask: page and sort of a table. */
  state: Record<string, unknown>
  enabled: boolean
  /** The first request bypasses the cache (EXP-014). */
  force: boolean
}

/** Fetches the result of a form, once per form; a changed form cancels the query down to the engine. */
export function useChartData(chart: AnyChart, form: ChartForm, { state, enabled, force }: Options): ChartData {
  const queries = useQueryClient()
  const requestKey = buildRequestKey(chart, form, state)
  const [forced, setForced] = useState(() => ({ requestKey: force ? requestKey : '', round: 1 }))
  const [stopped, setStopped] = useState<string | null>(null)
  const [since, setSince] = useState<number | null>(null)
  const isForced = forced.requestKey === requestKey
  const known = useRef<ReadonlySet<string> | null>(null)
  const queryKey = ['chart-data', requestKey, isForced ? forced.round : 0]
  const isStopped = stopped === requestKey
  const [last, setLast] = useState<ChartResult | undefined>(undefined)

  const [refused, setRefused] = useState<(ServerRefusal & { requestKey: string }) | null>(null)
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      setSince(Date.now())
      setRefused(null)
      const body = withNewLayers(buildQueryContext(chart, form, { state, force: isForced }), known.current)
      const answer = await fetchChartResult(body, chart, form, state, signal).catch((failure: unknown) => {
        const refusal = readRefusedCall(failure)
        if (refusal && !signal.aborted) setRefused({ ...refusal, requestKey })
        throw failure
      })
      known.current = new Set(layersOf(body).map(layerKey))
      return answer
    },
    enabled: enabled && !isStopped,
    staleTime: Infinity,
    gcTime: 0,
    retry: (_, failure) => readRefusedCall(failure) !== null,
    retryDelay: (_, failure) => (readRefusedCall(failure)?.retryAt ?? 0) - Date.now(),
    refetchOnWindowFocus: false,
  })
  const refusal = isFetching && refused?.requestKey === requestKey ? refused : null

  if (data && data !== last) setLast(data)
  return {
    result: data ?? last,
    state: {
      phase: isStopped ? 'stopped' : refusal ? 'failed' : isFetching ? 'loading' : isError ? 'failed' : 'ready',
      error: refusal ? refusal.error : isError ? toWireError(error) : null,
      since: isFetching ? since : null,
      ...(refusal && { retryAt: refusal.retryAt }),
    },
    stop: () => {
      setStopped(requestKey)
      void queries.cancelQueries({ queryKey })
    },
    refresh: () => {
      if (refusal) return void queries.cancelQueries({ queryKey }).then(() => refetch())
      setStopped(null)
      setForced(({ round }) => ({ requestKey, round: round + 1 }))
    },
  }
}

/** Serializes the query of a form without display options, so that a change of style sends no query. */
function buildRequestKey(chart: AnyChart, form: ChartForm, state: Record<string, unknown>): string {
  const { form_data: _, ...queryContext } = buildQueryContext(chart, form, { state })
  return JSON.stringify([chart.viz_type, queryContext])
}

const layersOf = ({ queries }: QueryContext): AnnotationLayer[] =>
  queries.flatMap(({ annotation_layers }) => (annotation_layers ?? []) as AnnotationLayer[])
const layerKey = ({ sourceType, value }: AnnotationLayer): string => JSON.stringify([sourceType, value])

/**
 * CHART-032: layers added since the last result bypass the cache.
 * @param known  sources of the last result's layers; null before the first
 */
export function withNewLayers(body: QueryContext, known: ReadonlySet<string> | null): QueryContext {
  if (!known || layersOf(body).every((layer) => known.has(layerKey(layer)))) return body
  const queries = body.queries.map((query) => ({
    ...query,
    annotation_layers: layersOf({ ...body, queries: [query] }).map((layer) =>
      known.has(layerKey(layer)) ? layer : { ...layer, force: true },
    ),
  }))
  return { ...body, queries }
}

/** JSON responses of the API identify by error type what a stream identifies by code. */
const accessCode = (error: unknown): WireError['code'] | undefined =>
  (['dataset_access', 'table_access', 'query_access'] as const).find(
    (code) => error instanceof ApiError && error.errors[0]?.error_type === errorCodes[code].type,
  )

/** In JSON responses, the product's own message in place of the database message identifies the failure. */
const redactedErrorCode = (error: unknown): WireError['code'] | undefined =>
  [...databaseMessageCodes].find((code) => messageOf(error) === `Error: ${errorCodes[code].message}`)

/** In JSON responses, only the status tells that the query itself is invalid. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && error.errors.length === 0

/** Converts an error of a call for chart frames. */
export function toWireError(error: unknown): WireError {
  const details = error instanceof ApiError ? (error.errors[0]?.extra ?? {}) : {}
  const code = details['code'] ?? accessCode(error) ?? redactedErrorCode(error)
  const isKnown = typeof code === 'string' && code in errorCodes
  return {
    code: isKnown ? (code as WireError['code']) : isRefusal(error) ? 'invalid_query' : 'internal',
    message: messageOf(error),
    details,
    ...(error instanceof ApiError && { status: error.status }),
  }
}

async function fetchChartResult(
  body: QueryContext,
  chart: AnyChart,
  form: ChartForm,
  state: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ChartResult> {
  const since = performance.now()
  const response = await api.send('POST', '/api/v1/chart/data', { body, signal, accept: framesType })
  return readChartResult(response, chart, form, state, since)
}

/** Reads the response to a chart's query, by the names of its queries. @throws ApiError */
export async function readChartResult(
  response: Response,
  chart: AnyChart,
  form: ChartForm,
  state: Record<string, unknown>,
  since: number,
): Promise<ChartResult> {
  const names = Object.keys(namedQueries(chart, form, state))
  const answers = await readFrameResults(response)
  const frames = Object.fromEntries(answers.map(({ head, frame }) => [names[head.query] ?? head.name, frame]))
  return { frames, heads: answers.map(({ head }) => head), form, ms: performance.now() - since }
}
