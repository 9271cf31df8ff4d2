import { AppError, legacyDataRoutes as routes } from '@parquetry/model'
import { chartResource, type ChartRow } from '../chart/chart-resource.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { buildFormData } from '../chart/form-data.ts'
import { resolveLegacyQuery } from '../explore-json/legacy-query.ts'
import { runLegacyQuery } from '../explore-json/run-legacy-query.ts'
import type { App } from '../http/app.ts'
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

/** `/superset/slice_json/` and `annotation_json/`: data of charts and annotation layers for clients older than `/api/v1`. */
export function legacyChartDataRoutes(app: App, deps: ChartDeps): void {
  serve(app, routes.chartData, async ({ params, query, principal, event, signal, reply }) => {
    const chart = await visibleRow<ChartRow>(chartResource, params.slice_id, readContext(app, principal))
    event.slice_id = chart.id
    const resolved = await resolveLegacyQuery(buildFormData(chart), query.force === 'true', deps, principal)
    const { status, body } = await runLegacyQuery(resolved, signal)
    return reply.code(status).type('application/json; charset=utf-8').send(body)
  })

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
