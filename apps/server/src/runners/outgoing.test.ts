import { describe, expect, it } from 'vitest'
import type { Source } from '@parquetry/model'
import { checkTunneledHost, resolveOutgoing, withOutgoingAddresses } from './outgoing.ts'

const all = { private: true, loopback: true }
const none = { private: false, loopback: false }
const resolveToText = (host: string, policy = all) =>
  resolveOutgoing(host, policy).catch((error: Error & { code: string }) => `${error.code}: ${error.message}`)

describe('outgoing connections', () => {
  it.each(
    `169.254.169.254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::1 ::169.254.169.254
    fe80::1 fe80::1%lo [fe80::1] fd00:ec2::254 0.0.0.0 :: 0 ::ffff:0.0.0.0 100.100.100.200 224.0.0.1
    2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518`.split(/\s+/),
  )('never reach %s', async (host) => {
    expect(await resolveToText(host)).toBe(
      'connection_failed: Connections to link-local and metadata addresses are not allowed.',
    )
  })

  it.each(['127.0.0.1', '127.1', '2130706433', '0177.0.0.1', '0x7f000001', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'reach %s only if loopback is allowed',
    async (host) => {
      expect(await resolveToText(host, { private: true, loopback: false })).toMatch(/DATABASE_LOOPBACK_HOSTS/)
      expect(await resolveToText(host)).toEqual(expect.arrayContaining([expect.stringMatching(/127\.0\.0\.1|::1/)]))
    },
  )

  it.each(['10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', 'fd12::1', '::ffff:10.0.0.1', '167772161'])(
    'reach %s only if private networks are allowed',
    async (host) => {
      expect(await resolveToText(host, { private: false, loopback: true })).toMatch(/DATABASE_PRIVATE_HOSTS/)
      expect(await resolveToText(host)).toHaveLength(1)
    },
  )

  it('reach public addresses regardless of the settings', async () => {
    expect(await resolveToText('203.0.113.7', none)).toEqual(['203.0.113.7'])
    expect(await resolveToText('2001:db8::7', none)).toEqual(['2001:db8::7'])
  })

  it.each(['nobody.invalid', '', '/var/run/postgresql', 'a b', 'user@host', 'host/../x'])(
    'reject the unknown or invalid host %j',
    async (host) => expect(await resolveToText(host)).toMatch(/^connection_hostname/),
  )

  it('never reach the metadata store, under any name', async () => {
    const store = { host: 'localhost', port: 5432, database: 'parquetry' }
    const source = (own: object): Source => ({
      kind: 'network',
      engine: 'postgresql',
      id: 'x',
      settings: { host: '127.0.0.1', port: 5432, database: 'parquetry', ...own },
      schema: null,
    })
    const attempt = (own: object) =>
      withOutgoingAddresses(source(own), { ...all, store }).then(
        () => 'led',
        ({ message }: Error) => message,
      )
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.2', '2130706433', '::ffff:127.0.0.1'])
      expect(await attempt({ host })).toBe('The metadata store of Parquetry cannot be used as a data source.')
    for (const own of [{ port: 5433 }, { database: 'sales' }, { host: '203.0.113.1' }])
      expect(await attempt(own)).toBe('led')
  })

  it('check a host behind a tunnel as seen from here, and leave unknown names to the tunnel', async () => {
    await expect(checkTunneledHost('169.254.169.254', all)).rejects.toThrow(/are not allowed/)
    await expect(checkTunneledHost('127.0.0.1', none)).rejects.toThrow(/DATABASE_LOOPBACK_HOSTS/)
    await expect(checkTunneledHost('a b', all)).rejects.toThrow()
    await expect(checkTunneledHost('only-there.invalid', none)).resolves.toBeUndefined()
  })
})
