interface ParsedUrl {
  origin: string
  pathname: string
  search: string
  hash: string
}
/** The URL parser of browsers and of Node. */
declare const URL: new (address: string, base: string) => ParsedUrl

/** An address of this server resolves to each of these; one that names a host, even one of these, does not. */
const origins = ['http://a.invalid', 'http://b.invalid'] as const

/** Maximum number of forms of an address; one with more layers of escapes is refused. */
const maxForms = 32

/** Resolves an address as a browser does; null when it leaves the server that it is on. */
function resolve(address: string): string | null {
  if (!address.startsWith('/')) return null
  try {
    const urls = origins.map((origin) => new URL(address, origin))
    if (urls.some((url, index) => url.origin !== origins[index])) return null
    const [{ pathname, search, hash }] = urls as [ParsedUrl, ...ParsedUrl[]]
    return pathname + search + hash
  } catch {
    return null
  }
}

const decode = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * Tests if addresses stay on this server however often they are decoded and resolved, in any order: resolving `/.//host` gives
 * `//host`, which is the address of another server when it is resolved again.
 */
function stayLocal(addresses: readonly string[]): boolean {
  const forms = new Set(addresses)
  for (const form of forms) {
    const resolved = resolve(form)
    if (resolved === null || forms.size > maxForms) return false
    forms.add(resolved).add(decode(form))
  }
  return true
}

/**
 * Returns an address of this server in the form in which a browser sends it; null for an address that is, or can become, one of
 * another server: when dots, slashes, backslashes and control characters are resolved, and escapes of the path decoded.
 * @param address  must start with a slash
 */
export function resolveLocalUrl(address: string): string | null {
  const local = resolve(address)
  if (local === null) return null
  // Escapes after the path are data. A query stays, because control characters at the end of an address are dropped.
  const paths = [address, local].map((each) => `${each.split(/[?#]/, 1)[0]}?query`)
  return stayLocal(paths) ? local : null
}

/** Tests if an address stays on this server in every browser; see `resolveLocalUrl`. */
export const isLocalUrl = (address: string): boolean => resolveLocalUrl(address) !== null
