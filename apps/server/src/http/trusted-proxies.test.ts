import { expect, it } from 'vitest'
import { createProxyCheck } from './trusted-proxies.ts'

it('matches addresses, ranges and names of ranges, also as mapped IPv6 addresses', () => {
  const isTrusted = createProxyCheck(['192.0.2.7', '10.0.0.0/8', 'loopback', '2001:db8::/32'])
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '10.200.3.4', '127.0.0.1', '::1', '2001:db8::5'])
    expect(isTrusted(address), address).toBe(true)
  for (const address of ['192.0.2.8', '11.0.0.1', '2001:db9::1', '::ffff:11.0.0.1', ''])
    expect(isTrusted(address), address).toBe(false)
  expect(createProxyCheck([])('127.0.0.1')).toBe(false)
})
