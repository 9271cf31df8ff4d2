import { describe, expect, it } from 'vitest'
import { isLocalUrl, resolveLocalUrl } from './local-url.ts'
import { checkCases } from './testing/random.ts'

const origin = 'https://bi.example.com'

/** Every address that a client, a proxy or a router can make of an address by decoding and resolving it a few times. */
function* deriveAddresses(address: string, steps = 3): Generator<string> {
  yield address
  if (steps === 0) return
  const url = URL.parse(address, origin)
  const decoded = address.replaceAll(/%([0-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  // Text after the path is data, which only the page reads.
  const decodedPath = address.replace(/^[^?#]*/, (path) =>
    path.replaceAll(/%([0-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  )
  if (url) yield* deriveAddresses(url.pathname + url.search + url.hash, steps - 1)
  for (const each of new Set([decoded, decodedPath])) if (each !== address) yield* deriveAddresses(each, steps - 1)
}

const pieces = ['/', '\\', '.', '..', '\t', '\n', '\r', '\0', ' ', '%2f', '%5C', '%2e', '%2E%2e', '%09', '%0a']
const others = ['%252f', '%255c', '%25', '%', 'evil.example', '@', ':', 'http:', '?', '#', 'a', 'ä', '／', ';', '%00']

describe('resolveLocalUrl', () => {
  it.each([
    ['/', '/'],
    ['/superset/dashboard/1/?native_filters=(a:1)#TAB-1', '/superset/dashboard/1/?native_filters=(a:1)#TAB-1'],
    ['/explore/?form_data=%7B%22a%22%3A%22%2F%2Fb%22%7D', '/explore/?form_data=%7B%22a%22%3A%22%2F%2Fb%22%7D'],
    ['/superset/sqllab/?sql=SELECT 1 // 2', '/superset/sqllab/?sql=SELECT%201%20//%202'],
    ['/login/?next=//evil.example', '/login/?next=//evil.example'],
    ['/superset/dashboard/50%25%20more/', '/superset/dashboard/50%25%20more/'],
    ['/superset/dashboard/a%2Fb/', '/superset/dashboard/a%2Fb/'],
    ['/dashboard/größe/', '/dashboard/gr%C3%B6%C3%9Fe/'],
    ['/a/../b', '/b'],
  ])('accepts an address of this server: %s', (address, resolved) => {
    expect(resolveLocalUrl(address)).toBe(resolved)
  })

  it.each([
    '',
    'superset/welcome/',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example/',
    '/\\evil.example/',
    '\\/evil.example/',
    '/\t/evil.example/',
    '/\n\\evil.example/',
    ' //evil.example/',
    '/.//evil.example/',
    '/..//evil.example/',
    '/a/..//evil.example/',
    '/.\\/evil.example/',
    '/%2e//evil.example/',
    '/a/%2E%2e//evil.example/',
    '/%2Fevil.example/',
    '/%5cevil.example/',
    '/%252Fevil.example/',
    '/%09/evil.example/',
    '/a%2f..%2f%2fevil.example/',
    '/a%2fb/../%2fevil.example/',
    '/%0a../\\evil.example\0?',
    '//a.invalid/',
    '//[/',
    `/%${'25'.repeat(40)}2Fevil.example/`,
  ])('regression: refuses an address that can become one of another server: %j', (address) => {
    expect(resolveLocalUrl(address)).toBeNull()
    expect(isLocalUrl(address)).toBe(false)
  })

  it('accepts no mixture of dots, slashes, backslashes, control characters and escapes that leaves this server', async () => {
    const all = [...pieces, ...pieces, ...others]
    let accepted = 0
    await checkCases(5000, (random) => {
      const address = `/${Array.from({ length: 1 + random.int(9) }, () => random.pick(all)).join('')}`
      const resolved = resolveLocalUrl(address)
      if (resolved === null) return
      accepted += 1
      for (const start of [address, resolved])
        for (const each of deriveAddresses(start))
          expect([address, each, URL.parse(each, origin)?.origin]).toEqual([address, each, origin])
    })
    // The property must not hold just because everything is refused.
    expect(accepted).toBeGreaterThan(1000)
  })

  it('returns addresses that are accepted unchanged', async () => {
    const plain = ['a', 'b-c', '1', '.x', '%20', 'ü', '(x:1)', ',', '+', '~', "'"]
    await checkCases(2000, (random) => {
      const text = () => Array.from({ length: 1 + random.int(3) }, () => random.pick(plain)).join('')
      const address = `/${Array.from({ length: 1 + random.int(4) }, text).join('/')}?${text()}=${text()}//#${text()}`
      const resolved = resolveLocalUrl(address)
      expect([address, resolved]).not.toEqual([address, null])
      expect(resolveLocalUrl(resolved ?? '')).toBe(resolved)
    })
  })
})
