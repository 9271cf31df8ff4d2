import { AppError, legacyDataRoutes as routes, message } from '@parquetry/model'
import { readQueryContext } from '@parquetry/query'
import { chartResource, type ChartRow } from '../chart/chart-resource.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { buildFormData } from '../chart/form-data.ts'
import { buildJsonResponse } from '../chart/json-response.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { resolveLegacyQuery } from '../explore-json/legacy-query.ts'
import { runLegacyQuery } from '../explore-json/run-legacy-query.ts'
import type { App } from '../http/app.ts'
import { parseJson } from '../http/json-body.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { parseStoredTime } from '../store/time.ts'

/** Columns of an annotation, times in milliseconds since 1970. */
const annotationColumns = [
  'created_on',
  'changed_on',
  'id',
  'start_dttm',
  'end_dttm',
  'layer_id',
  'short_descr',
  'long_descr',
  'json_metadata',
  'created_by_fk',
  'changed_by_fk',
] as const
const toMs = (stored: string | null): number | null => (stored === null ? null : parseStoredTime(stored).getTime())

const resultStart = Buffer.byteLength('{"result":')

/** Reads the form field `query_context`. @throws AppError `bad_request` */
function readContextField({ query_context }: Record<string, string>): unknown {
  if (query_context === undefined)
    throw new AppError('bad_request', {
      message: message('errors.http.fieldMissing', 'The field {name} is missing.', { name: 'query_context' }),
    })
  return parseJson(query_context)
}

/** The texts of a language for clients of Superset, in the format of Jed. There are no translations yet. */
const createLanguagePack = (lang: string) => ({
  domain: 'superset',
  locale_data: { superset: { '': { domain: 'superset', plural_forms: 'nplurals=2; plural=(n != 1)', lang } } },
})

/** Data of charts and annotation layers for clients older than `/api/v1/chart/data`, and the texts of a language. */
export function legacyChartDataRoutes(app: App, deps: ChartDeps): void {
  serve(app, routes.chartData, async ({ params, query, principal, event, signal, reply }) => {
    const chart = await visibleRow<ChartRow>(chartResource, params.slice_id, readContext(app, principal))
    event.slice_id = chart.id
    const resolved = await resolveLegacyQuery(buildFormData(chart), query.force === 'true', deps, principal)
    const { status, body } = await runLegacyQuery(resolved, signal)
    return reply.code(status).type('application/json; charset=utf-8').send(body)
  })

  serve(app, routes.query, async ({ body, principal, event, signal, reply }) => {
    const context = readQueryContext(readContextField(body))
    const files = context.result_format ?? 'json'
    if (files !== 'json')
      throw new AppError('bad_request', {
        message: message('errors.legacy.onlyJson', 'This call answers JSON only. Use /api/v1/chart/data for files.'),
      })
    event.json = { datasource: context.datasource }
    const answer = await buildJsonResponse(await resolveQuery(context, deps, principal), signal)
    return reply.type('application/json; charset=utf-8').send(answer.subarray(resultStart, -1))
  })

  serve(app, routes.languagePack, ({ params }) => createLanguagePack(params.lang))

  serve(app, routes.annotationData, async ({ params }) => {
    const layer = await deps.db
      .selectFrom('annotation_layer')
      .select('id')
      .where('id', '=', params.layer_id)
      .executeTakeFirst()
    if (!layer) throw new AppError('not_found')
    const rows = await deps.db
      .selectFrom('annotation')
      .select(annotationColumns)
      .where('layer_id', '=', layer.id)
      .orderBy('start_dttm')
      .orderBy('id')
      .execute()
    const records = rows.map((row) => ({
      ...row,
      created_on: toMs(row.created_on),
      changed_on: toMs(row.changed_on),
      start_dttm: toMs(row.start_dttm),
      end_dttm: toMs(row.end_dttm),
    }))
    return {
      cache_key: null,
      cached_dttm: null,
      cache_timeout: null,
      data: { columns: [...annotationColumns], records },
      error: null,
      errors: [],
      form_data: { layer_id: layer.id, all_columns: [...annotationColumns] },
      is_cached: false,
      query: '',
      status: 'success',
      stacktrace: null,
      rowcount: records.length,
    }
  })
}
