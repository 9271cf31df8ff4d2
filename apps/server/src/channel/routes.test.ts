import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../settings/settings.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { type Channel, ChannelError, type Channels, type ListedTarget } from './channel.ts'
import { createChannels } from './create-channels.ts'

const conversations: ListedTarget[] = [
  { id: 'C000000001', name: 'sales', is_member: true, is_private: false },
  { id: 'C000000002', name: 'sales-secret', is_member: true, is_private: true },
  { id: 'C000000003', name: 'general', is_member: false, is_private: false },
]

let folder: string
let server: TestServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-reports-'))
  const settings = await readSettings({ PARQUETRY_REPORTS_FOLDER: folder, PARQUETRY_SLACK_API_TOKEN: 'xoxb' })
  const flags = { ...settings.flags, ALERT_REPORTS: true, ALERT_REPORT_WEBHOOK: true }
  const { config, reportsFolder } = settings
  const slack: Channel = {
    ...createChannels(settings).Slack,
    listTargets: ({ force }) => Promise.resolve(force ? conversations.slice(0, 1) : conversations),
    verify: () => Promise.reject(new ChannelError('refused', { message: 'invalid_auth' })),
  }
  const channels: Channels = { ...createChannels({ ...settings, flags }), Slack: slack }
  server = await startTestServer({ settings: { flags, config, reportsFolder }, channels })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

describe('REPORT channels', () => {
  it('say which settings they lack', async () => {
    const response = await server.as('alpha').get('/api/v1/report/channels/')
    expect(response.json()).toEqual({
      result: [
        { type: 'Email', missing: ['SMTP_HOST', 'SMTP_MAIL_FROM'] },
        { type: 'Slack', missing: [] },
        { type: 'Webhook', missing: [] },
        { type: 'Folder', missing: [] },
      ],
    })
    expect((await server.as('gamma').get('/api/v1/report/channels/')).statusCode).toBe(403)
    expect((await server.as('nobody').get('/api/v1/report/channels/')).statusCode).toBe(401)
  })

  it('are tested by administrators only', async () => {
    const path = '/api/v1/report/channels/Folder/test'
    for (const [user, status] of [
      ['nobody', 401],
      ['gamma', 403],
      ['alpha', 403],
    ] as const)
      expect((await server.as(user).post(path, { target: 'a' })).statusCode, user).toBe(status)
    expect(readdirSync(folder)).toEqual([])
    const response = await server.as('admin').post(path, { target: 'a' })
    expect(response.json()).toEqual({ message: 'The test message was sent.' })
    expect(readdirSync(join(folder, 'a'))).toHaveLength(1)
  })

  it('say what is wrong when they are tested', async () => {
    const test = (type: string, target?: string) =>
      server.as('admin').post(`/api/v1/report/channels/${type}/test`, { ...(target !== undefined && { target }) })
    const email = await test('Email', 'ana@example.com')
    expect([email.statusCode, email.json()]).toEqual([422, { message: 'Set SMTP_HOST, SMTP_MAIL_FROM first.' }])
    expect((await test('Folder', '../x')).statusCode).toBe(400)
    expect((await test('Slack')).json()).toEqual({ message: 'invalid_auth' })
    expect((await test('Carrier pigeon')).statusCode).toBe(404)
    const filtered = await test('Webhook', 'https://internal.invalid/')
    expect([filtered.statusCode, filtered.json()]).toEqual([
      422,
      { message: 'Could not reach the host of the webhook.' },
    ])
  })

  it('list the Slack channels that match', async () => {
    const search = async (q: string) =>
      (await server.as('alpha').get(`/api/v1/report/slack_channels/?q=${q}`))
        .json<{ result: ListedTarget[] }>()
        .result.map(({ name }) => name)
    expect(await search('()')).toEqual(['sales', 'sales-secret', 'general'])
    expect(await search("(search_string:'SALES')")).toEqual(['sales', 'sales-secret'])
    expect(await search("(search_string:'sales,C000000003',exact_match:!t)")).toEqual(['sales', 'general'])
    expect(await search('(types:!(private_channel))')).toEqual(['sales-secret'])
    expect(await search('(page:1,page_size:2)')).toEqual(['general'])
    expect(await search('(force:!t)')).toEqual(['sales'])
    expect((await server.as('gamma').get('/api/v1/report/slack_channels/')).statusCode).toBe(403)
  })

  it('do not exist without the flag ALERT_REPORTS', async () => {
    const off = await startTestServer({ settings: { flags: { ...server.deps.settings.flags, ALERT_REPORTS: false } } })
    expect((await off.as('admin').get('/api/v1/report/channels/')).statusCode).toBe(404)
    await off.close()
  })
})
