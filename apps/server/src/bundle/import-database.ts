import { findImportedEngine, secretMask } from '@parquetry/engines'
import { AppError, message } from '@parquetry/model'
import { type Connection, type ConnectionRules, isSameConnection, readConnection } from '../connection/connection.ts'
import { checkAbilities, withoutArguments } from '../database/options.ts'
import { connectionColumns, readStoredConnection } from '../connection/source.ts'
import { tunnelSecrets } from '../connection/ssh-tunnel.ts'
import { invalidPayload } from '../http/writing.ts'
import { upsertDatabasePermission } from '../access/data-permissions.ts'
import type { Keys } from '../store/keys.ts'
import { formatAlreadyExists, createFieldReader } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'

/** Secrets given alongside a bundle, which never contains them, by the path of the database's file. */
export interface ImportSecrets {
  keys: Keys
  rules: ConnectionRules
  passwords: Record<string, string>
  tunnel: Record<(typeof tunnelSecrets)[number], Record<string, string>>
}

/** Clients detect "Must provide" and then prompt the user, so these texts are not translated. */
const missingPasswordText = 'Must provide a password for the database'
const missingTunnelSecretTexts = {
  password: 'Must provide a password for the ssh tunnel',
  private_key: 'Must provide a private key for the ssh tunnel',
  private_key_password: 'Must provide a private key password for the ssh tunnel',
} as const

/** Returns the tunnel of a document, with masks replaced by secrets from the vault. */
function readTunnel(
  document: Record<string, unknown>,
  path: string,
  importSecrets: ImportSecrets | undefined,
  missing: string[],
  isStored: boolean,
) {
  const { ssh_tunnel } = document
  if (typeof ssh_tunnel !== 'object' || ssh_tunnel === null) return undefined
  const tunnel: Record<string, unknown> = { ...ssh_tunnel }
  for (const name of tunnelSecrets) {
    if (tunnel[name] !== secretMask) continue
    const secret = importSecrets?.tunnel[name][path]
    if (secret !== undefined) tunnel[name] = secret
    else if (!isStored) missing.push(missingTunnelSecretTexts[name])
  }
  return tunnel
}

function refuseSecrets(): never {
  throw new AppError('unprocessable', {
    message: message(
      'errors.bundle.secrets',
      'Passwords and other secrets can only be imported with a database import.',
    ),
  })
}

/** Rules for imports in which databases are only dependencies. */
const bundledDatabaseRules: ConnectionRules = { preventUnsafe: true, tunnels: false }

/**
 * Imports a database. A new one needs its secrets from the vault. An existing one is changed only by a bundle of databases with
 * `overwrite`, and keeps its secrets while the connection target is unchanged. Without a vault secrets are rejected, because they
 * could not be encrypted.
 */
export async function importDatabase(
  document: Record<string, unknown>,
  path: string,
  context: ImportContext,
): Promise<void> {
  const { db, ids, authorId, at, secrets } = context
  const fields = createFieldReader(document, path)
  const uuid = fields.required('uuid')
  const database_name = fields.required('database_name')
  const found = await db.selectFrom('database').selectAll().where('uuid', '=', uuid).executeTakeFirst()
  if (found) {
    ids.databases.set(uuid, found.id)
    if (context.mainFolder !== 'databases') return
    if (!context.overwrite) context.problems[path] = formatAlreadyExists('Database')
    if (!context.overwrite || !secrets) return
  }
  const other = await db
    .selectFrom('database')
    .select('uuid')
    .where('database_name', '=', database_name)
    .executeTakeFirst()
  if (other && other.uuid !== uuid) {
    context.problems[path] = {
      database_name: [
        message('errors.bundle.databaseName', 'Another database is already named {name}. Rename one of them.', {
          name: database_name,
        }),
      ],
    }
    return
  }
  try {
    const before = found && secrets && readStoredConnection(secrets, found)
    const connection = readDocument(document, path, secrets, before)
    checkAbilities({ impersonate_user: fields.truth('impersonate_user') === 1 }, connection.engine)
    const row = {
      database_name,
      extra: withoutArguments(fields.json('extra') ?? '{}', connection.engine),
      cache_timeout: fields.number('cache_timeout'),
      expose_in_sqllab: fields.truth('expose_in_sqllab', true),
      allow_run_async: fields.truth('allow_run_async'),
      allow_ctas: fields.truth('allow_ctas'),
      allow_cvas: fields.truth('allow_cvas'),
      allow_dml: fields.truth('allow_dml'),
      allow_file_upload: fields.truth('allow_csv_upload') || fields.truth('allow_file_upload'),
      impersonate_user: fields.truth('impersonate_user'),
      changed_on: at,
      changed_by_fk: authorId,
    }
    const columns = connectionColumns({ keys: secrets?.keys ?? { encrypt: () => refuseSecrets() } }, connection, uuid)
    if (found && before) {
      const connectionChanges = !isSameConnection(connection, before) && {
        ...columns,
        version: found.version + 1,
        last_test: null,
      }
      await db
        .updateTable('database')
        .set({ ...row, ...connectionChanges })
        .where('id', '=', found.id)
        .execute()
      await upsertDatabasePermission(db, { id: found.id, database_name }, found.database_name)
      return
    }
    const creationFields = {
      uuid,
      force_ctas_schema: null,
      configuration_method: 'sqlalchemy_form',
      version: 1,
    } as const
    const inserted = await db
      .insertInto('database')
      .values({ ...row, ...columns, ...creationFields, created_on: at, created_by_fk: authorId })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.databases.set(uuid, inserted.id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.problems[path] = error.fields?.['password']
      ? { _schema: [missingPasswordText] }
      : (error.fieldMessages ?? { _schema: [error.sentence] })
  }
}

/** @throws AppError `invalid_payload`, with missing secrets listed under `_schema` */
function readDocument(
  document: Record<string, unknown>,
  path: string,
  importSecrets: ImportSecrets | undefined,
  before: Connection | undefined,
): Connection {
  const uri = createFieldReader(document, path).required('sqlalchemy_uri')
  const engine = findImportedEngine(uri)
  if (!engine)
    throw invalidPayload({
      sqlalchemy_uri: [
        message(
          'errors.bundle.address',
          'The connection string must begin with the type of the database, such as postgresql://.',
        ),
      ],
    })
  const uriSettings = engine.fromUri(uri)
  const missing: string[] = []
  const password =
    importSecrets?.passwords[path] ?? createFieldReader(document, path).text('password') ?? uriSettings['password']
  if (uriSettings['password'] !== undefined && !before && (password === secretMask || !importSecrets))
    missing.push(missingPasswordText)
  const ssh_tunnel = readTunnel(document, path, importSecrets, missing, before !== undefined)
  if (missing.length > 0) throw invalidPayload({ _schema: missing })
  const settings = { ...uriSettings, ...(typeof password === 'string' && { password }) }
  const body = { sqlalchemy_uri: engine.toUri(settings, false), ...(ssh_tunnel && { ssh_tunnel }) }
  const rules = importSecrets?.rules ?? bundledDatabaseRules
  const connection = readConnection(body, before, { ...rules, isImport: true })
  if (!connection) throw new AppError('unprocessable')
  return connection
}
