import {
  AppError,
  type DatabasePost,
  databaseRoutes as routes,
  type DatabaseTest,
  legacyDataRoutes,
  message,
  type TestReport,
} from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { typedError } from '../http/errors.ts'
import type { Principal } from '../access/principal.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import { readExtra } from '../connection/extra.ts'
import { databaseResource } from './database-resource.ts'
import { driverOf, engineInformation, maskedParameters, parametersSchema } from '../connection/parameters.ts'
import { listAvailableEngines } from './available-engines.ts'
import { isSameConnection, readConnection } from '../connection/connection.ts'
import { storeLastTest, type LastTest, passedTest } from './last-test.ts'
import { findRelatedObjects } from './related-objects.ts'
import { listRoleAccess, setRoleAccess } from './role-access.ts'
import {
  createDatabase,
  presentSaved,
  refuseUsed,
  removeDatabase,
  removeFiles,
  toConnectionRules,
  updateDatabase,
} from './save-database.ts'
import { readStoredConnection, type DatabaseRow, engineFor } from '../connection/source.ts'
import { syncPermissions } from './sync-permissions.ts'
import { testConnection, testUser } from './test-connection.ts'
import { validateParameters } from './validate-parameters.ts'
import { errorTranslator, localizeError } from '../settings/messages.ts'

const json = 'application/json; charset=utf-8'

/** `/api/v1/database/`. */
export function databaseRoutes(app: App, deps: ConnectionDeps): void {
  const row = (id: number, principal: Principal) =>
    visibleRow<DatabaseRow>(databaseResource, id, readContext(app, principal))

  serveReading(app, routes, databaseResource)
  serve(app, routes.create, async ({ body, principal, event, signal, reply }) => {
    const created = await createDatabase(deps, { ...readContext(app, principal), event }, body, signal)
    return reply.code(201).send({ id: created.id, result: presentSaved(created, body) })
  })
  serve(app, routes.update, async ({ params, body, principal, event, signal, request }) => {
    const context = { ...readContext(app, principal), event }
    const before = await row(params.id, principal)
    const options = { signal, ifMatch: request.headers['if-match'] }
    const after = await updateDatabase(deps, context, before, body, options)
    return { id: after.id, result: presentSaved(after, body as Partial<DatabasePost>) }
  })
  serveRemoving(app, routes, {
    resource: databaseResource,
    action: ['can_write', 'Database'],
    words: ['database', 'databases'],
    check: (rows, context) => refuseUsed(context, rows),
    remove: removeDatabase,
    removed: (rows) => removeFiles(deps, rows),
  })

  serve(app, routes.connection, async ({ params, principal }) => {
    const found = await row(params.id, principal)
    const engine = engineFor(found)
    const { backend, cache_timeout, configuration_method, database_name, extra, force_ctas_schema, id } = found
    return {
      id,
      result: {
        id,
        uuid: found.uuid,
        database_name,
        backend,
        driver: driverOf(engine, JSON.parse(found.settings) as Record<string, unknown>),
        sqlalchemy_uri: found.sqlalchemy_uri,
        configuration_method,
        parameters: maskedParameters(engine, found),
        parameters_schema: parametersSchema(engine),
        engine_information: engineInformation(engine),
        masked_encrypted_extra: '{}',
        server_cert: readStoredConnection(deps, found).serverCert,
        ssh_tunnel: found.ssh_tunnel ? (JSON.parse(found.ssh_tunnel) as Record<string, unknown>) : null,
        extra,
        cache_timeout,
        force_ctas_schema,
        is_managed_externally: false,
        allow_ctas: found.allow_ctas === 1,
        allow_cvas: found.allow_cvas === 1,
        allow_dml: found.allow_dml === 1,
        allow_file_upload: found.allow_file_upload === 1,
        allow_run_async: found.allow_run_async === 1,
        expose_in_sqllab: found.expose_in_sqllab === 1,
        impersonate_user: found.impersonate_user === 1,
      },
    }
  })
  serve(app, routes.removeTunnel, async ({ params, principal, event, signal }) => {
    const found = await row(params.id, principal)
    if (found.ssh_tunnel === null) throw new AppError('not_found')
    const options = { signal, ifMatch: undefined }
    await updateDatabase(deps, { ...readContext(app, principal), event }, found, { ssh_tunnel: null }, options)
    return { message: 'OK' }
  })

  serve(app, routes.roles, async ({ params, principal }) => ({
    result: await listRoleAccess(deps.db, await row(params.id, principal)),
  }))
  serve(app, routes.setRoles, async ({ params, body, principal, event }) => {
    event.json = { id: params.id, roles: body.roles }
    await setRoleAccess(readContext(app, principal), await row(params.id, principal), body.roles)
    app.authenticator.forget()
    return { message: 'OK' }
  })

  serve(app, routes.syncPermissions, async ({ params, principal, signal, event }) => {
    event.json = { id: params.id }
    const context = { ...readContext(app, principal), deps, signal }
    await syncPermissions(context, await row(params.id, principal))
    return { message: 'OK' }
  })

  /** Tests a connection and stores the outcome if it is that of a database. @returns null for invalid parameters */
  async function test(body: DatabaseTest, principal: Principal, signal: AbortSignal): Promise<TestReport | null> {
    const { database_name: name } = body
    const existing = name
      ? await deps.db.selectFrom('database').selectAll().where('database_name', '=', name).executeTakeFirst()
      : undefined
    const before = existing && (await row(existing.id, principal))
    const stored = before && readStoredConnection(deps, before)
    const hasConnection = Boolean(body.sqlalchemy_uri ?? body.parameters)
    const connection = hasConnection ? readConnection(body, stored, toConnectionRules(deps)) : undefined
    if (!connection) return null
    const storeResult = async (test: LastTest) => {
      if (before && stored && isSameConnection(connection, stored)) await storeLastTest(deps.db, before.id, test)
    }
    try {
      const user = testUser(connection, principal, body.impersonate_user ?? before?.impersonate_user === 1)
      const report = await testConnection(deps, connection, user, signal)
      await storeResult(passedTest(deps.now(), report))
      return report
    } catch (error) {
      if (error instanceof AppError && !signal.aborted)
        await storeResult({
          at: deps.now().toISOString(),
          ok: false,
          message: localizeError(error, deps.settings).message,
        })
      throw error
    }
  }
  const invalidParameters = () =>
    new AppError('unprocessable', {
      message: message('errors.database.parameters', 'Database parameters are invalid.'),
    })
  serve(app, routes.testConnection, async ({ body, principal, signal, reply }) => {
    const report = await test(body, principal, signal)
    if (report) return { message: 'OK', parquetry: report }
    const error = typedError(invalidParameters(), errorTranslator(deps.settings))
    return reply.code(422).send({ errors: [{ ...error, level: 'warning' }] })
  })
  serve(app, routes.olderTestConnection, async ({ body, principal, signal, reply }) => {
    const { uri, name, impersonate_user, server_cert, extra, encrypted_extra } = body
    const connection: DatabaseTest = {
      sqlalchemy_uri: uri,
      database_name: name || null,
      server_cert: server_cert ?? null,
      masked_encrypted_extra: encrypted_extra ?? null,
      ...(impersonate_user !== undefined && { impersonate_user }),
      ...(extra && { extra }),
    }
    if (!(await test(connection, principal, signal))) throw invalidParameters()
    return reply.type(json).send('"OK"')
  })
  serve(app, routes.validateParameters, async ({ body, reply }) => {
    const errors = await validateParameters(body, deps.settings)
    return errors.length > 0 ? reply.code(422).send({ errors }) : { message: 'OK' }
  })
  serve(app, routes.available, () => ({ databases: listAvailableEngines(deps.settings.config) }))

  serve(app, routes.relatedObjects, async ({ params, principal }) => {
    const { id } = await row(params.id, principal)
    const objects = await findRelatedObjects(readContext(app, principal), sql<SqlBool>`dataset.database_id = ${id}`)
    const tabs = await deps.db
      .selectFrom('tab_state')
      .select(['id', 'label', 'active'])
      .where('database_id', '=', id)
      .orderBy('id')
      .execute()
    const result = tabs.map((tab) => ({ ...tab, active: tab.active === 1 }))
    return { ...objects, sqllab_tab_states: { count: result.length, result } }
  })
  async function listUploadSchemas(id: number, principal: Principal): Promise<string[]> {
    const found = await row(id, principal)
    const { schemas_allowed_for_file_upload: schemas, schemas_allowed_for_csv_upload: legacySchemas = [] } =
      readExtra(found)
    return (schemas ?? legacySchemas).filter((schema) => canReadAll(principal, found, schema))
  }
  serve(app, routes.uploadSchemas, async ({ params, principal }) => ({
    schemas: await listUploadSchemas(params.id, principal),
  }))
  serve(app, legacyDataRoutes.uploadSchemas, ({ query, principal }) => listUploadSchemas(query.db_id, principal))
}
