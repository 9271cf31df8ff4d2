import { resolveLocalUrl } from '@parquetry/model'

/** Target after signing in: an address of this server, or Home for anything else. */
export const localPath = (next: string | undefined): string => resolveLocalUrl(next ?? '') ?? '/'

/** URL of the sign-in page that continues to a path, encoded like the API's own server. */
export const signInPath = (next: string): string =>
  next === '/' ? '/login/' : `/login/?next=${encodeURIComponent(next).replace(/%2F/g, '/').replace(/%3F/, '?')}`
