import { describe, expect, it } from 'vitest'
import { engineOf, findEngineByUri } from '../index.ts'
import { clickhouse } from './engine.ts'

describe('ClickHouse URI', () => {
  it.each([
    'clickhousedb://me:p%40ss@host:8123/db',
    'clickhousedb://me@host:8443/a%20b',
    'clickhousedb://me@host:9000/db?secure=true',
    'clickhousedb://me@host:8443/db?secure=false',
    'clickhousedb://me@[::1]:8123/db?verify=false',
  ])('survives a round trip: %s', (uri) => expect(clickhouse.toUri(clickhouse.fromUri(uri), false)).toBe(uri))

  it('fills in omitted parts', () => {
    expect(clickhouse.fromUri('clickhousedb://host')).toEqual({
      host: 'host',
      port: 8123,
      database: 'default',
      username: 'default',
      encryption: false,
    })
    expect(clickhouse.fromUri('clickhouse+https://host/db')).toMatchObject({ port: 8443, encryption: true })
    expect(clickhouse.fromUri('clickhouse://host/db?protocol=https')).toMatchObject({ port: 8443, encryption: true })
  })

  it('masks the password', () =>
    expect(clickhouse.toUri(clickhouse.fromUri('clickhousedb://me:secret@host/db'), true)).toBe(
      'clickhousedb://me:XXXXXXXXXX@host:8123/db',
    ))

  it.each(['clickhousedb://me@/db', 'clickhousedb://host:99999/db'])('is rejected: %s', (uri) =>
    expect(() => clickhouse.fromUri(uri)).toThrow(expect.objectContaining({ code: 'bad_request' })),
  )

  it('resolves to the engine by each of its schemes, as in the API', () => {
    for (const scheme of ['clickhousedb', 'clickhouse', 'clickhouse+http', 'clickhousedb+connect'])
      expect(findEngineByUri(`${scheme}://host/db`)).toBe(clickhouse)
    expect(engineOf('clickhouse')).toBe(clickhouse)
    expect(engineOf('clickhousedb')).toBe(clickhouse)
    expect(engineOf('nothing')).toBeUndefined()
  })
})
