import { AppError, databaseRoutes as routes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { typedError } from '../http/errors.ts'
import type { Principal } from '../http/principal.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { databaseResource, readExtra } from './database-resource.ts'
import { maskedParameters, parametersSchema } from './parameters.ts'
import { available } from './available.ts'
import { readConnection, unmask } from './connection.ts'
import { describeTable, schemasOf, selectStarOf, tableMetadata, tablesOf } from './metadata.ts'
import { relatedObjects } from './related-objects.ts'
import {
  connectionEcho,
  createDatabase,
  refuseUsed,
  removeDatabase,
  removeFiles,
  updateDatabase,
} from './save-database.ts'
import { type DatabaseRow, engineFor, settingsOf } from './source.ts'
import { pingConnection } from './test-connection.ts'
import { parameterErrors } from './validate-parameters.ts'

/** `undefined` and `null` as a schema's name in a path are what clients write for none. */
const schemaOf = (text: string | undefined): string | null =>
  text === undefined || text === '' || text === 'undefined' || text === 'null' ? null : text

/** `/api/v1/database/`. */
export function databaseRoutes(app: App, deps: Deps): void {
  const row = (id: number, principal: Principal) =>
    visibleRow<DatabaseRow>(databaseResource, id, readContext(app, principal))

  serveReading(app, routes, databaseResource)
  serve(app, routes.create, async ({ body, principal, event, signal, reply }) => {
    const made = await createDatabase(deps, { ...readContext(app, principal), event }, body, signal)
    return reply.code(201).send({ id: made.id, result: { ...body, ...connectionEcho(made) } })
  })
  serve(app, routes.update, async ({ params, body, principal, event, signal, request }) => {
    const context = { ...readContext(app, principal), event }
    const before = await row(params.id, principal)
    const sent = { signal, ifMatch: request.headers['if-match'] }
    const after = await updateDatabase(deps, context, before, body, sent)
    return { id: after.id, result: { ...body, ...connectionEcho(after) } }
  })
  serveRemoving(app, routes, {
    resource: databaseResource,
    action: ['can_write', 'Database'],
    words: ['database', 'databases'],
    check: (rows, context) => refuseUsed(context, rows),
    remove: removeDatabase,
    removed: (gone) => removeFiles(app.deps, gone),
  })

  serve(app, routes.connection, async ({ params, principal }) => {
    const found = await row(params.id, principal)
    const settings = JSON.parse(found.settings) as Record<string, unknown>
    const engine = engineFor(found)
    return {
      id: found.id,
      result: {
        id: found.id,
        uuid: found.uuid,
        database_name: found.database_name,
        backend: found.backend,
        sqlalchemy_uri: found.sqlalchemy_uri,
        configuration_method: found.configuration_method,
        parameters: maskedParameters(engine, settings, found.secrets !== null),
        parameters_schema: parametersSchema(engine),
        masked_encrypted_extra: '{}',
        server_cert: null,
        extra: found.extra,
      },
    }
  })

  serve(app, routes.testConnection, async ({ body, principal, signal, reply }) => {
    const told = readConnection(body)
    if (!told) {
      const error = typedError(new AppError('unprocessable', { message: 'Database parameters are invalid.' }))
      return reply.code(422).send({ errors: [{ ...error, level: 'warning' }] })
    }
    const { database_name: name } = body
    const known = name
      ? await deps.db.selectFrom('database').selectAll().where('database_name', '=', name).executeTakeFirst()
      : undefined
    const before = known && (await row(known.id, principal))
    const stored = before && { engine: engineFor(before), settings: settingsOf(deps, before) }
    await pingConnection(deps, unmask(told, stored), signal)
    return { message: 'OK' }
  })
  serve(app, routes.validateParameters, async ({ body, reply }) => {
    const errors = await parameterErrors(body)
    return errors.length > 0 ? reply.code(422).send({ errors }) : { message: 'OK' }
  })
  serve(app, routes.available, () => ({ databases: available(deps.settings.config.PREFERRED_DATABASES) }))

  serve(app, routes.schemas, async ({ params, principal, signal }) => ({
    result: await schemasOf({ ...readContext(app, principal), deps, signal }, await row(params.id, principal)),
  }))
  serve(app, routes.tables, async ({ params, rison, principal, signal }) => {
    const context = { ...readContext(app, principal), deps, signal }
    const result = await tablesOf(context, await row(params.id, principal), schemaOf(rison.schema_name))
    return { count: result.length, result }
  })

  const table = async (
    id: number,
    schema: string | undefined,
    name: string,
    principal: Principal,
    signal: AbortSignal,
  ) => {
    const context = { ...readContext(app, principal), deps, signal }
    return tableMetadata(context, await row(id, principal), schemaOf(schema), name)
  }
  serve(app, routes.table, ({ params, principal, signal }) =>
    table(params.id, params.schema, params.table, principal, signal),
  )
  serve(app, routes.tableMetadata, ({ params, query, principal, signal }) =>
    table(params.id, query.schema, query.name, principal, signal),
  )
  const extra = async (
    id: number,
    schema: string | undefined,
    name: string,
    principal: Principal,
    signal: AbortSignal,
  ) => {
    await describeTable(
      { ...readContext(app, principal), deps, signal },
      await row(id, principal),
      schemaOf(schema),
      name,
    )
    return {}
  }
  serve(app, routes.tableExtra, ({ params, principal, signal }) =>
    extra(params.id, params.schema, params.table, principal, signal),
  )
  serve(app, routes.tableMetadataExtra, ({ params, query, principal, signal }) =>
    extra(params.id, query.schema, query.name, principal, signal),
  )
  const star = async (
    id: number,
    schema: string | undefined,
    name: string,
    principal: Principal,
    signal: AbortSignal,
  ) => {
    const context = { ...readContext(app, principal), deps, signal }
    return { result: await selectStarOf(context, await row(id, principal), schemaOf(schema), name) }
  }
  serve(app, routes.selectStar, ({ params, principal, signal }) =>
    star(params.id, undefined, params.table, principal, signal),
  )
  serve(app, routes.selectStarOfSchema, ({ params, principal, signal }) =>
    star(params.id, params.schema, params.table, principal, signal),
  )

  serve(app, routes.functionNames, async ({ params, principal }) => {
    await row(params.id, principal)
    return { function_names: [] }
  })
  serve(app, routes.relatedObjects, async ({ params, principal }) => {
    const { id } = await row(params.id, principal)
    const objects = await relatedObjects(readContext(app, principal), sql<SqlBool>`dataset.database_id = ${id}`)
    return { ...objects, sqllab_tab_states: { count: 0, result: [] } }
  })
  serve(app, routes.uploadSchemas, async ({ params, principal }) => {
    const extraOf = readExtra(await row(params.id, principal))
    return { schemas: extraOf.schemas_allowed_for_file_upload ?? extraOf.schemas_allowed_for_csv_upload ?? [] }
  })
}
