import { AppError, datasetEditorRoutes, datasetRoutes, message } from '@parquetry/model'
import { can } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { inferColumnTypes } from '../chart/infer-column-types.ts'
import { datasetResource } from '../dataset/dataset-resource.ts'
import { type DatasetRow, readDataset } from '../dataset/stored-dataset.ts'
import { loadMissingReferences } from '../dataset/missing-references.ts'
import { noDatabase, refreshDataset, updateDataset } from '../dataset/save-dataset.ts'
import { describeSourceColumns, SourceError } from '../dataset/source-columns.ts'
import type { App } from '../http/app.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { unprocessableFields } from '../http/writing.ts'
import { type PropagatedRenames, propagateRenames } from './propagate-renames.ts'
import { profileDataset } from './profile.ts'
import { findDatasetUsage } from './dataset-usage.ts'

/**
 * Routes of the dataset editor, and the update of a dataset, which also updates charts and dashboards and queries the engine for
 * types.
 */
export function registerDatasetEditorRoutes(app: App, deps: ChartDeps): void {
  const row = (id: number, principal: Principal) =>
    visibleRow<DatasetRow>(datasetResource, id, readContext(app, principal))

  serve(app, datasetRoutes.update, async ({ params, query, body, principal, event, signal, request }) => {
    const found = await row(params.id, principal)
    const context = { ...readContext(app, principal), event, deps, signal }
    const override = ['true', '1'].includes(query.override_columns?.toLowerCase() ?? '')
    const carried: PropagatedRenames = { charts: [], dashboards: [] }
    const before = await readDataset(deps.db, found.id)
    await updateDataset(context, found, body, {
      override,
      ifMatch: request.headers['if-match'],
      ...(body.carry_renames === true && {
        onRenamed: async (trx, renamed) => {
          Object.assign(carried, await propagateRenames(trx, context, found.id, renamed))
        },
      }),
    })
    await inferColumnTypes({ deps, principal, signal }, found.id, before)
    return { id: found.id, result: body, ...(body.carry_renames === true && { carried }) }
  })

  serve(app, datasetRoutes.refresh, async ({ params, principal, event, signal }) => {
    const found = await row(params.id, principal)
    await refreshDataset({ ...readContext(app, principal), event, deps, signal }, found)
    await inferColumnTypes({ deps, principal, signal }, found.id)
    return { message: 'OK' }
  })

  serve(app, datasetEditorRoutes.usage, async ({ params, principal }) => {
    const { id } = await row(params.id, principal)
    const stored = await readDataset(deps.db, id)
    if (!stored) throw new AppError('not_found')
    return { result: await findDatasetUsage(readContext(app, principal), stored) }
  })

  serve(app, datasetEditorRoutes.missingReferences, async ({ params, principal }) => {
    const { id } = await row(params.id, principal)
    const stored = await readDataset(deps.db, id)
    if (!stored) throw new AppError('not_found')
    return { result: await loadMissingReferences(deps.db, stored) }
  })

  serve(app, datasetEditorRoutes.profile, async ({ params, query, principal, signal }) => {
    const { id } = await row(params.id, principal)
    return { result: await profileDataset(deps, principal, { id, force: query.force === 'true' }, signal) }
  })

  serve(app, datasetEditorRoutes.sourceColumns, async ({ body, principal, signal }) => {
    const context = { ...readContext(app, principal), deps, signal }
    const isVisible = await can(context, ['can_read', 'Database'], { kind: 'database', id: body.database_id })
    const database = isVisible
      ? await deps.db.selectFrom('database').selectAll().where('id', '=', body.database_id).executeTakeFirst()
      : undefined
    if (!database) throw unprocessableFields({ database_id: [noDatabase] })
    const source = { schema: body.schema || null, table_name: body.table_name ?? '', sql: body.sql?.trim() || null }
    if (source.sql === null && source.table_name === '')
      throw unprocessableFields({ table_name: [message('errors.datasetEditor.noTable', 'Choose a table.')] })
    try {
      const found = await describeSourceColumns(context, database, source)
      return {
        result: found.map(({ name, type, generic, comment }) => ({
          name,
          type,
          type_generic: generic,
          is_dttm: generic === 2,
          comment,
        })),
      }
    } catch (error) {
      throw error instanceof SourceError ? unprocessableFields({ [error.field]: [error.sentence] }) : error
    }
  })
}
