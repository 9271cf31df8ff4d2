import { type Engine, engineOf, unsupportedEngine } from '@parquetry/engines'
import { AppError, message, type Source, type Tunnel } from '@parquetry/model'
import type { Kysely, Selectable } from 'kysely'
import { join } from 'node:path'
import { requesterKey, type Principal } from '../access/principal.ts'
import type { DatabaseTable, Tables } from '../store/tables.ts'
import { type Connection, requireSupported, secretNames } from './connection.ts'
import type { ConnectionDeps } from './deps.ts'
import { embeddedTable } from './embedded-table.ts'
import { toRunnerSettings } from './runner-settings.ts'
import { withMasks } from './parameters.ts'
import { maskedTunnel, tunnelsDisabled, tunnelSecrets } from './ssh-tunnel.ts'

export type DatabaseRow = Selectable<DatabaseTable>
export type SourceDeps = Pick<ConnectionDeps, 'keys' | 'settings'> & { db: Kysely<Tables> }

/** Engine of a stored database; `isUnsupported` for a product that was imported and cannot be connected to. */
export const engineFor = ({ backend }: Pick<DatabaseRow, 'backend'>): Engine =>
  engineOf(backend) ?? unsupportedEngine(backend)

/** Schema of tables in this database that are named without one. */
export function defaultSchemaOf(database: Pick<DatabaseRow, 'backend' | 'settings'>): string {
  const engine = engineFor(database)
  return engine.schemaOf?.(JSON.parse(database.settings) as Record<string, unknown>) ?? engine.defaultSchema
}

/** Catalog of tables that are named without one, if the engine has catalogs. */
export const defaultCatalogOf = (database: Pick<DatabaseRow, 'settings'>): string | null =>
  (JSON.parse(database.settings) as { catalog?: string }).catalog ?? null

/** Folder of the table files of an embedded database. */
export const dataFolderOf = (home: string, uuid: string): string => join(home, 'data', uuid)

/** Connection of a stored database with decrypted secrets: for runners and comparisons, never for a response. */
export function readStoredConnection({ keys }: Pick<ConnectionDeps, 'keys'>, row: DatabaseRow): Connection {
  const engine = engineFor(row)
  const names = secretNames(engine)
  const masked = JSON.parse(row.settings) as Record<string, unknown>
  const plainSettings = Object.fromEntries(Object.entries(masked).filter(([name]) => !names.includes(name)))
  const { server_cert, ssh_tunnel, ...secrets } = (
    row.secrets === null ? {} : JSON.parse(decryptSecrets(keys, row.secrets, row.uuid))
  ) as { server_cert?: string; ssh_tunnel?: Partial<Tunnel> } & Record<string, unknown>
  const tunnel = row.ssh_tunnel === null ? null : (JSON.parse(row.ssh_tunnel) as Tunnel)
  return {
    engine,
    settings: { ...plainSettings, ...secrets },
    serverCert: server_cert ?? null,
    tunnel: tunnel && { ...omit(tunnel, tunnelSecrets), ...ssh_tunnel },
  }
}

/** @throws AppError `unavailable` when the key file is not the one that the secrets were stored with */
function decryptSecrets(keys: Pick<ConnectionDeps['keys'], 'decrypt'>, secrets: string, uuid: string): string {
  try {
    return keys.decrypt(secrets, uuid)
  } catch (cause) {
    throw new AppError('unavailable', { message: wrongKeys, cause })
  }
}

export const wrongKeys = message(
  'errors.connection.wrongKeys',
  'The stored password of this connection cannot be read, because the key file of the server was replaced. Restore the key file, or enter the password again.',
)

const omit = <T extends object, K extends keyof T>(object: T, names: readonly K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name as K))) as Omit<T, K>

/** Stored columns of a connection: visible settings with masks, and secrets encrypted for this UUID only. */
export function connectionColumns(
  { keys }: { keys: Pick<ConnectionDeps['keys'], 'encrypt'> },
  connection: Connection,
  uuid: string,
) {
  const { engine, settings, serverCert, tunnel } = connection
  const names = secretNames(engine)
  const pick = (object: object, fieldNames: readonly string[]) =>
    Object.fromEntries(
      Object.entries(object).filter(([name, value]) => fieldNames.includes(name) && value !== undefined),
    )
  const secrets = {
    ...pick(settings, names),
    ...(serverCert !== null && { server_cert: serverCert }),
    ...(tunnel && { ssh_tunnel: pick(tunnel, tunnelSecrets) }),
  }
  return {
    backend: engine.name,
    sqlalchemy_uri: engine.toUri(settings, true),
    settings: JSON.stringify(withMasks(settings, names)),
    ssh_tunnel: tunnel && JSON.stringify(maskedTunnel(tunnel)),
    has_server_cert: serverCert === null ? 0 : 1,
    secrets: Object.keys(secrets).length > 0 ? keys.encrypt(JSON.stringify(secrets), uuid) : null,
  }
}

type Requester = Pick<Principal, 'kind' | 'id' | 'username'>

/**
 * User on whose behalf a database is queried. `onlyReads`: the user's SQL is only parsed, never sent to the database. `system`:
 * runners are only notified of changed files.
 */
export type SourceRequester = Requester | { onlyReads: Requester } | 'system'

/** @throws AppError `forbidden` when the database impersonates users and the requester has no name */
function sessionUser({ impersonate_user }: DatabaseRow, requester: SourceRequester): string | null {
  if (impersonate_user !== 1 || requester === 'system' || 'onlyReads' in requester) return null
  if (requester.kind === 'user' && requester.username) return requester.username
  throw new AppError('forbidden', {
    message: message(
      'errors.connection.noUser',
      'This database impersonates the signed-in user, and no user is signed in.',
    ),
  })
}

/**
 * Returns the source where statements of a stored database run. It contains secrets and must only be passed to a runner.
 * @param schema  schema of unqualified names in users' SQL; ignored by engines without schemas
 * @param catalog catalog of that schema; null for the connection's own
 * @param requester   user whose permissions the database applies if the connection impersonates
 * @throws AppError `engine_unsupported`; `forbidden` as `sessionUser`; `bad_request` for a connection through a tunnel while the flag SSH_TUNNELING is
 * off; as `toRunnerSettings`
 */
export async function resolveSource(
  deps: SourceDeps,
  database: DatabaseRow,
  requester: SourceRequester,
  schema: string | null = null,
  catalog: string | null = null,
): Promise<Source> {
  const engine = engineFor(database)
  requireSupported(engine)
  const requesterField =
    requester === 'system'
      ? {}
      : { requester: requesterKey('onlyReads' in requester ? requester.onlyReads : requester) }
  if (engine.kind === 'network') {
    const { settings, serverCert, tunnel } = readStoredConnection(deps, database)
    if (tunnel && !deps.settings.flags['SSH_TUNNELING']) throw tunnelsDisabled()
    const user = sessionUser(database, requester)
    return {
      kind: 'network',
      engine: engine.name,
      id: database.uuid,
      ...requesterField,
      settings: toRunnerSettings(deps, engine, settings),
      schema,
      ...(catalog !== null && { catalog }),
      ...(user !== null && { user }),
      ...(serverCert !== null && { server_cert: serverCert }),
      ...(tunnel && { tunnel }),
    }
  }
  const files = await deps.db
    .selectFrom('embedded_table')
    .selectAll()
    .where('database_id', '=', database.id)
    .orderBy('name')
    .execute()
  return {
    kind: 'embedded',
    engine: 'duckdb',
    id: database.uuid,
    ...requesterField,
    folder: dataFolderOf(deps.settings.home, database.uuid),
    tables: files.map(embeddedTable),
  }
}
