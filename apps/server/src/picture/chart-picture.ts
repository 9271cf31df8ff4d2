import { buildQueryContext, namedQueries, loadStoredForm, readForm, unknownChart } from '@parquetry/charts'
import { createMessageReader } from '@parquetry/frame'
import { maxBodyBytes } from '@parquetry/engines/channel'
import { AppError, message, toWire, type ChartPictureRequest, type Picture, type PictureOutput } from '@parquetry/model'
import { readQueryContext } from '@parquetry/query'
import { encodeHead, runFramesQuery } from '../chart/frames-response.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import type { Principal } from '../access/principal.ts'
import { buildDatasetDisplay } from '../dataset/dataset-object.ts'
import { mapPluginNames } from '../dynamic-plugin/plugins.ts'
import { localizeError } from '../settings/messages.ts'
import { toAppError } from '../store/failure.ts'
import { choosePictureTheme } from './paper-theme.ts'
import { resolveReaderSettings } from './reader-settings.ts'

export interface PictureContext {
  deps: ChartDeps
  principal: Principal
  signal: AbortSignal
  /** Uses cached results only; no database is queried. */
  onlyCached?: boolean
  /** Queries again instead of using cached results. */
  force?: boolean
  /** A chart that fails or whose results are too large shows the reason in its place. Charts of a dashboard that fail always do. */
  showsErrors?: boolean
}

/** A request for the image of a chart, or for a file with its numbers. */
export type ChartDrawingRequest = Omit<ChartPictureRequest, 'format'> & { format: PictureOutput }

/** An image to draw and the results that it is drawn from. */
export interface DrawingInput {
  picture: Picture
  messages: Buffer
}

/** Results of a chart, or the error that is shown instead. */
async function withErrors(
  run: () => Promise<Uint8Array[][]>,
  deps: ChartDeps,
  signal: AbortSignal,
): Promise<Uint8Array[][]> {
  try {
    const results = await run()
    if (results.flat().reduce((sum, { length }) => sum + length, 0) <= maxBodyBytes) return results
    return [[chartErrorMessage(id, tooMuchData(), deps)]]
  } catch (error) {
    if (signal.aborted) throw error
    const failure = toAppError(error)
    if (!(error instanceof AppError)) deps.log.error({ err: error }, 'a chart of a report failed')
    return [[chartErrorMessage(id, failure, deps)]]
  }
}

/** The results of one chart do not fit into a file. */
export const tooMuchData = (): AppError =>
  new AppError('result_too_large', {
    message: message(
      'errors.picture.chartTooLarge',
      'The data of this chart is too large for this file. Lower its row limit.',
    ),
  })

/** The message of a chart that failed, in the language of the server. */
export const chartErrorMessage = (chart: number, error: AppError, { settings }: Pick<ChartDeps, 'settings'>) =>
  encodeHead({ type: 'error', chart, error: toWire(localizeError(error, settings)) })

const hasRows = (messages: readonly Uint8Array[] = []): boolean =>
  createMessageReader()
    .push(Buffer.concat(messages))
    .some(({ frame }) => frame !== null && frame.rows > 0)

/** Id of the only chart in the image. */
const id = 0

/** Properties of a dashboard that determine the colors of its charts. */
export interface DashboardStyle {
  metadata: Picture['metadata']
  theme_id: number | null
}

/**
 * Prepares the image of a chart from its form data, queried like `chart/data`.
 * @throws AppError `unsupported` for an unknown chart type, `not_cached` when `onlyCached` finds no rows, and query errors
 */
export async function buildChartPicture(
  request: ChartDrawingRequest,
  { metadata, theme_id }: DashboardStyle,
  { deps, principal, signal, onlyCached = false, force = false, showsErrors = false }: PictureContext,
): Promise<DrawingInput> {
  const { form_data: stored, format, width = 800, height = 500, title, state = {} } = request
  const [datasource = '', type = 'table'] = String(stored['datasource'] ?? '').split('__')
  const source = { datasource: { id: Number(datasource), type }, form_data: stored }
  const { stored: dataset } = await resolveQuery(readQueryContext({ ...source, queries: [] }), deps, principal)
  const display = buildDatasetDisplay(dataset)
  const plugin = (await mapPluginNames(deps.db, deps.settings.flags)).get(String(stored['viz_type']))
  const storedForm =
    (await loadStoredForm(stored, display)) ??
    (plugin === undefined ? undefined : { chart: unknownChart(String(stored['viz_type'])), form: readForm(stored) })
  if (!storedForm)
    throw new AppError('unsupported', {
      message: message('errors.picture.vizType', 'This visualization type is not supported.'),
    })
  const { chart, form } = storedForm
  const context = readQueryContext({ ...buildQueryContext(chart, form, { state }), ...source, force })
  const resolved = { ...(await resolveQuery(context, deps, principal)), onlyCached }
  const names = Object.keys(namedQueries(chart, form, state))
  const run = () =>
    Promise.all(
      context.queries.map((query, index) =>
        runFramesQuery(resolved, query, { chart: id, query: index, name: names[index] ?? String(index) }, signal),
      ),
    )
  const results = showsErrors ? await withErrors(run, deps, signal) : await run()
  if (onlyCached && !hasRows(results[0])) throw new AppError('not_cached')
  const name = title ?? plugin ?? chart.name
  const picture: Picture = {
    ...resolveReaderSettings(deps.settings, request.time_zone),
    format,
    ...(await choosePictureTheme(deps, theme_id, request)),
    title: name,
    at: deps.now().getTime(),
    charts: [
      {
        id,
        viz_type: chart.viz_type,
        form,
        title: name,
        ...(plugin !== undefined && { plugin }),
        dataset: display,
      },
    ],
    page: { width, height },
    metadata,
  }
  return { picture, messages: Buffer.concat(results.flat()) }
}
