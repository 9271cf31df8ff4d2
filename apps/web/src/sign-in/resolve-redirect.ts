import { resolveLocalUrl } from '@parquetry/model/local-url'

/** Returns where to go after signing in: an address of this server, or else home. */
export const resolveRedirect = (next: string | undefined): string => resolveLocalUrl(next ?? '') ?? '/superset/welcome/'
