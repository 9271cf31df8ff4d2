import { isLocalUrl } from '@parquetry/model'

const here = 'http://local.invalid'

/** Where to go after signing in: a path of this server, or Home for anything else. */
export function localPath(next: string | undefined): string {
  if (next === undefined || !isLocalUrl(next)) return '/'
  const url = URL.parse(next, here)
  return url?.origin === here ? url.pathname + url.search + url.hash : '/'
}

/** The sign-in page that leads on to a path, spelled as the API's own server does. */
export const signInPath = (next: string): string =>
  next === '/' ? '/login/' : `/login/?next=${encodeURIComponent(next).replace(/%2F/g, '/').replace(/%3F/, '?')}`
