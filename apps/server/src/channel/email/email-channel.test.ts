import { testCertificate } from '@parquetry/testing/test-certificate'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { readSettings } from '../../settings/settings.ts'
import { unzip } from '../../unzip.testing.ts'
import { createFile, createOutgoing, never } from '../outgoing.testing.ts'
import { createEmailChannel, type EmailOptions } from './email-channel.ts'

interface Received {
  from: string
  to: string[]
  text: string
  isEncrypted: boolean
  user: unknown
}
const received: Received[] = []
const open: { close(done: () => void): unknown }[] = []
afterEach(async () => {
  received.length = 0
  await Promise.all(open.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
})

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port

/** A mail server with a certificate for `localhost`. */
async function startMailServer(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({
    ...testCertificate,
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 50,
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(pieces).toString(),
          isEncrypted: session.secure,
          user: session.user,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: (done) => server.close(done) })
  return portOf(server.server)
}

/** A server that sends `answers` in turn, one to each line that it receives, the first one as greeting; null closes the connection. */
async function startScript(answers: readonly (string | null)[]): Promise<{ port: number; lines: string[] }> {
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    const left = [...answers]
    const answer = () => {
      const next = left.shift()
      if (next === null) socket.destroy()
      else if (next !== undefined) socket.write(`${next}\r\n`)
    }
    answer()
    let isData = false
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      for (const line of bytes.toString().split('\r\n').slice(0, -1)) {
        if (isData && line !== '.') continue
        lines.push(line)
        isData = line === 'DATA'
        answer()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close(done) {
      for (const socket of sockets) socket.destroy()
      server.close(done)
    },
  })
  return { port: portOf(server), lines }
}

async function channelOn(port: number, config: Record<string, unknown> = {}, options: EmailOptions = {}) {
  const settings = await readSettings({})
  Object.assign(settings.config, {
    SMTP_HOST: 'localhost',
    SMTP_PORT: port,
    SMTP_STARTTLS: false,
    SMTP_MAIL_FROM: 'Reports <reports@example.com>',
    ...config,
  })
  return createEmailChannel(settings, { authorities: testCertificate.cert, ...options })
}

const toAna = { target: 'ana@example.com' }

/** Lines of the headers, with those that were folded joined again. */
const headersOf = (text: string): string[] =>
  (text.split('\r\n\r\n')[0] ?? '').replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')

describe('REPORT e-mails', () => {
  it('go to all addresses, encrypted and signed in, and say that they are automatic', async () => {
    const port = await startMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'secret' ? done(null, { user: username }) : done(new Error('wrong')),
    })
    const login = { SMTP_STARTTLS: true, SMTP_USER: 'parquetry', SMTP_PASSWORD: 'secret' }
    const channel = await channelOn(port, login)
    const config = {
      target: 'ana@example.com; Bo@Example.COM',
      ccTarget: 'cy@example.com',
      bccTarget: 'di@example.com',
    }
    await channel.send(config, createOutgoing(), never)
    const [mail] = received
    expect(mail).toMatchObject({
      from: 'reports@example.com',
      to: ['ana@example.com', 'Bo@example.com', 'cy@example.com', 'di@example.com'],
      isEncrypted: true,
      user: 'parquetry',
    })
    expect(headersOf(mail?.text ?? '')).toEqual(
      expect.arrayContaining([
        'From: Reports <reports@example.com>',
        'To: ana@example.com, Bo@example.com',
        'Cc: cy@example.com',
        'Subject: [Report] Sales of the week',
        'Message-ID: <0c5a1b9e-6a5e-4f0e-9f7a-3d9d3f1c2b4a@example.com>',
        'Auto-Submitted: auto-generated',
      ]),
    )
    expect(mail?.text).not.toContain('di@')
  })

  it('encrypt from the first byte with SMTP_SSL', async () => {
    const channel = await channelOn(await startMailServer({ secure: true }), { SMTP_SSL: true })
    await channel.send(toAna, createOutgoing(), never)
    expect(received).toMatchObject([{ isEncrypted: true }])
  })

  it('contain pictures in their HTML, one file as it is, and several as an archive', async () => {
    const channel = await channelOn(await startMailServer())
    const picture = createFile('sales.png', 'image/png', 'picture')
    const csv = createFile('sales.csv', 'text/csv', 'a,b')
    await channel.send(toAna, createOutgoing({ files: [picture, csv], url: 'https://bi.example.com/d/1?a=1&b' }), never)
    await channel.send(toAna, createOutgoing({ html: '<p>Table</p>', files: [csv, csv] }), never)
    await channel.send(toAna, createOutgoing(), never)
    const [first = '', second = '', third = ''] = received.map(({ text }) => text)
    expect(first).toMatch(/Content-Type: image\/png[^]*Content-Id: <1\.0c5a1b9e-[^>]*>[^]*Content-Disposition: inline/i)
    const html = first.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    expect(html).toContain('<p>Sales rose.</p><p><img src="cid:1.0c5a1b9e-6a5e-4f0e-9f7a-3d9d3f1c2b4a@example.com"')
    expect(html).toContain('<a href="https://bi.example.com/d/1?a=1&#38;b">Open in Parquetry</a>')
    expect(first).toContain('filename=sales.csv')
    const [, base64 = ''] = /filename=report\.zip\r\n\r\n([A-Za-z\d+/=\r\n]+)/.exec(second) ?? []
    const files = await unzip(Buffer.from(base64, 'base64'))
    expect([...files.keys()]).toEqual(['sales.csv', 'sales (2).csv'])
    expect(third).toMatch(/Content-Type: text\/plain[^]*Sales rose\./)
    expect(third).not.toContain('multipart')
  })

  it('cannot get headers or recipients from the texts and names of a report', async () => {
    const channel = await channelOn(await startMailServer())
    const evil = 'x\r\nBcc: eve@evil.example\r\nX-Evil: 1\n\n<b>'
    await channel.send(
      toAna,
      createOutgoing({
        subject: evil,
        text: evil,
        files: [createFile(`${evil}.csv`, 'text/csv', evil), createFile(`${evil}.png`, 'image/png', '')],
      }),
      never,
    )
    expect(received).toMatchObject([{ to: ['ana@example.com'] }])
    const headers = headersOf(received[0]?.text ?? '')
    expect(headers.filter((line) => /^(bcc|x-evil)/i.test(line))).toEqual([])
    expect(headers).toContain('Subject: [Report] x Bcc: eve@evil.example X-Evil: 1 <b>')
    for (const part of (received[0]?.text ?? '').split(/\r\n--/).slice(1))
      expect(headersOf(part.slice(part.indexOf('\r\n') + 2)).filter((line) => /^(bcc|x-evil)/i.test(line))).toEqual([])
    for (const target of [
      'ana@example.com\r\nBcc: eve@evil.example',
      'a@b\nc',
      '<ana@example.com>',
      'ana@exa mple.com',
      '"a b"@c',
    ])
      expect(() => channel.checkTarget({ target })).toThrow('is not an email address')
    expect(() => channel.checkTarget({ ...toAna, bccTarget: 'eve@evil.example>\r\nRCPT TO:<x@y' })).toThrow('is not an')
  })

  it('go only to the domains of ALERT_REPORTS_EMAIL_DOMAINS', async () => {
    const port = await startMailServer()
    const channel = await channelOn(port, { ALERT_REPORTS_EMAIL_DOMAINS: ['Example.com', 'bücher.example'] })
    await channel.checkTarget({ target: 'ana@EXAMPLE.com, bo@xn--bcher-kva.example', ccTarget: 'cy@bücher.example' })
    for (const config of [
      { target: 'eve@evil.example' },
      { target: 'eve@sub.example.com' },
      { target: 'eve@notexample.com' },
      { ...toAna, ccTarget: 'eve@evil.example' },
      { ...toAna, bccTarget: 'ana@example.com;eve@evil.example' },
    ]) {
      expect(() => channel.checkTarget(config)).toThrow('ALERT_REPORTS_EMAIL_DOMAINS')
      await expect(channel.send(config, createOutgoing(), never)).rejects.toMatchObject({ code: 'unprocessable' })
    }
    expect(received).toEqual([])
  })

  it('need SMTP_HOST and SMTP_MAIL_FROM', async () => {
    const channel = await channelOn(25, { SMTP_HOST: '', SMTP_MAIL_FROM: '' })
    expect(channel.missingSettings()).toEqual(['SMTP_HOST', 'SMTP_MAIL_FROM'])
    await expect(channel.send(toAna, createOutgoing(), never)).rejects.toMatchObject({ outcome: 'refused' })
    expect((await channelOn(25)).missingSettings()).toEqual([])
  })
})

describe('faults of the mail server', () => {
  const failureOf = async (
    port: number,
    config: Record<string, unknown> = {},
    options: EmailOptions = {},
    signal = never,
  ) => {
    const channel = await channelOn(port, config, options)
    const error: unknown = await channel.send(toAna, createOutgoing(), signal).then(
      () => 'sent',
      (failure: unknown) => failure,
    )
    return error as { outcome: string; message: string }
  }
  const greeting = ['220 hello', '250 mail.internal.example']
  const upToData = [...greeting, '250 ok', '250 ok', '354 go']
  const short = { limits: { connectMs: 5000, silentMs: 300 } }

  it('down: nothing was sent, so that another attempt may succeed', async () => {
    const { port } = await startScript([])
    await new Promise<void>((resolve) => open.splice(0)[0]?.close(() => resolve()))
    expect(await failureOf(port)).toMatchObject({
      outcome: 'unavailable',
      message: expect.stringContaining('Could not reach'),
    })
    expect(await failureOf(25, { SMTP_HOST: 'no-such-host.invalid' })).toMatchObject({ outcome: 'unavailable' })
    expect(await failureOf(25, { SMTP_HOST: '169.254.169.254' })).toMatchObject({ outcome: 'unavailable' })
  })

  it.each([
    ['busy at the greeting', ['421 busy', null], 'unavailable', '421'],
    ['closing at the greeting', [null], 'unavailable', 'Could not reach'],
    ['closing before the data', [...greeting, '250 ok', null], 'unavailable', 'Could not reach'],
    ['refusing the sender for now', [...greeting, '451 4.7.1 secret.internal.example'], 'unavailable', '(451 4.7.1)'],
    ['refusing the recipient', [...greeting, '250 ok', '550 5.1.1 no such user at 10.0.0.1'], 'refused', '(550 5.1.1)'],
    ['refusing the data', [...upToData, '554 5.6.0 spam'], 'refused', '(554 5.6.0)'],
    ['deferring the data', [...upToData, '452 full'], 'unavailable', '(452)'],
    ['closing after the data', [...upToData, null], 'unknown', 'may have been sent'],
  ] as const)('%s', async (_title, answers, outcome, words) => {
    const { port } = await startScript(answers)
    const failure = await failureOf(port)
    expect(failure).toMatchObject({ outcome, message: expect.stringContaining(words) })
    expect(failure.message).not.toMatch(/internal|10\.0\.0\.1/)
  })

  it('silent: unavailable before the data, unknown after it', async () => {
    const early = await startScript(greeting)
    expect(await failureOf(early.port, {}, short)).toMatchObject({ outcome: 'unavailable' })
    const late = await startScript(upToData)
    expect(await failureOf(late.port, {}, short)).toMatchObject({ outcome: 'unknown' })
    const mute = await startScript([])
    expect(await failureOf(mute.port, {}, { limits: { connectMs: 300, silentMs: 5000 } })).toMatchObject({
      outcome: 'unavailable',
    })
  })

  it('stopped by the caller: unavailable before the data, unknown after it', async () => {
    for (const [answers, lines, outcome] of [
      [greeting, 2, 'unavailable'],
      [upToData, 5, 'unknown'],
    ] as const) {
      const script = await startScript(answers)
      const stopping = new AbortController()
      const failure = failureOf(script.port, {}, {}, stopping.signal)
      await expect.poll(() => script.lines.length).toBe(lines)
      stopping.abort()
      expect(await failure).toMatchObject({ outcome })
    }
  })

  it('with a certificate that cannot be verified: refused, unless SMTP_SSL_SERVER_AUTH is off', async () => {
    for (const mode of [{ SMTP_STARTTLS: true }, { SMTP_SSL: true }]) {
      const port = await startMailServer({ secure: 'SMTP_SSL' in mode })
      const untrusted = { authorities: '' }
      expect(await failureOf(port, mode, untrusted)).toMatchObject({
        outcome: 'refused',
        message: expect.stringContaining('certificate'),
      })
      // The certificate is for localhost.
      expect(await failureOf(port, { ...mode, SMTP_HOST: '127.0.0.1' })).toMatchObject({ outcome: 'refused' })
      expect(received).toEqual([])
      expect(await failureOf(port, { ...mode, SMTP_SSL_SERVER_AUTH: false }, untrusted)).toBe('sent')
      received.length = 0
    }
  })

  it('without encryption: nothing is sent when SMTP_STARTTLS asks for it', async () => {
    const port = await startMailServer({ disabledCommands: ['STARTTLS'] })
    expect(await failureOf(port, { SMTP_STARTTLS: true })).toMatchObject({
      outcome: expect.stringMatching(/refused|unavailable/),
    })
    expect(received).toEqual([])
  })

  it('refusing the password: refused, without the password', async () => {
    const port = await startMailServer({ onAuth: (_auth, _session, done) => done(new Error('wrong')) })
    const failure = await failureOf(port, { SMTP_STARTTLS: true, SMTP_USER: 'u', SMTP_PASSWORD: 'hunter2' })
    expect(failure).toMatchObject({ outcome: 'refused', message: expect.stringContaining('SMTP_PASSWORD') })
    expect(JSON.stringify(failure)).not.toContain('hunter2')
  })

  it('refusing a message that is too large', async () => {
    const port = await startMailServer({ size: 100 })
    expect(await failureOf(port)).toMatchObject({ outcome: 'refused', message: expect.stringContaining('larger') })
  })

  it('refusing some recipients: says who got it and who did not', async () => {
    const port = await startMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith('bo') ? Object.assign(new Error('unknown'), { responseCode: 550 }) : null),
    })
    const channel = await channelOn(port)
    await expect(
      channel.send({ target: 'ana@example.com, bo@example.com' }, createOutgoing(), never),
    ).rejects.toMatchObject({
      outcome: 'refused',
      message: 'Sent to ana@example.com, but the mail server refused bo@example.com (550).',
    })
    expect(received).toMatchObject([{ to: ['ana@example.com'] }])
  })
})
