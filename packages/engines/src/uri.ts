import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'

/** Shown by the API in place of a password. */
export const secretMask = 'XXXXXXXXXX'

export interface UriParts {
  scheme: string
  username: string
  password: string | undefined
  host: string
  port: string
  path: string
  query: Record<string, string>
}

export const invalidUri = (text: Message): AppError =>
  new AppError('bad_request', { message: text, fields: { sqlalchemy_uri: [text] } })

const pattern =
  /^([a-z][a-z0-9+._-]*):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?(\/[^?#]*)?(?:\?([^#]*))?$/i

/** Reads `scheme://user:password@host:port/path?a=b`; every part is percent-decoded. @throws AppError `bad_request` */
export function parseUri(uri: string): UriParts {
  const parts = pattern.exec(uri.trim())
  if (!parts)
    throw invalidUri(
      message('errors.engines.uriForm', 'The URI must have the form engine://user:password@host:port/database.'),
    )
  const [, scheme = '', username = '', password, host = '', port = '', path = '', query = ''] = parts
  try {
    return {
      scheme: scheme.toLowerCase(),
      username: decodeURIComponent(username),
      password: password === undefined ? undefined : decodeURIComponent(password),
      host: host.replace(/^\[|\]$/g, ''),
      port,
      path: decodeURIComponent(path.replace(/^\//, '')),
      query: Object.fromEntries(new URLSearchParams(query)),
    }
  } catch {
    throw invalidUri(
      message('errors.engines.uriPercent', 'The URI contains an incomplete percent-encoding. Write % as %25.'),
    )
  }
}

/** Returns the server and the account of a URI. @throws AppError `bad_request` without a host or with an invalid port */
export function parseServer(
  { host, port, username, password }: UriParts,
  usualPort: number,
): { host: string; port: number; username: string; password?: string } {
  if (!host) throw invalidUri(message('errors.engines.noHost', 'The host is missing.'))
  const number = port === '' ? usualPort : Number(port)
  if (number < 1 || number > 65_535)
    throw invalidUri(message('errors.engines.port', 'The port must be between 1 and 65535.'))
  return { host, port: number, username, ...(password !== undefined && { password }) }
}

/** The reverse of `parseUri`. @param masked  shows `secretMask` in place of a password */
export function buildUri(
  scheme: string,
  { host, port, username, password }: { host: string; port: number; username: string; password?: string | undefined },
  path: readonly string[],
  query: Record<string, string>,
  masked: boolean,
): string {
  const secret = password === undefined ? '' : `:${masked ? secretMask : encodeURIComponent(password)}`
  const user = username ? `${encodeURIComponent(username)}${secret}@` : ''
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const search = new URLSearchParams(query)
  return `${scheme}://${user}${address}/${path.map(encodeURIComponent).join('/')}${search.size > 0 ? `?${search}` : ''}`
}
