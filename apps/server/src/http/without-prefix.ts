import type { RouteContract } from '@parquetry/model'

const prefix = '/superset/'

const firstSegment = (path: string): string => /^\/([^/?]*)/.exec(path)?.[1] ?? ''

type Address = Pick<RouteContract, 'method' | 'path'>

/**
 * Returns addresses without `/superset/` as the routes have them: Superset 7.0 drops this prefix of older calls. A request is rewritten
 * before it is routed, so it meets the same checks. Names that have routes of their own for the method stay.
 * @param contracts  all routes, complete before the first request
 */
export function createPrefixer(contracts: readonly Address[]): (method: string, url: string) => string {
  let names: ReadonlySet<string> | undefined
  const listNames = (): ReadonlySet<string> => {
    const isPrefixed = ({ path }: Address) => path.startsWith(prefix)
    const nameOf = ({ method, path }: Address) => `${method} ${firstSegment(path)}`
    const own = new Set(contracts.filter((contract) => !isPrefixed(contract)).map(nameOf))
    const prefixed = contracts
      .filter(isPrefixed)
      .map(({ method, path }) => nameOf({ method, path: path.slice(prefix.length - 1) }))
    return new Set(prefixed.filter((name) => !name.endsWith(' ') && !own.has(name)))
  }
  return (method, url) => {
    names ??= listNames()
    return names.has(`${method} ${firstSegment(url)}`) ? prefix + url.slice(1) : url
  }
}
