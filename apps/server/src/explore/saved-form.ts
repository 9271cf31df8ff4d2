import { legacyRoutes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { readParams } from '../chart/form-data.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { and } from '../store/conditions.ts'
import { accessConditions } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'

/** `/api/v1/form_data/`: saved form of a chart, empty if the caller may not see it. */
export function savedFormRoutes(app: App, { db }: HttpDeps): void {
  serve(app, legacyRoutes.formData, async ({ query, principal }) => {
    const is = sql<SqlBool>`chart.id = ${query?.slice_id ?? -1}`
    const chart = await db
      .selectFrom('chart')
      .select(['id', 'params'])
      .where(and([is, ...accessConditions({ kind: 'chart' }, readContext(app, principal))]))
      .executeTakeFirst()
    return chart ? { ...readParams(chart.params), slice_id: chart.id } : {}
  })
}
