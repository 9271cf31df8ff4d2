import { AppError, sqllabTableViz, sqllabViz, TableVizData, VizData } from '@parquetry/model'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { jsonField } from '../http/form-json.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { can } from '../access/access.ts'
import { readDatasetObject } from './dataset-object.ts'
import { readDataset } from './stored-dataset.ts'
import { createDataset, findDatasetAt, datasetExists } from './save-dataset.ts'
import { localizeError } from '../settings/messages.ts'

const readData = jsonField('data', VizData)
const readTable = jsonField('data', TableVizData)

/** `/superset/sqllab_viz/`: saves a result of SQL Lab as a virtual dataset of the caller, with the single metric `count(*)`. */
export function sqllabVizRoutes(app: App, deps: ConnectionDeps): void {
  const { db } = deps

  serve(app, sqllabViz, async ({ body, principal, event, signal }) => {
    const data = await readData(body)
    const context = { ...readContext(app, principal), event, deps, signal }
    if (!(await can(context, ['can_read', 'Database'], { kind: 'database', id: data.dbId })))
      throw new AppError('database_not_found')
    const location = {
      database_id: data.dbId,
      catalog: null,
      schema: data.schema || null,
      table_name: data.datasourceName,
    }
    if (await findDatasetAt(db, location))
      throw new AppError('name_taken', { message: datasetExists(location.table_name) })
    const table_id = await createDataset(context, {
      database: data.dbId,
      schema: location.schema,
      table_name: location.table_name,
      sql: data.sql,
      template_params: data.templateParams ?? null,
    }).catch((error: unknown) => {
      throw error instanceof AppError && error.fields ? toSingleError(localizeError(error, deps.settings)) : error
    })
    await db.updateTable('dataset').set({ is_sqllab_view: 1 }).where('id', '=', table_id).execute()
    await db
      .updateTable('dataset_metric')
      .set({ expression: 'count(*)', verbose_name: null, metric_type: null })
      .where('dataset_id', '=', table_id)
      .execute()
    const temporal = (data.columns ?? []).flatMap(({ column_name, name, is_dttm }) =>
      is_dttm === true ? [column_name ?? name ?? ''] : [],
    )
    if (temporal.length > 0)
      await db
        .updateTable('dataset_column')
        .set({ is_dttm: 1 })
        .where('dataset_id', '=', table_id)
        .where('column_name', 'in', temporal)
        .execute()
    const stored = await readDataset(db, table_id)
    if (!stored) throw new AppError('dataset_not_found')
    return { table_id, data: { ...(await readDatasetObject(db, stored)) } }
  })

  serve(app, sqllabTableViz, async ({ body, principal, event, signal }) => {
    const { dbId, datasourceName: table_name, ...data } = await readTable(body)
    const context = { ...readContext(app, principal), event, deps, signal }
    if (!(await can(context, ['can_read', 'Database'], { kind: 'database', id: dbId })))
      throw new AppError('database_not_found')
    const schema = data.schema || null
    const found = await findDatasetAt(db, { database_id: dbId, catalog: null, schema, table_name })
    if (found && (await can(context, ['can_read', 'Dataset'], { kind: 'dataset', id: found.id })))
      return { table_id: found.id }
    const template_params = data.templateParams ?? null
    const creation = createDataset(context, { database: dbId, schema, table_name, template_params })
    const table_id = await creation.catch((error: unknown) => {
      throw error instanceof AppError && error.fields ? toSingleError(localizeError(error, deps.settings)) : error
    })
    return { table_id }
  })
}

const toSingleError = ({ fields }: AppError): AppError =>
  new AppError('name_taken', {
    message: Object.values(fields ?? {})
      .flat()
      .join(' '),
  })
