import { describeUriMapping, findImportedEngine, secretMask, unsupportedEngineMessage } from '@parquetry/engines'
import { AppError, type FieldMessages, type ImportSecretField, message } from '@parquetry/model'
import { type Connection, type ConnectionRules, readConnection } from '../connection/connection.ts'
import { checkAbilities, hasArguments, withoutArguments } from '../database/options.ts'
import { connectionColumns, readStoredConnection } from '../connection/source.ts'
import { tunnelSecrets } from '../connection/ssh-tunnel.ts'
import { invalidPayload } from '../http/writing.ts'
import { upsertDatabasePermission } from '../access/data-permissions.ts'
import type { Keys } from '../store/keys.ts'
import { isSameTarget } from './connection-differences.ts'
import { exportDatabase } from './export-documents.ts'
import { createFieldReader, fileProblem } from './fields.ts'
import type { KindImporter, ReadScope } from './import-scope.ts'
import { pickOtherFields } from './other-fields.ts'

type Document = Record<string, unknown>

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

const fieldBySecretText: Record<string, ImportSecretField> = {
  [missingPasswordText]: 'passwords',
  [missingTunnelSecretTexts.password]: 'ssh_tunnel_passwords',
  [missingTunnelSecretTexts.private_key]: 'ssh_tunnel_private_keys',
  [missingTunnelSecretTexts.private_key_password]: 'ssh_tunnel_private_key_passwords',
}

/** Form fields of the secrets that the problems of a database ask for. */
export function listMissingSecrets(problems: FieldMessages[string] | undefined): ImportSecretField[] {
  const texts = typeof problems === 'object' && '_schema' in problems ? problems['_schema'] : []
  return Array.isArray(texts)
    ? (texts as unknown[]).flatMap((text) => (typeof text === 'string' ? (fieldBySecretText[text] ?? []) : []))
    : []
}

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

const knownFields = [
  'database_name',
  'sqlalchemy_uri',
  'password',
  'cache_timeout',
  'expose_in_sqllab',
  'allow_run_async',
  'allow_ctas',
  'allow_cvas',
  'allow_dml',
  'allow_csv_upload',
  'allow_file_upload',
  'extra',
  'impersonate_user',
  'ssh_tunnel',
  'uuid',
  'version',
  // Secrets that are not used here; as unknown fields they would be stored and exported without encryption.
  'encrypted_extra',
  'masked_encrypted_extra',
]

/** Tells the importer what of a connection has another meaning or no effect here. */
function noteConnection(
  document: Document,
  path: string,
  { connection, extra }: DatabaseContent,
  scope: ReadScope,
): void {
  const fields = createFieldReader(document, path)
  const uri = fields.required('sqlalchemy_uri')
  for (const text of describeUriMapping(uri)) scope.note(text)
  // An address that the settings do not allow; other products are described by their address.
  if (connection.engine.isUnsupported && !findImportedEngine(uri)?.isUnsupported)
    scope.note(unsupportedEngineMessage(connection.engine))
  const written = fields.json('extra') ?? '{}'
  if (!connection.engine.isUnsupported && extra !== written && hasArguments(written))
    scope.note(
      message(
        'errors.bundle.driverArguments',
        'The driver arguments in engine_params are not used here and were left out.',
      ),
    )
  if ([document['encrypted_extra'], document['masked_encrypted_extra']].some((text) => text && text !== '{}'))
    scope.note(
      message('errors.bundle.encryptedExtra', 'The secrets in encrypted_extra are not used here and were left out.'),
    )
}

function readContent(document: Document, path: string, scope: ReadScope, before: Connection | undefined) {
  const fields = createFieldReader(document, path)
  const connection = readDocument(document, path, scope.secrets, before)
  checkAbilities({ impersonate_user: fields.truth('impersonate_user') === 1 }, connection.engine)
  return {
    database_name: fields.required('database_name', 250),
    extra: withoutArguments(fields.json('extra') ?? '{}', connection.engine),
    cache_timeout: fields.integer('cache_timeout'),
    expose_in_sqllab: fields.truth('expose_in_sqllab', true),
    allow_run_async: fields.truth('allow_run_async'),
    allow_ctas: fields.truth('allow_ctas'),
    allow_cvas: fields.truth('allow_cvas'),
    allow_dml: fields.truth('allow_dml'),
    allow_file_upload: fields.truth('allow_csv_upload') || fields.truth('allow_file_upload'),
    impersonate_user: fields.truth('impersonate_user'),
    other_fields: pickOtherFields(document, knownFields),
    connection,
  }
}

type DatabaseContent = ReturnType<typeof readContent>

/** Errors of a connection as problems of its file. */
function asFileProblem(error: unknown, path: string): unknown {
  if (!(error instanceof AppError) || error.detailMessages?.[path] !== undefined) return error
  return fileProblem(
    path,
    error.fields?.['password']
      ? { _schema: [missingPasswordText] }
      : (error.fieldMessages ?? { _schema: [error.sentence] }),
  )
}

/** Name of a database; one that another database has gets a number, because databases of two installations are not the same. */
async function chooseName({ db, note }: ReadScope, name: string, uuid: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} (${number})`
    const other = await db
      .selectFrom('database')
      .select('uuid')
      .where('database_name', '=', candidate)
      .executeTakeFirst()
    if (other && other.uuid !== uuid) continue
    if (number > 1)
      note(
        message(
          'errors.bundle.databaseRenamed',
          'Another database is named {name}, so this one is named {candidate}.',
          { name, candidate },
        ),
      )
    return candidate
  }
}

const encrypting = ({ secrets }: ReadScope) => ({ keys: secrets?.keys ?? { encrypt: () => refuseSecrets() } })

/**
 * Imports a database. A new one needs its secrets; an existing one keeps its secrets while the connection target is unchanged.
 * Without a key for secrets, documents with secrets are refused.
 */
export const databaseImporter: KindImporter<DatabaseContent> = {
  kind: 'database',

  async read(document, path, scope, stored) {
    const fields = createFieldReader(document, path)
    const database_name = await chooseName(scope, fields.required('database_name', 240), String(document['uuid']))
    const row =
      stored && (await scope.db.selectFrom('database').selectAll().where('id', '=', stored.id).executeTakeFirst())
    try {
      const before = row && scope.secrets && readStoredConnection(scope.secrets, row)
      const content = readContent(document, path, scope, before)
      // Fails now rather than after others were written.
      connectionColumns(encrypting(scope), content.connection, String(document['uuid']))
      noteConnection(document, path, content, scope)
      return { ...content, database_name }
    } catch (error) {
      throw asFileProblem(error, path)
    }
  },

  async readStored(db, { id }, scope) {
    const row = await db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row || !scope.secrets) return undefined
    return readContent(exportDatabase(row), '', scope, readStoredConnection(scope.secrets, row))
  },

  async create({ connection, ...row }, identity, scope) {
    const { db, authorId, at } = scope
    const creation = {
      ...identity,
      force_ctas_schema: null,
      configuration_method: 'sqlalchemy_form',
      version: 1,
      created_on: at,
      created_by_fk: authorId,
      changed_on: at,
      changed_by_fk: authorId,
    } as const
    const { id } = await db
      .insertInto('database')
      .values({ ...row, ...connectionColumns(encrypting(scope), connection, identity.uuid), ...creation })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },

  async replace({ connection, ...row }, { id, uuid }, scope) {
    const { db, authorId, at, secrets } = scope
    const found = await db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const before = secrets && readStoredConnection(secrets, found)
    const isChanged = !before || !isSameTarget(connection, before)
    await db
      .updateTable('database')
      .set({
        ...row,
        ...(isChanged && {
          ...connectionColumns(encrypting(scope), connection, uuid),
          version: found.version + 1,
          last_test: null,
        }),
        changed_on: at,
        changed_by_fk: authorId,
      })
      .where('id', '=', id)
      .execute()
    await upsertDatabasePermission(db, { id, database_name: row.database_name }, found.database_name)
  },
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
  const isNeeded = !engine.isUnsupported || !importSecrets
  if (isNeeded && uriSettings['password'] !== undefined && !before && (password === secretMask || !importSecrets))
    missing.push(missingPasswordText)
  const ssh_tunnel = readTunnel(document, path, importSecrets, missing, before !== undefined)
  if (missing.length > 0) throw invalidPayload({ _schema: missing })
  // A connection that is never opened has a password only so that its address is exported as it was.
  const given = !isNeeded && !before && password === secretMask ? 'unknown' : password
  const settings = { ...uriSettings, ...(typeof given === 'string' && { password: given }) }
  const body = { sqlalchemy_uri: engine.toUri(settings, false), ...(ssh_tunnel && { ssh_tunnel }) }
  const rules = importSecrets?.rules ?? bundledDatabaseRules
  const connection = readConnection(body, before, { ...rules, isImport: true })
  if (!connection) throw new AppError('unprocessable')
  return connection
}
