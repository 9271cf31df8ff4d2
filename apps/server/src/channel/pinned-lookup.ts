import { isIPv6, type LookupFunction } from 'node:net'

/** Makes a connection use addresses that were checked, instead of resolving the name again. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, { all }, done) =>
    all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family ?? 4)
}
