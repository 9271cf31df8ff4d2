import { secretMask } from '@parquetry/engines'
import { AppError, message, type Message, type Tunnel } from '@parquetry/model'
import { unprocessableFields, invalidPayload } from '../http/writing.ts'

/** Error while the flag SSH_TUNNELING is off. */
export const tunnelsDisabled = (): AppError =>
  new AppError('bad_request', { message: message('errors.connection.tunnelsOff', 'SSH Tunneling is not enabled') })

export const tunnelSecrets = ['password', 'private_key', 'private_key_password'] as const
type Secrets = Pick<Tunnel, (typeof tunnelSecrets)[number]>

const tunnelFields: readonly string[] = [
  'id',
  'server_address',
  'server_port',
  'username',
  'host_key',
  ...tunnelSecrets,
]

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Masks a tunnel for responses and the history. */
export function maskedTunnel(tunnel: Tunnel): Tunnel {
  const secrets = tunnelSecrets.filter((name) => tunnel[name] !== undefined).map((name) => [name, secretMask])
  return { ...tunnel, ...(Object.fromEntries(secrets) as Secrets) }
}

const isSameEndpoint = (a: Tunnel, b: Tunnel) =>
  a.server_address === b.server_address && a.server_port === b.server_port && a.username === b.username

function resolveSecrets(sent: Record<string, unknown>, endpoint: Tunnel, stored: Tunnel | null): Secrets {
  const sentNames = tunnelSecrets.filter((name) => nonEmptyText(sent[name]) !== undefined)
  const unchanged = sentNames.length === 0 ? tunnelSecrets : sentNames.filter((name) => sent[name] === secretMask)
  if (stored && isSameEndpoint(endpoint, stored)) {
    const storedSecrets = unchanged.flatMap((name) =>
      stored[name] === undefined ? [] : [[name, stored[name]] as const],
    )
    const newSecrets = sentNames
      .filter((name) => sent[name] !== secretMask)
      .map((name) => [name, sent[name] as string] as const)
    return Object.fromEntries([...storedSecrets, ...newSecrets])
  }
  if (sentNames.some((name) => sent[name] === secretMask))
    throw unprocessableFields({
      ssh_tunnel: [
        message(
          'errors.connection.tunnelSecretAgain',
          'Enter the password or key again, because the address, port or username has changed.',
        ),
      ],
    })
  return Object.fromEntries(sentNames.map((name) => [name, sent[name] as string]))
}

/**
 * Reads `ssh_tunnel` of a body. The stored one remains when it is omitted, and null removes it. Omitted or masked secrets remain
 * while address, port and user are unchanged; the recorded host key remains while address and port are, and a `host_key` of null
 * removes it.
 * @throws AppError `bad_request` when the flag SSH_TUNNELING is off; `invalid_payload` by field; `unprocessable` for a secret
 * that must be entered again
 */
export function readTunnel(
  sent: Record<string, unknown> | null | undefined,
  stored: Tunnel | null,
  isEnabled: boolean,
): Tunnel | null {
  if (sent === undefined) return stored
  if (sent === null) return null
  if (!isEnabled) throw tunnelsDisabled()
  const found = new Map<string, Message[]>()
  const addError = (field: string, text: Message) => found.set(field, [text])
  const missing = message('errors.fields.missing', 'Missing data for required field.')
  for (const name of Object.keys(sent))
    if (!tunnelFields.includes(name)) addError(name, message('errors.fields.unknown', 'Unknown field.'))
  const merged = { ...stored, ...sent }
  const server_address = nonEmptyText(merged.server_address)?.trim()
  const username = nonEmptyText(merged.username)
  const port = Number(merged.server_port ?? 22)
  if (!server_address) addError('server_address', missing)
  if (!username) addError('username', missing)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    addError('server_port', message('errors.connection.port', 'The port must be between 1 and 65535.'))
  if (found.size > 0) throw invalidPayload({ ssh_tunnel: Object.fromEntries(found) })
  const endpoint: Tunnel = { server_address: server_address!, server_port: port, username: username! }
  const secrets = resolveSecrets(sent, endpoint, stored)
  if (!secrets.password && !secrets.private_key)
    throw invalidPayload({
      ssh_tunnel: {
        password: [message('errors.connection.tunnelCredentials', 'Must provide credentials for the SSH Tunnel')],
      },
    })
  const isSameServer = stored?.server_address === endpoint.server_address && stored.server_port === endpoint.server_port
  const host_key = 'host_key' in sent ? (nonEmptyText(sent['host_key']) ?? null) : isSameServer ? stored.host_key : null
  return { ...endpoint, ...secrets, ...(host_key && { host_key }) }
}
