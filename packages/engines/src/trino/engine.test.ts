import { describe, expect, it } from 'vitest'
import { engineOf, findEngineByUri } from '../index.ts'
import { trino } from './engine.ts'

describe('Trino URI', () => {
  it.each([
    'trino://me@host:8080/hive/default',
    'trino://me@host:8080/hive',
    'trino://me:p%40ss%2F@host:8443/hive/a%20b',
    'trino://me@host:443/hive/default',
    'trino://me@host:8443/hive/default?protocol=https',
    'trino://me@[::1]:8080/hive?source=x&session.a=b',
  ])('survives a round trip: %s', (uri) => expect(trino.toUri(trino.fromUri(uri), false)).toBe(uri))

  it('defines catalog, schema and encryption of the connection', () => {
    expect(trino.fromUri('trino://me:secret@host/hive/web')).toEqual({
      host: 'host',
      port: 443,
      catalog: 'hive',
      schema: 'web',
      username: 'me',
      password: 'secret',
      encryption: true,
    })
    expect(trino.fromUri('trino://me@host/hive')).toMatchObject({ port: 8080, encryption: false })
    expect(trino.fromUri('trino://me:secret@host:8080/hive?protocol=http')).toMatchObject({ encryption: false })
  })

  it('masks the password', () =>
    expect(trino.toUri(trino.fromUri('trino://me:secret@host:8443/hive'), true)).toBe(
      'trino://me:XXXXXXXXXX@host:8443/hive',
    ))

  it.each([
    'trino://me@/hive',
    'trino://me@host',
    'trino://me@host/a/b/c',
    'trino://me@host:0/a',
    'trino://me@host/a?protocol=ftp',
  ])('is rejected: %s', (uri) =>
    expect(() => trino.fromUri(uri)).toThrow(expect.objectContaining({ code: 'bad_request' })),
  )

  it('resolves to the engine', () => {
    expect(findEngineByUri('trino://me@host/hive')).toBe(trino)
    expect(engineOf('trino')).toBe(trino)
  })
})
