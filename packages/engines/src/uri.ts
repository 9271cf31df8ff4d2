import { AppError } from '@parquetry/model'

/** What the API shows in place of a password. */
export const mask = 'XXXXXXXXXX'

export interface UriParts {
  scheme: string
  username: string
  password: string | undefined
  host: string
  port: string
  path: string
  query: Record<string, string>
}

export const wrongUri = (sentence: string): AppError =>
  new AppError('bad_request', { message: sentence, fields: { sqlalchemy_uri: [sentence] } })

const pattern =
  /^([a-z][a-z0-9+.-]*):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d*))?(\/[^?#]*)?(?:\?([^#]*))?$/i

/** Reads `scheme://user:password@host:port/path?a=b`; every part is percent-decoded. @throws AppError `bad_request` */
export function parseUri(uri: string): UriParts {
  const parts = pattern.exec(uri.trim())
  if (!parts) throw wrongUri('The connection text is not of the form engine://user:password@host:port/database.')
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
    throw wrongUri('The connection text has a broken percent sign.')
  }
}
