import { buildQueryContext, namedQueries, type AnyChart, type ChartForm } from '@parquetry/charts'
import { concat, frameOf, type Frame } from '@parquetry/frame'
import type { DashboardStreamHead, QueryContext, QueryHead } from '@parquetry/model'
import { useQuery } from '@tanstack/react-query'
import { api, send } from '../shared/api.ts'
import { ApiError } from '../shared/errors.ts'
import { framesType, messagesOf } from '../shared/message-stream.ts'

export interface ChartResult {
  /** Under the names of the chart's `queries`. */
  frames: Record<string, Frame>
  heads: QueryHead[]
  /** The form that was asked. */
  form: ChartForm
  ms: number
}

/** The answer to a form; asked once per form and `round`, and cancelled down to the engine when another form is asked. */
export const useChartData = (
  chart: AnyChart | undefined,
  form: ChartForm,
  state: Record<string, unknown>,
  round: number,
  enabled: boolean,
) =>
  useQuery({
    queryKey: ['chart-data', chart?.viz_type, queryOf(chart, form, state), round],
    queryFn: ({ signal }) => ask(chart as AnyChart, form, state, round > 0, signal),
    enabled: enabled && chart !== undefined,
    placeholderData: (before) => before,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })

/** The question without what only draws, so that a change of the look asks nothing. */
function queryOf(chart: AnyChart | undefined, form: ChartForm, state: Record<string, unknown>): unknown {
  if (!chart) return null
  const { form_data: _, ...question } = buildQueryContext(chart, form, { state })
  return question
}

async function ask(
  chart: AnyChart,
  form: ChartForm,
  state: Record<string, unknown>,
  force: boolean,
  signal: AbortSignal,
): Promise<ChartResult> {
  const since = performance.now()
  const body = buildQueryContext(chart, form, { state, force })
  const response = await send('POST', '/api/v1/chart/data', { body, signal, accept: framesType })
  const answers: { head: QueryHead; frames: Frame[] }[] = []
  const names = Object.keys(namedQueries(chart, form, state))
  for await (const { head, frame } of messagesOf(response)) {
    const message = head as DashboardStreamHead
    if (message.type === 'error')
      throw new ApiError(400, message.error.message, [
        {
          message: message.error.message,
          error_type: 'GENERIC_DB_ENGINE_ERROR',
          level: 'error',
          extra: message.error.details,
        },
      ])
    if (message.type === 'frame' && message.chart !== undefined) answers.push({ head: message, frames: [] })
    if (frame) answers.at(-1)?.frames.push(frame)
  }
  const frames = Object.fromEntries(
    answers.map(({ head, frames: parts }) => [names[head.query] ?? head.name, wholeOf(head, parts)]),
  )
  return { frames, heads: answers.map(({ head }) => head), form, ms: performance.now() - since }
}

const wholeOf = ({ header }: QueryHead, parts: Frame[]): Frame =>
  parts.length > 0 ? concat(parts) : frameOf(Object.fromEntries(header.columns.map(({ name }) => [name, []])))

/** The SQL of a question, asked only while it is looked at. */
export const useQueryText = (context: QueryContext | null) =>
  useQuery({
    queryKey: ['chart-query', context],
    queryFn: async ({ signal }) => {
      const { result } = await api.post<{ result: { query?: string; error?: string }[] }>('/api/v1/chart/data', {
        body: { ...context, result_type: 'query', result_format: 'json' },
        signal,
      })
      return result.map(({ query, error }) => error ?? query ?? '').join('\n\n')
    },
    enabled: context !== null,
  })

/** Rows of the dataset behind the chart, asked only while they are looked at. */
export const useSamples = (context: QueryContext | null) =>
  useQuery({
    queryKey: ['chart-samples', context],
    queryFn: async ({ signal }) => {
      const body = { ...context, result_type: 'samples', result_format: 'json' }
      const { result } = await api.post<{ result: { data: Record<string, unknown>[]; colnames: string[] }[] }>(
        '/api/v1/chart/data',
        { body, signal },
      )
      const [first] = result
      return frameOf(
        Object.fromEntries(
          (first?.colnames ?? []).map((name) => [name, (first?.data ?? []).map((row) => row[name] as never)]),
        ),
      )
    },
    enabled: context !== null,
  })
