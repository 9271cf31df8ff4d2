import type { RouteContract } from '@parquetry/model'

const prefix = '/superset/'

const firstSegment = (path: string): string => /^\/([^/?]*)/.exec(path)?.[1] ?? ''

/**
 * Returns addresses without `/superset/` as the routes have them: Superset 7.0 drops this prefix of older calls. A request is rewritten
 * before it is routed, so it meets the same checks. Names that have routes of their own stay.
 * @param contracts  all routes, complete before the first request
 */
export function createPrefixer(contracts: readonly Pick<RouteContract, 'path'>[]): (url: string) => string {
  let names: ReadonlySet<string> | undefined
  const listNames = (): ReadonlySet<string> => {
    const isPrefixed = ({ path }: Pick<RouteContract, 'path'>) => path.startsWith(prefix)
    const own = new Set(contracts.filter((contract) => !isPrefixed(contract)).map(({ path }) => firstSegment(path)))
    const prefixed = contracts.filter(isPrefixed).map(({ path }) => firstSegment(path.slice(prefix.length - 1)))
    return new Set(prefixed.filter((name) => name !== '' && !own.has(name)))
  }
  return (url) => {
    names ??= listNames()
    return names.has(firstSegment(url)) ? prefix + url.slice(1) : url
  }
}
