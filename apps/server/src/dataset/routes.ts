import { AppError, datasetRoutes as routes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { ConnectionDeps } from '../connection/deps.ts'
import { findRelatedObjects } from '../database/related-objects.ts'
import type { App } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { authorizeChange, unprocessable } from '../http/writing.ts'
import { can } from '../access/access.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import { change } from '../store/write.ts'
import { damagedColumn } from './damaged-files.ts'
import { datasetRemoval } from './dataset-removal.ts'
import { datasetResource } from './dataset-resource.ts'
import { type DatasetRow, readDataset } from './stored-dataset.ts'
import { duplicateDataset, invalidDuplicate } from './duplicate-dataset.ts'
import { storeNameChanges, diffNames } from './missing-references.ts'
import { createDataset, findDatasetAt, readDatasetDocument } from './save-dataset.ts'
import { subjectPickers } from '../http/subjects.ts'

/** `/api/v1/dataset/`. */
export function datasetRoutes(app: App, deps: ConnectionDeps): void {
  const writeContext = (principal: Principal, event: AuditEvent, signal: AbortSignal) => ({
    ...readContext(app, principal),
    event,
    deps,
    signal,
  })
  const row = (id: number, principal: Principal) =>
    visibleRow<DatasetRow>(datasetResource, id, readContext(app, principal))

  app.pageSubjects.dataset = (context, { id = '' }) => visibleRow(datasetResource, id, context)
  const is_damaged = damagedColumn(deps.settings.home)
  serveReading(app, routes, {
    ...datasetResource,
    related: { ...datasetResource.related, ...subjectPickers('dataset', app.deps.settings.config) },
    resolvers: { ...datasetResource.resolvers, is_damaged },
    uncachedColumns: ['is_damaged'],
  })
  serve(app, routes.create, async ({ body, principal, event, signal, reply }) => {
    const id = await createDataset(writeContext(principal, event, signal), body)
    return reply.code(201).send({ id, result: body })
  })
  serveRemoving(app, routes, datasetRemoval)
  serve(app, routes.duplicate, async ({ body, principal, event, signal, reply }) => {
    const base = await row(body.base_model_id, principal).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? unprocessable(invalidDuplicate) : error
    })
    const id = await duplicateDataset(writeContext(principal, event, signal), base, body.table_name)
    return reply.code(201).send({ id, result: body })
  })
  serve(app, routes.getOrCreate, async ({ body, principal, event, signal }) => {
    const { database_id, catalog = null, schema = null, table_name, ...rest } = body
    const found = await findDatasetAt(deps.db, { database_id, catalog, schema, table_name })
    const context = writeContext(principal, event, signal)
    if (found && (await can(context, ['can_read', 'Dataset'], { kind: 'dataset', id: found.id })))
      return { result: { table_id: found.id } }
    return {
      result: {
        table_id: await createDataset(context, { ...rest, catalog, schema, table_name, database: database_id }),
      },
    }
  })
  serve(app, routes.relatedObjects, async ({ params, principal }) => {
    const { id } = await row(params.id, principal)
    return findRelatedObjects(readContext(app, principal), sql<SqlBool>`dataset.id = ${id}`)
  })

  const removeChild =
    (table: 'dataset_column' | 'dataset_metric') =>
    async (id: number, childId: number, principal: Principal, event: AuditEvent) => {
      const found = await row(id, principal)
      const child = await deps.db
        .selectFrom(table)
        .select('id')
        .where('dataset_id', '=', id)
        .where('id', '=', childId)
        .executeTakeFirst()
      if (!child) throw new AppError('not_found')
      await authorizeChange(readContext(app, principal), ['can_write', 'Dataset'], { kind: 'dataset', id })
      event.json = { id, [table]: childId }
      const history = { kind: 'dataset', uuid: found.uuid, id, author: principal.id, event, now: deps.now() }
      await change(deps.db, { ...history, document: (trx) => readDatasetDocument(trx, id) }, async (trx) => {
        const before = await readDataset(trx, id)
        await trx.deleteFrom(table).where('id', '=', childId).execute()
        const after = await readDataset(trx, id)
        if (before && after) await storeNameChanges(trx, found, diffNames(before, after), history)
      })
      return { message: 'OK' }
    }
  const removeColumn = removeChild('dataset_column')
  const removeMetric = removeChild('dataset_metric')
  serve(app, routes.removeColumn, ({ params, principal, event }) =>
    removeColumn(params.id, params.column_id, principal, event),
  )
  serve(app, routes.removeMetric, ({ params, principal, event }) =>
    removeMetric(params.id, params.metric_id, principal, event),
  )
}
