import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../settings/settings.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { linkPath } from './one-time-link.ts'

const mails: { to: string[]; text: string }[] = []
let mailServer: SMTPServer
let server: TestServer
let steadyMs = 0
let refuses = false

beforeAll(async () => {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 50,
    onRcptTo: (_address, _session, done) =>
      done(refuses ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const text = Buffer.concat(pieces).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
  const { config } = await readSettings({})
  Object.assign(config, {
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: (mailServer.server.address() as AddressInfo).port,
    SMTP_STARTTLS: false,
    SMTP_MAIL_FROM: 'bi@example.com',
    ALERT_REPORTS_EMAIL_DOMAINS: ['reports.example'],
  })
  server = await startTestServer({ settings: { config, baseUrl: 'https://bi.example.com' }, steadyMs: () => steadyMs })
  await server.deps.db.updateTable('user').set({ email: 'Gamma@example.com' }).where('username', '=', 'gamma').execute()
})
afterAll(async () => {
  await server.close()
  await new Promise<void>((resolve) => mailServer.close(() => resolve()))
})
afterEach(() => {
  mails.length = 0
  refuses = false
})

const idOf = async (username: string): Promise<number> =>
  (await server.deps.db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id

describe('links of administrators', () => {
  it('are sent by e-mail too, whatever domains reports may go to', async () => {
    const role = await server.deps.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Gamma')
      .executeTakeFirstOrThrow()
    const invitation = await server
      .as('admin')
      .post('/api/v1/security/invitations/', { email: 'new@example.com', roles: [role.id] })
    expect(invitation.statusCode).toBe(201)
    const { link, email_sent } = invitation.json<{ result: { link: string; email_sent: boolean } }>().result
    expect(email_sent).toBe(true)
    expect(mails).toEqual([{ to: ['new@example.com'], text: expect.stringContaining(link) }])
    expect(mails[0]?.text).toContain('within 72 hours')
    const reset = await server.as('admin').post(`/api/v1/security/users/${await idOf('gamma')}/reset_links/`, {})
    expect(reset.json()).toMatchObject({ result: { email_sent: true, email_error: null } })
    expect(mails[1]?.to).toEqual(['Gamma@example.com'])
    const without = await server.as('admin').post('/api/v1/security/invitations/', { roles: [role.id] })
    expect(without.json()).toMatchObject({ result: { email_sent: null, link: expect.any(String) as string } })
  })

  it('are shown when the e-mail fails, with the reason', async () => {
    refuses = true
    const reset = await server.as('admin').post(`/api/v1/security/users/${await idOf('gamma')}/reset_links/`, {})
    expect(reset.json()).toMatchObject({
      result: {
        link: expect.stringContaining('https://bi.example.com/login/link/') as string,
        email_sent: false,
        email_error: 'The mail server refused the message (550).',
      },
    })
  })
})

describe('a forgotten password', () => {
  /** Sends the form of the sign-in page. */
  async function ask(email: string, headers: Record<string, string> = {}, on = server) {
    const page = await on.as('nobody').get('/login/')
    const [cookie = ''] = String(page.headers['set-cookie']).split(';')
    const [, token = ''] = /name="csrf_token"[^>]*value="([^"]+)"/.exec(page.body) ?? []
    const options = { payload: { email }, headers: { cookie, 'x-csrftoken': token, ...headers } }
    return on.as('nobody').send('POST', '/api/v1/security/forgot_password', options)
  }

  it('gets a link by e-mail, with the same response for every address', async () => {
    steadyMs += 3_600_000
    const responses = [
      await ask('nobody@example.com'),
      await ask(' gamma@EXAMPLE.com', { host: 'evil.example', 'x-forwarded-host': 'evil.example' }),
      await ask('gamma@example.com'),
      await ask("' or 1=1 --\r\nBcc: eve@evil.example"),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
    await vi.waitFor(() => expect(mails).toHaveLength(1))
    const [mail] = mails
    expect(mail?.to).toEqual(['Gamma@example.com'])
    expect(mail?.text).not.toContain('evil')
    const [, token = ''] = /https:\/\/bi\.example\.com\/login\/link\/([\w-]+)\//.exec(mail?.text ?? '') ?? []
    expect((await server.as('nobody').get(linkPath(token))).statusCode).toBe(200)
    // One e-mail in five minutes.
    steadyMs += 4 * 60_000
    await ask('gamma@example.com')
    steadyMs += 2 * 60_000
    await ask('gamma@example.com')
    await vi.waitFor(() => expect(mails).toHaveLength(2))
    // The earlier link is over.
    expect((await server.as('nobody').get(linkPath(token))).statusCode).toBe(302)
  })

  it('is throttled by address, and never sent to deactivated accounts', async () => {
    steadyMs += 3_600_000
    await server.deps.db.updateTable('user').set({ active: 0 }).where('username', '=', 'gamma').execute()
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) statuses.push((await ask('gamma@example.com')).statusCode)
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429])
    await server.deps.db.updateTable('user').set({ active: 1 }).where('username', '=', 'gamma').execute()
    steadyMs += 16 * 60_000
    expect((await ask('gamma@example.com')).statusCode).toBe(200)
    await vi.waitFor(() => expect(mails).toHaveLength(1))
  })

  it('is offered only with a mail server and an address of our own', async () => {
    const offers = async (one: TestServer) =>
      (await one.as('nobody').get('/login/')).body.includes('"can_ask_for_link":true')
    expect(await offers(server)).toBe(true)
    const { config } = server.deps.settings
    for (const settings of [{ config }, { baseUrl: 'https://bi.example.com' }]) {
      const other = await startTestServer({ settings })
      expect(await offers(other)).toBe(false)
      expect((await ask('gamma@example.com', {}, other)).statusCode).toBe(404)
      await other.close()
    }
  })
})
