import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { AppError, message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { databaseDefaults } from '../database/database-defaults.ts'
import { isReadOnlyConnection } from '../connection/extra.ts'
import { type DatabaseRow, engineFor, dataFolderOf } from '../connection/source.ts'
import { readDatabaseDocument } from '../database/save-database.ts'
import type { Principal } from '../access/principal.ts'
import type { ReadContext } from '../http/resource.ts'
import { createdBy, type WriteContext } from '../http/writing.ts'
import { can } from '../access/access.ts'
import { databaseViewName } from '../access/data-rights.ts'
import { upsertDatabasePermission } from '../access/data-permissions.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import type { UploadDeps } from './deps.ts'

/** Name of the embedded database that files go to by default; created at first use. */
export const uploadsName = 'Uploads'

/** True for databases whose tables we write: embedded ones that are not a file of the user. */
const isManaged = (database: DatabaseRow): boolean =>
  engineFor(database).kind === 'embedded' && (JSON.parse(database.settings) as { path?: string }).path === undefined

const acceptsFiles = (database: DatabaseRow): boolean =>
  database.allow_file_upload === 1 && !isReadOnlyConnection(database)

const isTarget = (database: DatabaseRow): boolean => acceptsFiles(database) && isManaged(database)

const findUploadsDatabase = (db: Kysely<Tables>): Promise<DatabaseRow | undefined> =>
  db.selectFrom('database').selectAll().where('database_name', '=', uploadsName).executeTakeFirst()

const canLoadInto = (context: ReadContext, { id }: DatabaseRow): Promise<boolean> =>
  can(context, ['can_read', 'Database'], { kind: 'database', id })

/** Databases that accept files of the caller, the one for uploads first. */
export async function listTargets(context: ReadContext): Promise<{ databases: DatabaseRow[]; makes: boolean }> {
  const all = await context.db
    .selectFrom('database')
    .selectAll()
    .where('allow_file_upload', '=', 1)
    .orderBy('database_name')
    .execute()
  const databases: DatabaseRow[] = []
  for (const database of all)
    if (isTarget(database) && (database.database_name === uploadsName || (await canLoadInto(context, database))))
      databases.push(database)
  databases.sort((a, b) => Number(b.database_name === uploadsName) - Number(a.database_name === uploadsName))
  return { databases, makes: (await findUploadsDatabase(context.db)) === undefined }
}

/**
 * The database that a file goes to.
 * @param id  null: the one for uploads, which all users who may add files can use; undefined until it exists
 * @throws AppError `not_found` for one that the caller cannot see; `unprocessable` for one that does not accept files
 */
export async function findTarget(context: ReadContext, id: number | null): Promise<DatabaseRow | undefined> {
  const database =
    id === null
      ? await findUploadsDatabase(context.db)
      : await context.db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirst()
  if (!database) {
    if (id === null) return undefined
    throw new AppError('not_found')
  }
  const isUploads = database.database_name === uploadsName
  if (!isUploads && !(await canLoadInto(context, database))) throw new AppError('not_found')
  if (!acceptsFiles(database))
    throw new AppError('unprocessable', {
      message: message('errors.upload.notAllowed', 'The database {name} does not accept files.', {
        name: database.database_name,
      }),
    })
  if (!isManaged(database))
    throw new AppError('unprocessable', {
      message: message(
        'errors.upload.notEmbedded',
        'Files cannot be loaded into {name}. Choose {uploads} or another embedded database.',
        { name: database.database_name, uploads: uploadsName },
      ),
    })
  return database
}

/** @throws AppError as `findTarget` */
export async function ensureTarget(deps: UploadDeps, context: WriteContext, id: number | null): Promise<DatabaseRow> {
  const found = await findTarget(context, id)
  if (found) return found
  try {
    return await createUploadsDatabase(deps, context)
  } catch (error) {
    // Two concurrent first uploads: the name is unique, so the other one has created it.
    const existing = await findTarget(context, null)
    if (existing) return existing
    throw error
  }
}

async function createUploadsDatabase(
  { settings }: UploadDeps,
  { db, principal, now }: WriteContext,
): Promise<DatabaseRow> {
  const uuid = randomUUID()
  const history = { kind: 'database', uuid, author: principal.id, now }
  const id = await change(db, { ...history, document: readDatabaseDocument }, async (trx) => {
    const inserted = await trx
      .insertInto('database')
      .values({
        uuid,
        database_name: uploadsName,
        backend: 'duckdb',
        sqlalchemy_uri: 'duckdb://',
        settings: '{}',
        secrets: null,
        ...databaseDefaults,
        extra: JSON.stringify({ schemas_allowed_for_file_upload: [mainSchema] }),
        allow_file_upload: 1,
        allow_ctas: 1,
        allow_run_async: 1,
        ...createdBy(principal, now),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await upsertDatabasePermission(trx, { id: inserted.id, database_name: uploadsName })
    return inserted.id
  })
  mkdirSync(dataFolderOf(settings.home, uuid), { recursive: true, mode: 0o700 })
  return db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The only schema of embedded databases. */
export const mainSchema = 'main'

/** The user who has just written a table of a database, with access to it while its dataset is created. */
export const withReadAccess = (principal: Principal, database: DatabaseRow): Principal => ({
  ...principal,
  permissions: new Set([...principal.permissions, `database_access ${databaseViewName(database)}`]),
})
