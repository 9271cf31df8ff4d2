import { message, type DatabasePost, type DatabasePut } from '@parquetry/model'
import type { Insertable, Kysely, Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { ConnectionDeps } from '../connection/deps.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  toColumns,
  createdBy,
  unprocessableFields,
  unprocessable,
  type WriteContext,
} from '../http/writing.ts'
import { refuseUsedByReports } from '../http/report-uses.ts'
import { upsertDatabasePermission, removeDataPermission } from '../access/data-permissions.ts'
import type { DatabaseTable, Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import {
  type Connection,
  type ConnectionRules,
  isSameConnection,
  readConnection,
  findUriProblem,
} from '../connection/connection.ts'
import { passedTest } from './last-test.ts'
import { checkAbilities, checkJsonFields, withoutArguments } from './options.ts'
import { listServerFiles } from '../connection/server-files.ts'
import { maskedParameters } from '../connection/parameters.ts'
import { databaseDefaults } from './database-defaults.ts'
import {
  connectionColumns,
  readStoredConnection,
  type DatabaseRow,
  engineFor,
  dataFolderOf,
} from '../connection/source.ts'
import { testConnection, testUser } from './test-connection.ts'

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

/** The database without its secrets, for its version history. */
export async function readDatabaseDocument(db: Kysely<Tables>, id: number): Promise<object> {
  const { secrets: _, ...row } = await db
    .selectFrom('database')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row
}

/** Validates a body as far as possible without database access. */
function checkBody(body: Partial<DatabasePost>, { preventUnsafe }: ConnectionRules): void {
  checkJsonFields(body, (errors) => {
    const uri = body.sqlalchemy_uri ? findUriProblem(body.sqlalchemy_uri, preventUnsafe) : undefined
    if (uri) errors.add('sqlalchemy_uri', uri)
  })
}

export const toConnectionRules = ({
  settings: { config, flags },
}: Pick<ConnectionDeps, 'settings'>): ConnectionRules => ({
  preventUnsafe: config.PREVENT_UNSAFE_DB_CONNECTIONS,
  tunnels: flags['SSH_TUNNELING'] === true,
})

async function requireUniqueName({ db }: WriteContext, name: string, exceptId: number | null): Promise<void> {
  const other = await db.selectFrom('database').select('id').where('database_name', '=', name).executeTakeFirst()
  if (other && other.id !== exceptId)
    throw unprocessableFields({
      database_name: message('errors.database.nameTaken', 'A database with the same name already exists.'),
    })
}

/** Replaces the rows of the files that an embedded database reads in place. Tables created from queries stay. */
async function replaceFileTables(
  trx: Transaction<Tables>,
  id: number,
  { engine, settings }: Connection,
  roots: readonly string[],
) {
  const { path } = settings
  if (engine.kind !== 'embedded' || typeof path !== 'string') return
  await trx.deleteFrom('embedded_table').where('database_id', '=', id).where('format', '!=', 'duckdb').execute()
  const created = await trx.selectFrom('embedded_table').select('name').where('database_id', '=', id).execute()
  const names = new Set(created.map(({ name }) => name.toLowerCase()))
  const files = listServerFiles(path, roots).filter(({ name }) => !names.has(name.toLowerCase()))
  if (files.length === 0) return
  const tables = files.map((table) => ({
    ...table,
    database_id: id,
    inner_table: '',
    version: 1,
  }))
  await trx.insertInto('embedded_table').values(tables).execute()
}

/** Response to a write: the sent fields and the connection details, with secrets masked. No sent secret is returned. */
export function presentSaved(row: DatabaseRow, sent: Partial<DatabasePost>) {
  const { ssh_tunnel, ...rest } = sent
  return {
    ...rest,
    sqlalchemy_uri: row.sqlalchemy_uri,
    parameters: maskedParameters(engineFor(row), row),
    configuration_method: row.configuration_method,
    ...(ssh_tunnel !== undefined && { ssh_tunnel: row.ssh_tunnel && (JSON.parse(row.ssh_tunnel) as object) }),
  }
}

interface TestedConnection {
  connection: Connection
  /** JSON for the `last_test` column. */
  last_test: string
}

/** Tests a connection; for a tunnel, stores the host key that its server presented. */
async function testBeforeSave(
  { deps, now }: { deps: ConnectionDeps; now: Date },
  connection: Connection,
  user: string | null,
  signal: AbortSignal,
): Promise<TestedConnection> {
  const report = await testConnection(deps, connection, user, signal)
  const { host_key } = report
  const { tunnel } = connection
  return {
    connection: tunnel && host_key !== null ? { ...connection, tunnel: { ...tunnel, host_key } } : connection,
    last_test: JSON.stringify(passedTest(now, report)),
  }
}

const readRow = (db: Kysely<Tables>, id: number): Promise<DatabaseRow> =>
  db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Creates a connection after testing it. */
export async function createDatabase(
  deps: ConnectionDeps,
  context: WriteContext,
  body: DatabasePost,
  signal: AbortSignal,
): Promise<DatabaseRow> {
  const { db, principal, now, event } = context
  const rules = toConnectionRules(deps)
  checkBody(body, rules)
  await requireUniqueName(context, body.database_name, null)
  const requested = readConnection(body, undefined, rules)
  if (!requested)
    throw unprocessableFields({ sqlalchemy_uri: [message('errors.fields.isRequired', 'Field is required')] })
  checkAbilities(body, requested.engine)
  const user = testUser(requested, principal, body.impersonate_user === true)
  const { connection, last_test } = await testBeforeSave({ deps, now }, requested, user, signal)
  const uuid = body.uuid ?? randomUUID()
  const row: Insertable<DatabaseTable> = {
    ...connectionColumns(deps, connection, uuid),
    uuid,
    ...databaseDefaults,
    last_test,
    ...(toColumns(body, plainFields) as Partial<Insertable<DatabaseTable>>),
    database_name: body.database_name,
    ...createdBy(principal, now),
  }
  const history = { kind: 'database', uuid, author: principal.id, event, now }
  const id = await change(db, { ...history, document: readDatabaseDocument }, async (trx) => {
    const inserted = await trx.insertInto('database').values(row).returning('id').executeTakeFirstOrThrow()
    await replaceFileTables(trx, inserted.id, connection, deps.settings.files)
    await upsertDatabasePermission(trx, { id: inserted.id, database_name: body.database_name })
    event.json = { id: inserted.id }
    return inserted.id
  })
  if (connection.engine.kind === 'embedded')
    mkdirSync(dataFolderOf(deps.settings.home, uuid), { recursive: true, mode: 0o700 })
  return readRow(db, id)
}

/** Options that were never compared with the abilities of an engine, because they were imported with one that is not supported. */
const storedAbilities = ({ impersonate_user, allow_ctas, allow_cvas }: DatabaseRow) => ({
  impersonate_user: impersonate_user === 1,
  allow_ctas: allow_ctas === 1,
  allow_cvas: allow_cvas === 1,
})

/** Changes the sent fields of a database. A changed connection, and one that begins to impersonate users, is tested first. */
export async function updateDatabase(
  deps: ConnectionDeps,
  context: WriteContext,
  row: DatabaseRow,
  sent: DatabasePut,
  { signal, ifMatch }: { signal: AbortSignal; ifMatch: string | undefined },
): Promise<DatabaseRow> {
  const { db, principal, now, event } = context
  const seen = refuseStale(row, ifMatch, sent.changed_on)
  const rules = toConnectionRules(deps)
  const before = readStoredConnection(deps, row)
  // Driver arguments of a connection that is only kept are not used, and those of another engine would not be known.
  const isKept = before.engine.isUnsupported === true
  const fields = sent as Partial<DatabasePost>
  checkBody(
    isKept && fields.extra ? { ...fields, extra: withoutArguments(fields.extra, { kind: 'network' }) } : fields,
    rules,
  )
  const requested = readConnection(fields, before, rules) ?? before
  const body = isKept ? { ...sent, extra: withoutArguments(fields.extra ?? row.extra, requested.engine) } : sent
  const database_name = body.database_name ?? row.database_name
  await requireUniqueName(context, database_name, row.id)
  checkAbilities(isKept ? { ...storedAbilities(row), ...fields } : fields, requested.engine)
  const isConnectionChanged = !isSameConnection(requested, before)
  const impersonates = body.impersonate_user ?? row.impersonate_user === 1
  const isTested = isConnectionChanged || (impersonates && row.impersonate_user !== 1)
  const user = testUser(requested, principal, impersonates)
  const tested = isTested ? await testBeforeSave({ deps, now }, requested, user, signal) : undefined
  const connection = tested?.connection ?? requested
  event.json = { id: row.id }
  const history = { kind: 'database', uuid: row.uuid, seen, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readDatabaseDocument(trx, row.id) }, async (trx) => {
    await trx
      .updateTable('database')
      .set({
        ...(toColumns(body, plainFields) as Partial<Insertable<DatabaseTable>>),
        ...(tested && {
          ...connectionColumns(deps, connection, row.uuid),
          version: row.version + 1,
          last_test: tested.last_test,
        }),
        database_name,
        ...changedBy(principal, now, row),
      })
      .where('id', '=', row.id)
      .execute()
    if (isConnectionChanged) await replaceFileTables(trx, row.id, connection, deps.settings.files)
    await upsertDatabasePermission(trx, { id: row.id, database_name }, row.database_name)
  })
  return readRow(db, row.id)
}

/** @throws AppError `unprocessable` while datasets, alerts or reports use the database */
export async function refuseUsed({ db }: WriteContext, rows: readonly DatabaseRow[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const used = await db.selectFrom('dataset').select('table_name').where('database_id', 'in', ids).limit(1).execute()
  if (used.length > 0)
    throw unprocessable(
      message(
        'errors.database.used',
        'Datasets use this database. Delete them or move them to another database first.',
      ),
    )
  await refuseUsedByReports({ db }, 'database', rows)
}

export async function removeDatabase(trx: Transaction<Tables>, { id }: DatabaseRow): Promise<void> {
  await removeDataPermission(trx, 'database_access', id)
  await trx.deleteFrom('saved_query').where('db_id', '=', id).execute()
  await trx.deleteFrom('query').where('database_id', '=', id).execute()
  await trx.deleteFrom('database').where('id', '=', id).execute()
}

/** Deletes the table files of a deleted database; runners that still read them keep their open files. */
export const removeFiles = (deps: ConnectionDeps, { uuid, backend }: DatabaseRow): Promise<void> =>
  engineFor({ backend }).kind === 'embedded'
    ? rm(dataFolderOf(deps.settings.home, uuid), { recursive: true, force: true })
    : Promise.resolve()
