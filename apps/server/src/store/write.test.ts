import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import type { AuditEvent } from './audit-log.ts'
import { change } from './write.ts'

describe.each(testStores)('changing a document on %s', (_name, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store })
  })
  afterAll(() => server.close())

  const css = (slug: string | null, uuid: string) => ({
    uuid,
    slug,
    dashboard_title: 'Sales',
    published: 0,
    is_managed_externally: 0,
    position_json: null,
    json_metadata: null,
    css: null,
    description: null,
    certified_by: null,
    certification_details: null,
    external_url: null,
    created_on: '2026-01-01T00:00:00.000',
    changed_on: '2026-01-01T00:00:00.000',
    created_by_fk: null,
    changed_by_fk: null,
  })
  const versions = (uuid: string) =>
    server.deps.db.selectFrom('version').selectAll().where('object_uuid', '=', uuid).orderBy('n').execute()

  it('writes the change, its version and its event together', async () => {
    const event: AuditEvent = {
      action: 'dashboard.create',
      user_id: 1,
      dashboard_id: null,
      slice_id: null,
      json: null,
      isWritten: false,
    }
    const of = { kind: 'dashboard', uuid: 'a', author: 1, event, document: () => ({ title: 'Sales' }) }
    await change(server.deps.db, of, (trx) => trx.insertInto('dashboard').values(css('a', 'a')).execute())
    expect(await versions('a')).toMatchObject([{ n: 1, author_id: 1, document: '{"title":"Sales"}' }])
    const events = await server.deps.db.selectFrom('log').select('action').where('action', '=', event.action).execute()
    expect([events.length, event.isWritten]).toEqual([1, true])
  })

  it('leaves nothing behind when a part of it fails', async () => {
    const of = { kind: 'dashboard', uuid: 'b', author: 1, document: () => ({}) }
    const twice = change(server.deps.db, of, async (trx) => {
      await trx.insertInto('dashboard').values(css('b', 'b')).execute()
      await trx.insertInto('dashboard').values(css('b', 'c')).execute()
    })
    await expect(twice).rejects.toThrow()
    expect(await versions('b')).toEqual([])
    expect(await server.deps.db.selectFrom('dashboard').select('id').where('slug', '=', 'b').execute()).toEqual([])
  })

  it('keeps the last 50 versions and the last of each day for a year', async () => {
    const at = (day: number, hour: number) => new Date(Date.UTC(2025, 0, day, hour))
    const of = { kind: 'chart', uuid: 'v', author: null, document: () => ({}) }
    const save = (now: Date) => change(server.deps.db, { ...of, now }, async () => undefined)
    for (const day of [1, 2, 400]) for (let hour = 0; hour < 3; hour++) await save(at(day, hour))
    for (let n = 0; n < 55; n++) await save(at(401, 1))
    const kept = await versions('v')
    expect(kept.filter(({ at: time }) => time < '2026-02-05').map(({ at: time }) => time)).toEqual([
      '2026-02-04T02:00:00.000',
    ])
    expect(kept.filter(({ at: time }) => time >= '2026-02-05').length).toBe(51)
    expect(kept.at(-1)?.n).toBe(64)
  })
})
