import { AppError } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRights } from '../access/load-principal.ts'
import { endOwnSession, endUserSessions, sessionHash, startSession } from '../security/sessions.ts'
import { startTestServer, testStores, type TestServer } from '../testing.ts'
import type { Job, JobEnd } from './job-queue.ts'
import { StoreQueue } from './store-queue.ts'

describe.each(testStores)('jobs on %s', (_, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store })
  }, 60_000)
  afterAll(() => server.close())

  /** Starts a queue for one kind and records how its jobs end. */
  function startQueue(run: (job: Job) => Promise<string | null>) {
    const queue = new StoreQueue({ ...server.deps, rightsOf: (id) => loadRights(server.deps.db, id) })
    const ends: [id: string, end: JobEnd][] = []
    const ended = Promise.withResolvers<void>()
    queue.handle('test', {
      run,
      ended({ id }, end) {
        ends.push([id, end])
        ended.resolve()
      },
    })
    return { queue, ends, ended: ended.promise }
  }
  const rowOf = (uuid: string) =>
    server.deps.db.selectFrom('job').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()

  it('run after `add` returns, receive their payload and record how they ended', async () => {
    const { queue, ends, ended } = startQueue(async ({ payload }) => `result of ${JSON.stringify(payload)}`)
    const id = await queue.add('test', { a: [1, null] }, 1)
    expect(await rowOf(id)).toMatchObject({ state: 'pending', kind: 'test', user_id: 1, attempts: 0 })
    await ended
    expect(ends).toEqual([[id, { state: 'done', result: 'result of {"a":[1,null]}' }]])
    expect(await rowOf(id)).toMatchObject({
      state: 'done',
      attempts: 1,
      result: 'result of {"a":[1,null]}',
      error: null,
    })
  })

  it('keep their error when they fail; an unexpected error becomes an internal one', async () => {
    const { queue, ends } = startQueue(async ({ payload }) => {
      throw (payload as { ours: boolean }).ours ? new TypeError('x is undefined') : new AppError('query_failed')
    })
    const codes = () => ends.map(([, end]) => end.state === 'failed' && end.error.code)
    const ids = [await queue.add('test', { ours: false }, 1)]
    await expect.poll(codes).toEqual(['query_failed'])
    ids.push(await queue.add('test', { ours: true }, 1))
    await expect.poll(codes).toEqual(['query_failed', 'internal'])
    expect((await rowOf(ids[1]!)).error).not.toContain('undefined')
  })

  it('regression: fail with `disk_full`, not an internal error, when the disk is full', async () => {
    const { queue, ends } = startQueue(() =>
      Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })),
    )
    const id = await queue.add('test', {}, 1)
    await expect.poll(() => ends).toMatchObject([[id, { state: 'failed', error: { code: 'disk_full' } }]])
    expect(JSON.parse((await rowOf(id)).error ?? '')).toMatchObject({ code: 'disk_full' })
  })

  it('end with the session or API key that started them, but not with a normal sign-out', async () => {
    const { db, now } = server.deps
    const owner = await db.selectFrom('user').select('id').where('username', '=', 'alpha').executeTakeFirstOrThrow()
    const startOne = async () => sessionHash(await startSession(db, owner.id, 'cookie', now()))
    const [ended, signedOut] = [await startOne(), await startOne()]
    const { queue, ends } = startQueue(
      ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const stopped = await queue.add('test', {}, owner.id, { session: ended })
    const ofKey = await queue.add('test', {}, owner.id, { session: 'key of no key' })
    const detached = await queue.add('test', {}, owner.id, { session: signedOut })
    const schedule = await queue.add('test', {}, owner.id)
    await endOwnSession(db, signedOut)
    await endUserSessions(db, owner.id)
    await expect.poll(() => ends.map(([id]) => id).toSorted()).toEqual([stopped, ofKey].toSorted())
    expect(ends[0]).toMatchObject([expect.any(String), { state: 'stopped', reason: { code: 'query_stopped' } }])
    expect([await queue.stop(detached), await queue.stop(schedule)]).toEqual([true, true])
  })

  it('end when a role is taken from their user, and those of others go on', async () => {
    const { db } = server.deps
    const find = (username: string) =>
      db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()
    const [alpha, gamma] = [await find('alpha'), await find('gamma')]
    const { queue, ends } = startQueue(
      ({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const mine = await queue.add('test', {}, alpha.id)
    const theirs = await queue.add('test', {}, gamma.id)
    await db.deleteFrom('user_role').where('user_id', '=', alpha.id).execute()
    await expect.poll(() => ends).toMatchObject([[mine, { state: 'stopped', reason: { code: 'query_stopped' } }]])
    expect(await queue.stop(theirs)).toBe(true)
  })

  it('can be stopped before and while they run', async () => {
    const begun = Promise.withResolvers<void>()
    const { queue, ends } = startQueue(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          begun.resolve()
        }),
    )
    const waiting = await queue.add('test', {}, 1)
    expect(await queue.stop(waiting)).toBe(true)
    const running = await queue.add('test', {}, 1)
    await begun.promise
    expect(await queue.stop(running)).toBe(true)
    while (ends.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(new Map(ends)).toMatchObject(
      new Map([waiting, running].map((id) => [id, { state: 'stopped', reason: { code: 'query_stopped' } }])),
    )
    expect(await queue.stop(running)).toBe(false)
  })

  it('left behind by a crashed server end as failed and report it to their handler', async () => {
    const dead = startQueue(() => new Promise(() => {}))
    const id = await dead.queue.add('test', {}, 1)
    while ((await rowOf(id)).state !== 'running') await new Promise((resolve) => setTimeout(resolve, 5))
    const { queue, ends } = startQueue(async () => null)
    await queue.recover()
    expect(ends).toMatchObject([[id, { state: 'failed', error: { code: 'runner_lost' } }]])
    expect(JSON.parse((await rowOf(id)).error ?? '')).toMatchObject({
      message: expect.stringContaining('server ended') as string,
    })
  })

  it('started by other servers continue when this one starts, unless they exceed the maximum age', async () => {
    const { deps } = server
    const other = new StoreQueue({ ...deps, server: 'another' })
    other.handle('test', { run: () => new Promise(() => {}), ended: () => {} })
    const [young, old, ownerless] = [
      await other.add('test', {}, 1),
      await other.add('test', {}, 1),
      await other.add('test', {}, 1),
    ]
    await expect.poll(async () => (await rowOf(ownerless)).state).toBe('running')
    const set = (uuid: string, change: { created_on?: string; owner?: null }) =>
      deps.db.updateTable('job').set(change).where('uuid', '=', uuid).execute()
    await set(old, { created_on: '2001-01-01T00:00:00.000' })
    await set(ownerless, { owner: null })
    const { queue, ends } = startQueue(async () => null)
    await queue.recover()
    expect(new Set(ends.map(([id]) => id))).toEqual(new Set([old, ownerless]))
    expect(await rowOf(young)).toMatchObject({ state: 'running', owner: 'another' })
  })

  it('all end when the queue is closed, which then rejects new ones', async () => {
    const begins = Promise.withResolvers<void>()
    const { queue, ends } = startQueue(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          begins.resolve()
        }),
    )
    await queue.add('test', {}, 1)
    await begins.promise
    await queue.close()
    expect(ends).toMatchObject([[expect.anything(), { state: 'stopped', reason: { code: 'restarting' } }]])
    await expect(queue.add('test', {}, 1)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
