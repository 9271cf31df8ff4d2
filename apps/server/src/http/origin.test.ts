import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { resolveOrigin } from './origin.ts'

const ask = (host: string, baseUrl: string | null = null) =>
  resolveOrigin({ baseUrl }, { protocol: 'https', host } as FastifyRequest)

it.each(['bi.example.com', 'localhost:8088', '127.0.0.1:8088', '[::1]:8088', 'a_b.example.'])('accepts %s', (host) => {
  expect(ask(host)).toBe(`https://${host}`)
})

it.each([
  '',
  'a b',
  'evil.example/x?',
  'user@evil.example',
  'evil.example:x',
  'a"><script>',
  'a\\b',
  '[::1',
  '-a',
  'a#b',
])('regression: refuses the invalid host %j', (host) => {
  expect(() => ask(host)).toThrow('not a valid host')
  expect(ask(host, 'https://bi.example.com')).toBe('https://bi.example.com')
})
