import type { Difference, Tunnel } from '@parquetry/model'
import { type Connection, isSameConnection, secretNames, toPortableSettings } from '../connection/connection.ts'
import { tunnelSecrets } from '../connection/ssh-tunnel.ts'

const toPortable = (connection: Connection): Connection => ({
  ...connection,
  settings: toPortableSettings(connection.engine, connection.settings),
})

/** True if two connections have the same meaning, however they were entered. */
export const isSameTarget = (a: Connection, b: Connection): boolean => isSameConnection(toPortable(a), toPortable(b))

const toMaskedUri = ({ engine, settings }: Connection): string => engine.toUri(settings, true)

const toAddress = (tunnel: Tunnel | null): string | undefined =>
  tunnel ? `${tunnel.username}@${tunnel.server_address}:${tunnel.server_port}` : undefined

const howChanged = (before: unknown, after: unknown): 'added' | 'removed' | 'changed' =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'

/** A difference of a value that may be shown. */
const ofValue = (what: string, before: string | undefined, after: string | undefined): Difference[] =>
  before === after
    ? []
    : [
        {
          of: 'field',
          how: howChanged(before, after),
          what,
          ...(before !== undefined && { before }),
          ...(after !== undefined && { after }),
        },
      ]

/** A difference of a secret, which is named and not shown. */
const ofSecret = (what: string, before: unknown, after: unknown): Difference[] =>
  before === after ? [] : [{ of: 'field', how: howChanged(before, after), what }]

/** Lists what differs between two connections, without secrets. */
export function describeConnectionDifferences(was: Connection, is: Connection): Difference[] {
  const [before, after] = [toPortable(was), toPortable(is)]
  const secrets = [...new Set([...secretNames(before.engine), ...secretNames(after.engine)])]
  return [
    ...ofValue('sqlalchemy_uri', toMaskedUri(before), toMaskedUri(after)),
    ...secrets.flatMap((name) => ofSecret(name, before.settings[name], after.settings[name])),
    ...ofSecret('server_cert', before.serverCert ?? undefined, after.serverCert ?? undefined),
    ...ofValue('ssh_tunnel', toAddress(before.tunnel), toAddress(after.tunnel)),
    ...tunnelSecrets.flatMap((name) => ofSecret(`ssh_tunnel_${name}`, before.tunnel?.[name], after.tunnel?.[name])),
  ]
}
