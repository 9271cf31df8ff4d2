import type { DatabasePost, DatabasePut } from '@parquetry/model'
import type { Insertable, Kysely, Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Deps } from '../deps.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  columnsOf,
  Complaints,
  createdBy,
  refused,
  wrongFields,
  type WriteContext,
} from '../http/writing.ts'
import { keepDatabasePermission, removeDataPermission } from '../security/data-permissions.ts'
import type { DatabaseTable, Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { type Connection, readConnection, splitSecrets, unmask, uriComplaint } from './connection.ts'
import { ownFiles } from './own-files.ts'
import { maskedParameters } from './parameters.ts'
import { type DatabaseRow, engineFor, folderOf, settingsOf } from './source.ts'
import { pingConnection } from './test-connection.ts'

const plainFields = [
  'cache_timeout',
  'expose_in_sqllab',
  'allow_run_async',
  'allow_file_upload',
  'allow_ctas',
  'allow_cvas',
  'allow_dml',
  'force_ctas_schema',
  'impersonate_user',
  'extra',
  'configuration_method',
] as const

/** A database without its secrets, for its history. */
export async function databaseDocument(db: Kysely<Tables>, id: number): Promise<object> {
  const { secrets: _, ...row } = await db
    .selectFrom('database')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

/** Everything about a body that needs no look outside: the texts, and what is not built. */
function checkBody(body: Partial<DatabasePost>): void {
  const complaints = new Complaints(wrongFields)
  const uri = body.sqlalchemy_uri ? uriComplaint(body.sqlalchemy_uri) : undefined
  if (uri) complaints.add('sqlalchemy_uri', uri)
  for (const field of ['extra', 'masked_encrypted_extra'] as const) {
    try {
      const value: unknown = JSON.parse(body[field] || '{}')
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        complaints.add(field, 'Must be a JSON object.')
    } catch (error) {
      complaints.add(field, `Field cannot be decoded by JSON. ${error instanceof Error ? error.message : ''}`.trim())
    }
  }
  if (body.ssh_tunnel) complaints.add('ssh_tunnel', 'SSH tunnels are not supported.')
  complaints.throwIfAny()
}

async function mustBeFree({ db }: WriteContext, name: string, except: number | null): Promise<void> {
  const other = await db.selectFrom('database').select('id').where('database_name', '=', name).executeTakeFirst()
  if (other && other.id !== except) throw refused({ database_name: 'A database with the same name already exists.' })
}

/** Columns that tell how the database is reached. */
function connectionColumns(deps: Deps, connection: Connection, uuid: string) {
  const { open, secrets } = splitSecrets(connection)
  return {
    backend: connection.engine.name,
    sqlalchemy_uri: connection.engine.toUri(connection.settings, true),
    settings: JSON.stringify(open),
    secrets: Object.keys(secrets).length > 0 ? deps.keys.encrypt(JSON.stringify(secrets), uuid) : null,
  }
}

/** Rows of the files that an embedded database reads where they stand. */
async function writeOwnFiles(
  trx: Transaction<Tables>,
  id: number,
  { engine, settings }: Connection,
  roots: readonly string[],
) {
  const { path } = settings
  if (engine.kind !== 'embedded' || typeof path !== 'string') return
  await trx.deleteFrom('embedded_table').where('database_id', '=', id).execute()
  const tables = ownFiles(path, roots).map((table) => ({ ...table, database_id: id, inner_table: '', version: 1 }))
  await trx.insertInto('embedded_table').values(tables).execute()
}

/** What the answer to a write says besides the body: how the database is reached, secrets masked. */
export const connectionEcho = (row: DatabaseRow) => ({
  sqlalchemy_uri: row.sqlalchemy_uri,
  parameters: maskedParameters(
    engineFor(row),
    JSON.parse(row.settings) as Record<string, unknown>,
    row.secrets !== null,
  ),
  configuration_method: row.configuration_method,
})

const stored = (db: Kysely<Tables>, id: number): Promise<DatabaseRow> =>
  db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Makes a connection, after trying it. */
export async function createDatabase(
  deps: Deps,
  context: WriteContext,
  body: DatabasePost,
  signal: AbortSignal,
): Promise<DatabaseRow> {
  const { db, principal, now, event } = context
  checkBody(body)
  await mustBeFree(context, body.database_name, null)
  const told = readConnection(body)
  if (!told) throw wrongFields({ sqlalchemy_uri: ['Missing data for required field.'] })
  const connection = unmask(told, undefined)
  await pingConnection(deps, connection, signal)
  const uuid = body.uuid ?? randomUUID()
  const row: Insertable<DatabaseTable> = {
    ...connectionColumns(deps, connection, uuid),
    uuid,
    extra: '{}',
    cache_timeout: null,
    expose_in_sqllab: 1,
    allow_run_async: 0,
    allow_ctas: 0,
    allow_cvas: 0,
    allow_dml: 0,
    allow_file_upload: 0,
    force_ctas_schema: null,
    impersonate_user: 0,
    configuration_method: 'sqlalchemy_form',
    version: 1,
    ...(columnsOf(body, plainFields) as Partial<Insertable<DatabaseTable>>),
    database_name: body.database_name,
    ...createdBy(principal, now),
  }
  const history = { kind: 'database', uuid, author: principal.id, event, now }
  const id = await change(db, { ...history, document: databaseDocument }, async (trx) => {
    const made = await trx.insertInto('database').values(row).returning('id').executeTakeFirstOrThrow()
    await writeOwnFiles(trx, made.id, connection, deps.settings.files)
    await keepDatabasePermission(trx, { id: made.id, database_name: body.database_name })
    event.json = { id: made.id }
    return made.id
  })
  if (connection.engine.kind === 'embedded')
    mkdirSync(folderOf(deps.settings.home, uuid), { recursive: true, mode: 0o700 })
  return stored(db, id)
}

/** Changes the sent fields of a database. A connection that changes is tried first. */
export async function updateDatabase(
  deps: Deps,
  context: WriteContext,
  row: DatabaseRow,
  body: DatabasePut,
  { signal, ifMatch }: { signal: AbortSignal; ifMatch: string | undefined },
): Promise<DatabaseRow> {
  const { db, principal, now, event } = context
  refuseStale(row, ifMatch, body.changed_on)
  checkBody(body as Partial<DatabasePost>)
  const database_name = body.database_name ?? row.database_name
  await mustBeFree(context, database_name, row.id)
  const before: Connection = { engine: engineFor(row), settings: settingsOf(deps, row) }
  const told = body.sqlalchemy_uri === row.sqlalchemy_uri ? undefined : readConnection(body)
  const connection = told && unmask(told, before)
  const isMoved = connection !== undefined && JSON.stringify(connection.settings) !== JSON.stringify(before.settings)
  if (isMoved) await pingConnection(deps, connection, signal)
  event.json = { id: row.id }
  const history = { kind: 'database', uuid: row.uuid, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => databaseDocument(trx, row.id) }, async (trx) => {
    await trx
      .updateTable('database')
      .set({
        ...(columnsOf(body, plainFields) as Partial<Insertable<DatabaseTable>>),
        ...(isMoved && { ...connectionColumns(deps, connection, row.uuid), version: row.version + 1 }),
        database_name,
        ...changedBy(principal, now, row),
      })
      .where('id', '=', row.id)
      .execute()
    if (isMoved) await writeOwnFiles(trx, row.id, connection, deps.settings.files)
    await keepDatabasePermission(trx, { id: row.id, database_name }, row.database_name)
  })
  return stored(db, row.id)
}

/** @throws AppError `unprocessable` while datasets hang on the database */
export async function refuseUsed({ db }: WriteContext, rows: readonly DatabaseRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const used = await db.selectFrom('dataset').select('table_name').where('database_id', 'in', ids).limit(1).execute()
  if (used.length > 0)
    throw refused({ database: ['Datasets use this database. Delete them, or move them to another database, first.'] })
}

export async function removeDatabase(trx: Transaction<Tables>, { id }: DatabaseRow): Promise<void> {
  await removeDataPermission(trx, 'database_access', id)
  await trx.deleteFrom('saved_query').where('db_id', '=', id).execute()
  await trx.deleteFrom('query').where('database_id', '=', id).execute()
  await trx.deleteFrom('database').where('id', '=', id).execute()
}

/** Table files of a database that is gone; runners that still read them keep their open files. */
export const removeFiles = (deps: Deps, { uuid, backend }: DatabaseRow): Promise<void> =>
  engineFor({ backend }).kind === 'embedded'
    ? rm(folderOf(deps.settings.home, uuid), { recursive: true, force: true })
    : Promise.resolve()
