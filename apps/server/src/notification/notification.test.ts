import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'
import { notify, removeOldNotifications } from './notify.ts'

let server: TestServer
let now = new Date('2026-03-02T10:00:00Z')
beforeAll(async () => {
  server = await startTestServer({ now: () => now })
  const users = await server.deps.db
    .selectFrom('user')
    .selectAll()
    .where('username', 'in', ['admin', 'gamma'])
    .execute()
  for (const name of ['older', 'newer']) {
    now = new Date(now.getTime() + 60_000)
    await notify(
      server.deps.db,
      now,
      users.filter(({ username }) => username === 'gamma' || name === 'newer'),
      {
        kind: 'report_stopped',
        parameters: { name, type: 'Report' },
        path: '/report/1/log/',
      },
    )
  }
})
afterAll(() => server.close())

const list = async (user: 'admin' | 'gamma' | 'alpha') =>
  (await server.as(user).get('/api/v1/notification/')).json<{
    unread: number
    result: { parameters: { name: string } }[]
  }>()

it('a user sees only their own notifications, newest first', async () => {
  const { unread, result } = await list('gamma')
  expect(unread).toBe(2)
  expect(result).toEqual([
    {
      uuid: expect.any(String),
      kind: 'report_stopped',
      parameters: { name: 'newer', type: 'Report' },
      path: '/report/1/log/',
      created_on: '2026-03-02T10:02:00.000',
      is_read: false,
    },
    expect.objectContaining({ parameters: { name: 'older', type: 'Report' } }),
  ])
  expect((await list('admin')).result.map(({ parameters }) => parameters.name)).toEqual(['newer'])
  expect(await list('alpha')).toEqual({ unread: 0, result: [] })
})

it('marking as read changes only those of the caller', async () => {
  expect((await server.as('gamma').post('/api/v1/notification/read')).statusCode).toBe(200)
  expect([(await list('gamma')).unread, (await list('admin')).unread]).toEqual([0, 1])
  expect((await list('gamma')).result).toHaveLength(2)
})

it('notifications are deleted after 90 days', async () => {
  await removeOldNotifications(server.deps.db, new Date('2026-05-31T10:01:30Z'))
  expect((await list('gamma')).result.map(({ parameters }) => parameters.name)).toEqual(['newer'])
})
