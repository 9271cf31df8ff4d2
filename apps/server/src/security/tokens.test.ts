import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { temporaryKeys } from '../store/keys.ts'
import { readToken, signToken, type TokenKind } from './tokens.ts'

const { access, guest } = temporaryKeys()
const now = new Date('2026-01-01T00:00:00Z')
const seconds = now.getTime() / 1000
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token with our key and arbitrary claims. */
function forgeToken(ring: typeof access, type: TokenKind, own: object): string {
  const head = part({ alg: 'HS256', typ: 'JWT', kid: ring.current.id })
  const times = { iat: seconds, nbf: seconds, exp: seconds + 60 }
  const body = part({ sub: '1', sid: 'x', type, iss: 'parquetry', ...times, ...own })
  const signature = createHmac('sha256', ring.current.key).update(`${head}.${body}`).digest('base64url')
  return `${head}.${body}.${signature}`
}
const readAccess = (own: object) => () => readToken(access, 'access', forgeToken(access, 'access', own), now)
const readGuest = (own: object) => () => readToken(guest, 'guest', forgeToken(guest, 'guest', own), now)

it('reads the tokens that it signed', () => {
  const token = signToken(access, 'access', { sub: '1', sid: 'x' }, now, 60)
  expect(readToken(access, 'access', token, now)).toMatchObject({ sub: '1', exp: seconds + 60 })
  const visitor = signToken(guest, 'guest', { aud: 'elsewhere', exp: 9e9 }, now, 60)
  expect(readToken(guest, 'guest', visitor, now)).toMatchObject({ aud: 'guest', exp: seconds + 60 })
})

it.each([{ exp: undefined }, { exp: null }, { exp: '9999999999' }, { nbf: undefined }, { iat: undefined }])(
  'regression: rejects a token with missing or invalid times: %j',
  (own) => expect(readAccess(own)).toThrow('Missing claim'),
)

it('regression: rejects tokens for another audience', () => {
  expect(readAccess({ aud: 'another service' })).toThrow('audience')
  expect(readAccess({ aud: ['parquetry'] })).toThrow('audience')
  expect(readGuest({ aud: 'another service' })).toThrow('audience')
  expect(readGuest({})).toThrow('audience')
  expect(readGuest({ aud: 'guest' })).not.toThrow()
})

it('caches only that the signature of a token was valid', () => {
  const token = signToken(access, 'access', { sub: '1', sid: 'x' }, now, 60)
  for (let time = 0; time < 2; time += 1) expect(readToken(access, 'access', token, now)).toMatchObject({ sub: '1' })
  const later = new Date(now.getTime() + 60_000)
  expect(() => readToken(access, 'access', token, later)).toThrow('expired')
  expect(() => readToken(access, 'refresh', token, now)).toThrow('Only refresh tokens')
  expect(() => readToken(guest, 'guest', token, now)).toThrow('Signature')
  expect(() => readToken(temporaryKeys().access, 'access', token, now)).toThrow('Signature')
  const [head, body, signature = ''] = token.split('.')
  const other = part({ ...JSON.parse(Buffer.from(body ?? '', 'base64url').toString()), sub: '2' })
  expect(() => readToken(access, 'access', `${head}.${other}.${signature}`, now)).toThrow('Signature')
  expect(() => readToken(access, 'access', `${head}.${body}.${signature.slice(0, -2)}AA`, now)).toThrow('Signature')
})
