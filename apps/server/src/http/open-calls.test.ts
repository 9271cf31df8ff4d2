import { defineRoute } from '@parquetry/model'
import { once } from 'node:events'
import { type ClientRequest, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSession } from '../security/sessions.ts'
import { setPassword } from '../security/users.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { sendPieces } from './send-pieces.ts'
import { serve } from './serve.ts'

const endless = defineRoute({
  method: 'GET',
  path: '/api/v1/test/endless',
  summary: 'Rows that never end',
  body: 'none',
  reply: 'stream',
  can: 'signed-in',
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
})

/** Row that streams currently send. */
let row = 'before\n'

async function* rows() {
  for (;;) {
    yield Buffer.from(row)
    await sleep(20)
  }
}

describe.each(testStores)('requests that are open when a session ends, on %s', (_name, store) => {
  let server: TestServer
  let userId: number
  const calls: ClientRequest[] = []
  beforeEach(async () => {
    row = 'before\n'
    server = await startTestServer({
      store,
      routes: (app) => serve(app, endless, ({ reply }) => sendPieces(reply, rows())),
    })
    await server.app.http.listen({ port: 0, host: '127.0.0.1' })
    const { db } = server.deps
    const found = await db.selectFrom('user').select('id').where('username', '=', 'alpha').executeTakeFirstOrThrow()
    userId = found.id
  })
  afterEach(async () => {
    for (const call of calls.splice(0)) call.destroy()
    await server.close()
  })

  const signedIn = async () => `session=${await startSession(server.deps.db, userId, 'cookie', server.deps.now())}`

  const origin = () => `http://127.0.0.1:${(server.app.http.server.address() as AddressInfo).port}`

  /**
   * Sends an endless request. @returns promises for the start of its response, for the row `after`, and for the end of its
   * connection
   */
  function open(method: 'GET' | 'PUT', path: string, headers: Record<string, string>) {
    const began = Promise.withResolvers<void>()
    const went = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const call = send(new URL(path, origin()), { method, headers: { origin: origin(), ...headers } })
    calls.push(call)
    call.on('response', (response) => {
      response.on('error', () => undefined).on('close', ended.resolve)
      response.once('data', began.resolve).on('data', (data: Buffer) => `${data}`.includes('after') && went.resolve())
    })
    call.on('error', () => ended.resolve())
    if (method === 'GET') call.end()
    return { call, began: began.promise, wentOn: went.promise, ended: ended.promise }
  }

  const ends: Record<string, (cookie: string) => Promise<unknown>> = {
    'sign-out': async (cookie) => {
      const response = await fetch(`${origin()}/logout/`, { headers: { cookie }, redirect: 'manual' })
      expect(response.status).toBe(302)
    },
    deactivation: () => server.deps.db.updateTable('user').set({ active: 0 }).where('id', '=', userId).execute(),
    'a new password': () => setPassword(server.deps.db, userId, 'another-Passw0rd', server.deps.now()),
  }

  it.each(Object.keys(ends))('regression: streams end after %s', async (name) => {
    const [mine, other] = [await signedIn(), await signedIn()]
    const events = open('GET', '/api/v1/async_event/stream', { cookie: mine })
    const file = open('GET', '/api/v1/test/endless', { cookie: mine })
    const elsewhere = open('GET', '/api/v1/test/endless', { cookie: other })
    await Promise.all([events.began, file.began, elsewhere.began])
    await ends[name]?.(mine)
    await Promise.all([events.ended, file.ended])
    if (name !== 'sign-out') return elsewhere.ended
    row = 'after\n'
    await Promise.race([elsewhere.wentOn, elsewhere.ended.then(() => expect.unreachable('the other session ended'))])
    elsewhere.call.destroy()
  })

  it('streams of data end when a role is taken from their user or a group of theirs, and those of others go on', async () => {
    const { db } = server.deps
    const other = await db.selectFrom('user').select('id').where('username', '=', 'gamma').executeTakeFirstOrThrow()
    const role = await db.selectFrom('role').select('id').where('name', '=', 'Alpha').executeTakeFirstOrThrow()
    const mine = open('GET', '/api/v1/test/endless', { cookie: await signedIn() })
    const events = open('GET', '/api/v1/async_event/stream', { cookie: await signedIn() })
    const theirs = open('GET', '/api/v1/test/endless', {
      cookie: `session=${await startSession(db, other.id, 'cookie', server.deps.now())}`,
    })
    await Promise.all([mine.began, events.began, theirs.began])
    await db.deleteFrom('user_role').where('user_id', '=', userId).where('role_id', '=', role.id).execute()
    await mine.ended
    row = 'after\n'
    await Promise.race([theirs.wentOn, theirs.ended.then(() => expect.unreachable('a call of another user ended'))])
    await Promise.race([events.ended.then(() => expect.unreachable('its own events ended')), theirs.wentOn])
  })

  it('streams of an API key end when it is revoked', async () => {
    const made = await server.as('alpha').post('/api/v1/security/api_keys/', { name: 'a script' })
    const { uuid, key } = made.json<{ result: { uuid: string; key: string } }>().result
    const headers = { authorization: `Bearer ${key}` }
    const [file, elsewhere] = [
      open('GET', '/api/v1/test/endless', headers),
      open('GET', '/api/v1/test/endless', { cookie: await signedIn() }),
    ]
    await Promise.all([file.began, elsewhere.began])
    await server.as('alpha').delete(`/api/v1/security/api_keys/${uuid}`)
    await file.ended
    row = 'after\n'
    await elsewhere.wentOn
  })

  it('regression: an upload ends after a sign-out', async () => {
    const made = await server.as('alpha').post('/api/v1/upload/', { file_name: 'a.csv', size: 1000 })
    const { id } = made.json<{ id: string }>()
    const cookie = await signedIn()
    const token = await fetch(`${origin()}/api/v1/security/csrf_token/`, { headers: { cookie } })
    const { result } = (await token.json()) as { result: string }
    const headers = { cookie, 'x-csrftoken': result, 'content-type': 'application/octet-stream' }
    const arrived = once(server.app.http.server, 'request')
    const { call, ended } = open('PUT', `/api/v1/upload/${id}?offset=0`, headers)
    const onResponse = vi.fn()
    call.on('response', onResponse)
    call.write('id,name\n')
    await arrived
    await ends['sign-out']?.(cookie)
    await ended
    expect(onResponse).not.toHaveBeenCalled()
  })
})
