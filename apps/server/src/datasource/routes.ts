import {
  AppError,
  datasourceRoutes as routes,
  type DescribedColumn,
  legacyDataRoutes,
  legacyRoutes,
  message,
} from '@parquetry/model'
import type { ChartDeps } from '../chart/deps.ts'
import { inferColumnTypes } from '../chart/infer-column-types.ts'
import type { ConnectionContext } from '../connection/describe-source.ts'
import type { App } from '../http/app.ts'
import { and } from '../store/conditions.ts'
import type { Principal } from '../access/principal.ts'
import { accessConditions, list, visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { can } from '../access/access.ts'
import { fetchColumnValues } from './column-values.ts'
import { readDrillInfo } from './drill-info.ts'
import { datasetResource } from '../dataset/dataset-resource.ts'
import { detectTimeFormats } from './detect-time-formats.ts'
import { readDatasetObject } from '../dataset/dataset-object.ts'
import { readDataset, type StoredDataset } from '../dataset/stored-dataset.ts'
import { validateExpression } from './validate-expression.ts'
import { fetchSamples } from './samples.ts'
import { saveDatasource } from './save-datasource.ts'
import { describeColumnsForReader, SourceError } from '../dataset/source-columns.ts'

const external = ({ name, type, generic, comment, nullable }: DescribedColumn) => ({
  name,
  type,
  nullable,
  default: null,
  autoincrement: false,
  comment,
  type_generic: generic,
  is_dttm: generic === 2,
})

const missing = () =>
  new AppError('not_found', { message: message('errors.datasource.missing', 'Datasource does not exist') })

/** Legacy routes for datasets: `/datasource/...` and the short list of datasets. */
export function datasourceRoutes(app: App, deps: ChartDeps): void {
  const readStoredDataset = async (type: string, id: number, principal: Principal): Promise<StoredDataset> => {
    if (type !== 'table' && type !== 'dataset') throw missing()
    const found = (await can(readContext(app, principal), ['can_read', 'Dataset'], { kind: 'dataset', id }))
      ? await readDataset(deps.db, id)
      : undefined
    if (!found) throw missing()
    return found
  }
  const columnsNow = async (context: ConnectionContext, { row, database }: Pick<StoredDataset, 'row' | 'database'>) => {
    try {
      return (await describeColumnsForReader(context, database, row)).map(external)
    } catch (error) {
      if (error instanceof SourceError) throw new AppError('bad_request', { message: error.sentence, cause: error })
      throw error
    }
  }

  serve(app, routes.list, async ({ rison, principal }) => {
    const listed = await list(datasetResource, rison, readContext(app, principal))
    const result = (listed['result'] as object[]).map((row) => ({ ...row, source_type: 'database' }))
    return { ...listed, result } as unknown as { count: number; ids: number[]; result: Record<string, unknown>[] }
  })
  serve(app, routes.detectTimeFormats, async ({ params, principal, event, signal }) => {
    const context = { ...readContext(app, principal), event, deps, signal }
    const { id } = await visibleRow(datasetResource, params.id, context)
    const formats = await detectTimeFormats(context, await readStoredDataset('table', id, principal))
    const count = Object.values(formats).filter((format) => format !== null).length
    return { message: `Found the formats of ${count} columns`, formats }
  })
  serve(app, routes.drillInfo, async ({ params, rison, principal }) => ({
    result: await readDrillInfo(deps, principal, params.id, rison.dashboard_id ?? null),
  }))
  serve(app, routes.validateExpression, async ({ params, body, principal, signal }) => ({
    result: await validateExpression(deps, principal, params, body, signal),
  }))
  serve(app, routes.columnValues, async ({ params, principal, signal }) => ({
    result: await fetchColumnValues(deps, principal, params, signal),
  }))
  serve(app, legacyDataRoutes.filterValues, ({ params, principal, signal }) => {
    const { datasource_type: type, datasource_id: id, column } = params
    return fetchColumnValues(deps, principal, { type, id, column }, signal)
  })
  serve(app, routes.samples, async ({ query, body, principal, signal, reply }) =>
    reply
      .type('application/json; charset=utf-8')
      .send(await fetchSamples(deps, principal, query, body as Record<string, unknown>, signal)),
  )
  serve(app, routes.get, async ({ params, principal }) =>
    readDatasetObject(deps.db, await readStoredDataset(params.type, params.id, principal)),
  )
  serve(app, routes.save, async ({ body, principal, event, signal }) => {
    const context = { ...readContext(app, principal), event, deps, signal }
    const id = await saveDatasource(context, body, (type, found) => readStoredDataset(type, found, principal))
    await inferColumnTypes({ deps, principal, signal }, id)
    return readDatasetObject(deps.db, await readStoredDataset('table', id, principal))
  })
  serve(app, routes.fetchMetadata, async ({ query, principal }) => {
    const [, id = '', type = ''] = /^(\d{1,15})__(\w+)$/.exec(query.datasourceKey) ?? []
    if (id === '')
      throw new AppError('bad_request', {
        message: message('errors.datasource.key', 'The datasource key is not valid. Keys look like 1__table.'),
      })
    return readDatasetObject(deps.db, await readStoredDataset(type, Number(id), principal))
  })
  serve(app, routes.externalMetadata, async ({ params, principal, signal }) =>
    columnsNow(
      { ...readContext(app, principal), deps, signal },
      await readStoredDataset(params.type, params.id, principal),
    ),
  )
  serve(app, routes.externalMetadataByName, async ({ rison, principal, signal }) => {
    const context = { ...readContext(app, principal), deps, signal }
    const database = await deps.db
      .selectFrom('database')
      .selectAll()
      .where('database_name', '=', rison.database_name)
      .executeTakeFirst()
    if (!database || !(await can(context, ['can_read', 'Database'], { kind: 'database', id: database.id })))
      throw missing()
    const source = { schema: rison.schema_name ?? null, table_name: rison.table_name, sql: null }
    try {
      return (await describeColumnsForReader(context, database, source)).map(external)
    } catch (error) {
      if (error instanceof SourceError) throw new AppError('not_found', { message: error.sentence, cause: error })
      throw error
    }
  })
  serve(app, legacyRoutes.datasources, async ({ principal }) => {
    const rows = await deps.db
      .selectFrom('dataset')
      .innerJoin('database', 'database.id', 'dataset.database_id')
      .select(['dataset.id', 'table_name', 'schema', 'database_name'])
      .where(and(accessConditions({ kind: 'dataset' }, readContext(app, principal))))
      .orderBy('table_name')
      .execute()
    return rows.map(({ id, table_name, schema, database_name }) => ({
      id,
      uid: `${id}__table`,
      name: table_name,
      schema,
      type: 'table',
      connection: database_name,
      edit_url: `/tablemodelview/edit/${id}`,
    }))
  })
}
