import { engineOfUri, mask } from '@parquetry/engines'
import { AppError } from '@parquetry/model'
import { type ConnectionRules, readConnection } from '../database/connection.ts'
import { connectionColumns } from '../database/source.ts'
import { tunnelSecrets } from '../database/ssh-tunnel.ts'
import type { Keys } from '../store/keys.ts'
import { existsAlready, fieldsOf } from './fields.ts'
import type { ImportContext } from './import-bundle.ts'

/** What bundles never hold and an import is given beside one; each by the path of the database's file. */
export interface Vault {
  keys: Keys
  rules: ConnectionRules
  passwords: Record<string, string>
  tunnel: Record<(typeof tunnelSecrets)[number], Record<string, string>>
}

/** Clients look for "Must provide" and ask their user then. */
const tunnelWords = {
  password: 'Must provide a password for the ssh tunnel',
  private_key: 'Must provide a private key for the ssh tunnel',
  private_key_password: 'Must provide a private key password for the ssh tunnel',
} as const

/** The tunnel of a document with what the vault has in place of its masks. */
function readTunnel(document: Record<string, unknown>, path: string, vault: Vault | undefined, missing: string[]) {
  const { ssh_tunnel } = document
  if (typeof ssh_tunnel !== 'object' || ssh_tunnel === null) return undefined
  const tunnel: Record<string, unknown> = { ...ssh_tunnel }
  for (const name of tunnelSecrets) {
    if (tunnel[name] !== mask) continue
    tunnel[name] = vault?.tunnel[name][path]
    if (tunnel[name] === undefined) missing.push(tunnelWords[name])
  }
  return tunnel
}

function refuseSecrets(): never {
  throw new AppError('unprocessable', { message: 'Secrets of a database are taken only by its own import.' })
}

/** Of an import that brings databases along only. */
const beside: ConnectionRules = { preventUnsafe: true, tunnels: false }

/**
 * A database of a bundle. One that is there stays as it is; a new one needs its secrets from the vault. Without a vault nothing
 * secret is taken, because it could not be encrypted.
 */
export async function importDatabase(
  document: Record<string, unknown>,
  path: string,
  context: ImportContext,
): Promise<void> {
  const { db, ids, authorId, at, vault } = context
  const fields = fieldsOf(document, path)
  const uuid = fields.required('uuid')
  const found = await db.selectFrom('database').select('id').where('uuid', '=', uuid).executeTakeFirst()
  if (found) {
    ids.databases.set(uuid, found.id)
    if (context.mainFolder === 'databases' && !context.overwrite) context.problems[path] = existsAlready('Database')
    return
  }
  const uri = fields.required('sqlalchemy_uri')
  const engine = engineOfUri(uri)
  if (!engine) {
    context.problems[path] = { sqlalchemy_uri: ['This server has no engine for this kind of database.'] }
    return
  }
  try {
    const told = engine.fromUri(uri)
    const missing: string[] = []
    const password = vault?.passwords[path] ?? fields.text('password') ?? told['password']
    if (told['password'] !== undefined && (password === mask || !vault))
      missing.push('Must provide a password for the database')
    const ssh_tunnel = readTunnel(document, path, vault, missing)
    if (missing.length > 0) {
      context.problems[path] = { _schema: missing }
      return
    }
    const settings = { ...told, ...(typeof password === 'string' && { password }) }
    const body = { sqlalchemy_uri: engine.toUri(settings, false), ...(ssh_tunnel && { ssh_tunnel }) }
    const connection = readConnection(body, undefined, vault?.rules ?? beside)
    if (!connection) throw new AppError('unprocessable')
    const keys = vault?.keys ?? { encrypt: () => refuseSecrets() }
    const made = await db
      .insertInto('database')
      .values({
        uuid,
        database_name: fields.required('database_name'),
        ...connectionColumns({ keys }, connection, uuid),
        extra: fields.json('extra') ?? '{}',
        cache_timeout: fields.number('cache_timeout'),
        expose_in_sqllab: fields.truth('expose_in_sqllab', true),
        allow_run_async: fields.truth('allow_run_async'),
        allow_ctas: fields.truth('allow_ctas'),
        allow_cvas: fields.truth('allow_cvas'),
        allow_dml: fields.truth('allow_dml'),
        allow_file_upload: fields.truth('allow_csv_upload') || fields.truth('allow_file_upload'),
        force_ctas_schema: null,
        impersonate_user: fields.truth('impersonate_user'),
        configuration_method: 'sqlalchemy_form',
        version: 1,
        created_on: at,
        changed_on: at,
        created_by_fk: authorId,
        changed_by_fk: authorId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.databases.set(uuid, made.id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    context.problems[path] = error.fields ?? { _schema: [error.message] }
  }
}
