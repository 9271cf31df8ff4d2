import { loadChart, type AnyChart, type ChartForm } from '@parquetry/charts'
import { encodeMessage, buildFrame } from '@parquetry/frame'
import { ApiError } from '@parquetry/client'
import { errorCodes, type QueryContext, type RunHeader } from '@parquetry/model'
import { show } from '@parquetry/ui/show.testing.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useChartData, toWireError, type ChartData } from './use-chart-data.ts'

interface Call {
  body: QueryContext
  signal: AbortSignal
  answer(bytes: Uint8Array): void
  fail(): void
  refuse(retryAfter: number): void
}
let calls: Call[] = []
/** All values returned by the hook, the latest last. */
let renders: ChartData[] = []

/** A server that responds on demand. */
beforeEach(() => {
  calls = []
  renders = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (_, { body, signal } = {}) =>
      new Promise((resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason as Error))
        calls.push({
          body: JSON.parse(body as string) as QueryContext,
          signal: signal!,
          answer: (bytes) => resolve(new Response(bytes as Uint8Array<ArrayBuffer>)),
          refuse: (retryAfter) => {
            const extra = { retryAfter, issue_codes: [{ code: 1027, message: '' }] }
            const message = 'The database is busy. Try again in a moment.'
            resolve(Response.json({ errors: [{ message, error_type: '', level: 'error', extra }] }, { status: 503 }))
          },
          fail: () => resolve(Response.json({ message: 'no such table' }, { status: 500 })),
        })
      }),
  )
})
afterEach(() => void vi.restoreAllMocks())

const header: RunHeader = {
  columns: [{ name: 'n', type: null, kind: 'number', generic: 0 }],
  rowcount: 1,
  sql_rowcount: 1,
  truncated: false,
  labelMap: null,
  indexNames: null,
  engineMs: 1,
  totalMs: 1,
  stepError: null,
}
const annotations = { data: { Gone: { records: [{ day: 1 }] } }, errors: { Lost: 'Error: The chart does not exist' } }
const rows = (...n: number[]): Uint8Array => {
  const more = { is_cached: false, cached_dttm: null, annotations }
  return encodeMessage({ type: 'frame', chart: 0, query: 0, name: 'rows', header, ...more }, buildFrame({ n }))
}

function ChartDataProbe({ chart, form }: { chart: AnyChart; form: ChartForm }) {
  const data = useChartData(chart, form, { state: {}, enabled: true, force: false })
  renders.push(data)
  return (
    <>
      <button type="button" onClick={data.stop}>
        Stop
      </button>
      <button type="button" onClick={data.refresh}>
        Refresh
      </button>
      <output aria-label="Phase">{data.state.phase}</output>
    </>
  )
}

const layer = (name: string, value: number) => ({
  name,
  annotationType: 'EVENT',
  sourceType: 'NATIVE',
  value,
  show: true,
  overrides: {},
})
const line = { viz_type: 'echarts_timeseries_line', x_axis: 'day', metrics: ['n'] }
const buildForm = (...annotation_layers: object[]): ChartForm => ({ ...line, annotation_layers })

/** Renders with one form, then with others. */
async function ask(form: ChartForm) {
  const chart = (await loadChart('echarts_timeseries_line'))!
  const client = new QueryClient()
  const part = (by: ChartForm) => (
    <QueryClientProvider client={client}>
      <ChartDataProbe chart={chart} form={by} />
    </QueryClientProvider>
  )
  const shown = await show(part(form))
  await expect.poll(() => calls.length).toBe(1)
  return { askBy: (by: ChartForm) => shown.rerender(part(by)) }
}
const phase = page.getByRole('status', { name: 'Phase' })
const last = () => renders.at(-1)!
const phases = () => renders.map(({ state }) => state.phase)

it('CHART-001: reports the start of the query, its form, result, duration and error', async () => {
  const before = Date.now()
  const { askBy } = await ask(buildForm())
  await expect.poll(() => last().state.since).toBeGreaterThanOrEqual(before)
  expect(last()).toMatchObject({ result: undefined, state: { phase: 'loading', error: null } })
  calls[0]!.answer(rows(7))
  await expect.element(phase).toHaveTextContent('ready')
  expect(last().state).toEqual({ phase: 'ready', error: null, since: null })
  const { form, frames, heads, ms } = last().result!
  expect([form, Object.values(frames).map((frame) => frame.rows)]).toEqual([buildForm(), [1]])
  expect([ms > 0, ms < Date.now() - before + 1, heads[0]?.annotations]).toEqual([true, true, annotations])

  const other = { ...buildForm(), metrics: ['m'] }
  await askBy(other)
  await expect.poll(() => calls.length).toBe(2)
  calls[1]!.fail()
  await expect.element(phase).toHaveTextContent('failed')
  expect(last().state).toMatchObject({ error: { message: 'no such table', status: 500 }, since: null })
})

it('regression: the last chart disappeared when a query failed', async () => {
  const { askBy } = await ask(buildForm())
  calls[0]!.answer(rows(7))
  await expect.element(phase).toHaveTextContent('ready')
  await askBy({ ...buildForm(), metrics: ['gone'] })
  await expect.poll(() => calls.length).toBe(2)
  expect(last()).toMatchObject({ state: { phase: 'loading' }, result: { form: buildForm() } })
  calls[1]!.fail()
  await expect.element(phase).toHaveTextContent('failed')
  expect(last().result?.form).toEqual(buildForm())
})

it('tries a refused query again when the server says, immediately on request, and not after the form changed', async () => {
  const { askBy } = await ask(buildForm())
  calls[0]!.refuse(0.001)
  await expect.poll(() => calls.length).toBe(2)
  calls[1]!.refuse(3600)
  await expect.element(phase).toHaveTextContent('failed')
  expect(last().state.error).toMatchObject({ code: 'source_busy', status: 503 })
  expect(last().state.retryAt).toBeGreaterThan(Date.now() + 3_500_000)
  await userEvent.click(page.getByRole('button', { name: 'Refresh' }))
  await expect.poll(() => calls.length).toBe(3)
  calls[2]!.refuse(3600)
  await expect.element(phase).toHaveTextContent('failed')
  await askBy({ ...buildForm(), metrics: ['m'] })
  await expect.poll(() => calls.length).toBe(4)
  calls[3]!.answer(rows(7))
  await expect.element(phase).toHaveTextContent('ready')
  expect(calls).toHaveLength(4)
})

it('CHART-006: stopping cancels down to the engine, and no later response undoes it', async () => {
  await ask(buildForm())
  await userEvent.click(page.getByRole('button', { name: 'Stop' }))
  await expect.element(phase).toHaveTextContent('stopped')
  expect(calls[0]!.signal.aborted).toBe(true)
  expect(last().state).toMatchObject({ phase: 'stopped', error: null })
  expect(phases()).not.toContain('failed')
})

it('CHART-019, CHART-021, CHART-027: a query with other annotations silently cancels the previous one', async () => {
  const { askBy } = await ask(buildForm(layer('Holidays', 1)))
  await askBy(buildForm(layer('Holidays', 2)))
  await expect.poll(() => calls.length).toBe(2)
  await expect.poll(() => calls.map(({ signal }) => signal.aborted)).toEqual([true, false])
  const layers = calls.map(({ body }) => body.queries[0]?.annotation_layers)
  expect(layers).toMatchObject([[{ value: 1 }], [{ value: 2 }]])
  calls[1]!.answer(rows(1))
  await expect.element(phase).toHaveTextContent('ready')
  expect(renders.map(({ state }) => state.error)).toEqual(renders.map(() => null))
  expect(phases()).not.toContain('failed')
})

it('derives the error code from the product’s own message when the user may not read the database message', () => {
  const refused = (message: string) => toWireError(new ApiError(400, message))
  expect(refused(`Error: ${errorCodes.column_missing.message}`).code).toBe('column_missing')
  expect(refused('Error: Binder Error: no such column').code).toBe('invalid_query')
})
