import { isLocalUrl } from '@parquetry/model'

const placeholderOrigin = 'http://local.invalid'

/** Target after signing in: a path of this server, or Home for anything else. */
export function localPath(next: string | undefined): string {
  if (next === undefined || !isLocalUrl(next)) return '/'
  const url = URL.parse(next, placeholderOrigin)
  return url?.origin === placeholderOrigin ? url.pathname + url.search + url.hash : '/'
}

/** URL of the sign-in page that continues to a path, encoded like the API's own server. */
export const signInPath = (next: string): string =>
  next === '/' ? '/login/' : `/login/?next=${encodeURIComponent(next).replace(/%2F/g, '/').replace(/%3F/, '?')}`
