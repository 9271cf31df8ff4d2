import Type from 'typebox'
import {
  AvailableEngine,
  DatabaseConnection,
  DatabaseDetail,
  ListedDatabase,
  type TestReport,
} from './database-responses.ts'
import { dependents } from './dataset-responses.ts'
import {
  openObject,
  body,
  flag,
  id,
  jsonText,
  managedFields,
  optional,
  nullish,
  MessageBody,
  revisionFields,
  text,
  unchangeable,
} from './fields.ts'
import { ById, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

/** Connection settings: a URI or the fields of the engine's form. */
const connection = {
  sqlalchemy_uri: optional(text(0, 1024)),
  engine: nullish(text()),
  driver: nullish(text()),
  /** Accepted in addition to `engine`, because the client sends it back. */
  backend: nullish(text()),
  parameters: optional(Type.Record(Type.String(), Type.Unknown())),
  configuration_method: optional(
    Type.Unsafe<'sqlalchemy_form' | 'dynamic_form'>({ type: 'string', enum: ['sqlalchemy_form', 'dynamic_form'] }),
  ),
  impersonate_user: optional(flag()),
  extra: optional(jsonText()),
  masked_encrypted_extra: nullish(jsonText()),
  server_cert: nullish(text()),
  ssh_tunnel: nullish(Type.Record(Type.String(), Type.Unknown())),
}

const shared = {
  ...connection,
  cache_timeout: nullish(id()),
  expose_in_sqllab: optional(flag()),
  allow_run_async: optional(flag()),
  allow_file_upload: optional(flag()),
  allow_ctas: optional(flag()),
  allow_cvas: optional(flag()),
  allow_dml: optional(flag()),
  force_ctas_schema: nullish(text(0, 250)),
}

/** Body of `POST /api/v1/database/`. */
export const DatabasePost = body({ database_name: text(1, 250), ...shared, uuid: optional(text()), ...managedFields })
export type DatabasePost = Type.Static<typeof DatabasePost>

/** Body of `PUT /api/v1/database/{id}`. */
export const DatabasePut = body({
  database_name: nullish(text(1, 250)),
  ...shared,
  uuid: optional(unchangeable(text())),
  is_managed_externally: nullish(unchangeable(flag())),
  external_url: nullish(unchangeable(text())),
  ...revisionFields,
})
export type DatabasePut = Type.Static<typeof DatabasePut>

export const DatabaseTest = body({ database_name: nullish(text(1, 250)), ...connection })
export type DatabaseTest = Type.Static<typeof DatabaseTest>

export const DatabaseParameters = Type.Object(
  {
    id: nullish(id()),
    engine: optional(text()),
    driver: nullish(text()),
    ssh_tunnel: nullish(Type.Record(Type.String(), Type.Unknown())),
    parameters: optional(Type.Record(Type.String(), Type.Unknown())),
    catalog: optional(Type.Record(Type.String(), Type.Unknown())),
    database_name: nullish(text(0, 250)),
    impersonate_user: optional(flag()),
    extra: optional(text()),
    masked_encrypted_extra: nullish(text()),
    server_cert: nullish(text()),
    configuration_method: optional(text()),
  },
  { additionalProperties: true },
)
export type DatabaseParameters = Type.Static<typeof DatabaseParameters>

const part = { name: 'database', view: 'Database' } as const
const read = {
  method: 'GET',
  body: 'none',
  can: ['can_read', 'Database'],
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  object: 'the database must be visible',
} as const
const write = { can: ['can_write', 'Database'], rate: 'write', csrf: 'token' } as const

/** `/api/v1/database/`. */
export const databaseRoutes = {
  ...readingRoutes({ ...part, listed: ListedDatabase, detail: DatabaseDetail }),
  ...writingRoutes({ ...part, post: DatabasePost, put: DatabasePut }),
  connection: defineRoute({
    ...read,
    path: '/api/v1/database/:id/connection',
    summary: 'Returns the connection settings of a database with masked secrets',
    params: ById,
    reply: openObject({ id: Type.Integer(), result: DatabaseConnection }),
    can: ['can_write', 'Database'],
    fails: ['not_found'],
  }),
  removeTunnel: defineRoute({
    ...write,
    method: 'DELETE',
    path: '/api/v1/database/:id/ssh_tunnel/',
    summary: 'Removes the SSH tunnel of a database',
    params: ById,
    body: 'none',
    reply: MessageBody,
    object: 'the database must be visible',
    audit: 'database.remove_tunnel',
    errors: 'plain',
    fails: ['not_found', 'unprocessable', 'connection_failed'],
  }),
  roles: defineRoute({
    ...read,
    path: '/api/v1/database/:id/roles/',
    summary: 'Lists all roles and whether they may read the whole database',
    params: ById,
    reply: openObject({
      result: Type.Array(
        openObject({
          id: Type.Integer(),
          name: Type.String(),
          /** Number of users with the role. */
          users: Type.Integer(),
          /** `all`: granted by a permission on all databases, which cannot be changed here. */
          access: Type.Unsafe<'none' | 'granted' | 'all'>({ type: 'string', enum: ['none', 'granted', 'all'] }),
        }),
      ),
    }),
    can: ['can_edit', 'RoleModelView'],
    fails: ['not_found'],
  }),
  setRoles: defineRoute({
    ...write,
    method: 'PUT',
    path: '/api/v1/database/:id/roles/',
    summary: 'Sets the roles that may read the whole database and revokes the permission from all others',
    params: ById,
    body: body({ roles: Type.Array(id(), { maxItems: 1000 }) }),
    reply: MessageBody,
    can: ['can_edit', 'RoleModelView'],
    object: 'the database must be visible',
    audit: 'database.roles',
    errors: 'plain',
    fails: ['not_found', 'unprocessable'],
  }),
  syncPermissions: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/database/:id/sync_permissions/',
    summary: 'Creates the missing permissions on a database, its schemas and its datasets',
    params: ById,
    body: 'none',
    reply: MessageBody,
    object: 'the database must be visible',
    audit: 'database.sync_permissions',
    errors: 'plain',
    fails: ['not_found', 'unprocessable', 'connection_failed'],
  }),
  testConnection: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/database/test_connection/',
    summary: 'Tests a database connection',
    body: DatabaseTest,
    reply: openObject({ message: Type.String(), parquetry: Type.Unsafe<TestReport>({ type: 'object' }) }),
    object: 'a masked secret is taken only from a stored database with the same address and user',
    audit: 'database.test_connection',
    errors: 'typed',
    fails: ['unprocessable', 'connection_failed'],
  }),
  /** Before `/api/v1`: answers the text `OK`. */
  olderTestConnection: defineRoute({
    ...write,
    method: 'POST',
    path: '/superset/testconn',
    summary: 'Tests a database connection for clients older than `/api/v1`',
    body: Type.Object(
      {
        uri: text(0, 1024),
        name: nullish(text(0, 250)),
        impersonate_user: optional(flag()),
        server_cert: nullish(text()),
        extra: nullish(jsonText()),
        encrypted_extra: nullish(jsonText()),
      },
      { additionalProperties: true },
    ),
    reply: Type.String(),
    object: 'a masked secret is taken only from a stored database with the same address and user',
    audit: 'database.test_connection',
    errors: 'legacy',
    fails: ['unprocessable', 'connection_failed'],
  }),
  validateParameters: defineRoute({
    ...write,
    method: 'POST',
    path: '/api/v1/database/validate_parameters/',
    summary: 'Validates the fields of the connection form',
    body: DatabaseParameters,
    reply: MessageBody,
    object: 'none',
    audit: 'none',
    errors: 'typed',
    fails: ['invalid_payload', 'connection_missing', 'connection_hostname', 'connection_port_closed'],
  }),
  available: defineRoute({
    ...read,
    path: '/api/v1/database/available/',
    summary: 'Lists the available database engines',
    reply: openObject({ databases: Type.Array(AvailableEngine) }),
    object: 'none',
    fails: [],
  }),
  relatedObjects: defineRoute({
    ...read,
    path: '/api/v1/database/:id/related_objects/',
    summary: 'Lists the charts, dashboards and SQL Lab tabs that use a database',
    params: ById,
    reply: openObject({ ...dependents, sqllab_tab_states: openObject({ count: Type.Integer() }) }),
    fails: ['not_found'],
  }),
  uploadSchemas: defineRoute({
    ...read,
    path: '/api/v1/database/:id/schemas_access_for_file_upload/',
    summary: 'Lists the schemas that the caller may upload files to',
    params: ById,
    reply: openObject({ schemas: Type.Array(Type.String()) }),
    fails: ['not_found'],
  }),
}
