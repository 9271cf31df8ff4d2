import { testCertificate } from '@parquetry/testing/test-certificate'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../settings/settings.ts'
import { startHttpReceiver, type HttpReceiver } from '../http-receiver.testing.ts'
import { attempt, createFile, createOutgoing, never } from '../outgoing.testing.ts'
import { createWebhookChannel } from './webhook-channel.ts'

const receivers: HttpReceiver[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})
async function receive(...options: Parameters<typeof startHttpReceiver>): Promise<HttpReceiver> {
  const receiver = await startHttpReceiver(...options)
  receivers.push(receiver)
  return receiver
}

async function createChannel(
  config: Record<string, unknown> = {},
  options: Parameters<typeof createWebhookChannel>[1] = {},
) {
  const settings = await readSettings({})
  Object.assign(settings.config, { ALERT_REPORTS_WEBHOOK_ALLOW_INTERNAL_HOSTS: true, ...config })
  settings.flags = { ...settings.flags, ALERT_REPORT_WEBHOOK: true }
  return createWebhookChannel(settings, { authorities: testCertificate.cert, ...options })
}

describe('REPORT webhooks', () => {
  it('post JSON with the fields of Superset, an idempotency key and a signature', async () => {
    const receiver = await receive('https', (_request, response) => response.end('ok'))
    const at = new Date('2026-11-30T12:00:00Z')
    const channel = await createChannel({ ALERT_REPORTS_WEBHOOK_SECRET: 'shared' }, { now: () => at })
    const url = `https://localhost:${receiver.port}/hook?team=1`
    await channel.checkTarget({ target: url })
    await channel.send({ target: url }, createOutgoing({ url: 'https://bi.example.com/d/7' }), never)
    const [{ path, headers, body } = receiver.requests[0]!] = receiver.requests
    expect({ path, body: JSON.parse(body.toString()) as unknown }).toEqual({
      path: '/hook?team=1',
      body: {
        name: 'Sales',
        header: {
          notification_format: 'PDF',
          notification_type: 'Report',
          notification_source: 'dashboard',
          chart_id: null,
          dashboard_id: 7,
        },
        text: 'Sales rose.',
        description: 'All',
        url: 'https://bi.example.com/d/7',
      },
    })
    expect(headers).toMatchObject({
      host: `localhost:${receiver.port}`,
      'content-type': 'application/json',
      'idempotency-key': '0c5a1b9e-6a5e-4f0e-9f7a-3d9d3f1c2b4a',
      'x-parquetry-timestamp': String(at.getTime() / 1000),
      'x-parquetry-signature': `sha256=${createHmac('sha256', 'shared')
        .update(`${at.getTime() / 1000}.${body.toString()}`)
        .digest('hex')}`,
    })
  })

  it('post files in a form whose texts cannot add fields', async () => {
    const receiver = await receive('https', (_request, response) => response.end())
    const evil = 'x"\r\n\r\n--\r\nContent-Disposition: form-data; name="evil"'
    const files = [
      createFile(`${evil}.png`, 'image/png', 'first'),
      createFile('b.png', 'image/png', 'second'),
      createFile('Sales.PDF', `application/pdf\r\nX-Evil: 1`, 'document'),
      createFile('c.csv', 'text/csv', 'a,b'),
    ]
    expect(await attempt(await createChannel(), `https://localhost:${receiver.port}/`, { text: evil, files })).toBe(
      'sent',
    )
    const { headers, body } = receiver.requests[0]!
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData()
    expect([...new Set(form.keys())]).toEqual(['name', 'header', 'text', 'description', 'url', 'files'])
    expect(form.get('text')).toBe(evil)
    expect(JSON.parse(String(form.get('header')))).toMatchObject({ dashboard_id: 7 })
    const names = form.getAll('files').map((file) => (file as File).name)
    expect(names).toEqual(['screenshot_0.png', 'screenshot_1.png', 'report.pdf', 'report_1.csv'])
    expect(headers['x-parquetry-signature']).toBeUndefined()
  })

  it.each([
    [200, 'sent'],
    [204, 'sent'],
    [301, 'refused'],
    [307, 'refused'],
    [400, 'refused'],
    [404, 'refused'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('status %i is %s, and redirects are not followed', async (status, outcome) => {
    const receiver = await receive('https', (_request, response) =>
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '7' }).end('<internal secret>'),
    )
    const found = await attempt(await createChannel(), `https://localhost:${receiver.port}/`)
    if (outcome === 'sent') expect(found).toBe('sent')
    else {
      expect(found).toMatchObject({ outcome, message: expect.stringContaining(String(status)) })
      expect(found).toHaveProperty('retryAfterMs', outcome === 'unavailable' ? 7000 : undefined)
      expect(JSON.stringify(found)).not.toContain('internal secret')
    }
    expect(receiver.requests).toHaveLength(1)
  })

  it('broken or silent after the message was sent: unknown', async () => {
    const broken = await receive('https', (_request, response) => response.destroy())
    expect(await attempt(await createChannel(), `https://localhost:${broken.port}/`)).toMatchObject({
      outcome: 'unknown',
    })
    const silent = await receive('https', () => undefined)
    const channel = await createChannel({ ALERT_REPORTS_WEBHOOK_TIMEOUT: 0.5 })
    expect(await attempt(channel, `https://localhost:${silent.port}/`)).toMatchObject({ outcome: 'unknown' })
  })

  it('broken or silent before: unavailable; without a trusted certificate: refused', async () => {
    const closing = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
    const { port } = closing.address() as { port: number }
    expect(await attempt(await createChannel(), `https://localhost:${port}/`)).toMatchObject({ outcome: 'unavailable' })
    await new Promise((resolve) => closing.close(resolve))
    expect(await attempt(await createChannel(), `https://localhost:${port}/`)).toMatchObject({ outcome: 'unavailable' })
    const receiver = await receive('https', (_request, response) => response.end())
    const untrusting = await createChannel({}, { authorities: '' })
    for (const [channel, host] of [
      [untrusting, 'localhost'],
      [await createChannel(), '127.0.0.1'],
    ] as const)
      expect(await attempt(channel, `https://${host}:${receiver.port}/`)).toMatchObject({
        outcome: 'refused',
        message: expect.stringContaining('certificate'),
      })
    expect(receiver.requests).toEqual([])
  })

  it('go to no internal host, and say the same as for hosts that do not exist', async () => {
    const receiver = await receive('https', (_request, response) => response.end())
    const channel = await createChannel({ ALERT_REPORTS_WEBHOOK_ALLOW_INTERNAL_HOSTS: false })
    const missing = await attempt(channel, 'https://no-such-host.invalid/')
    for (const host of [
      'localhost',
      '127.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '10.0.0.1',
      '169.254.169.254',
      '[fd00::1]',
      '0.0.0.0',
    ]) {
      const target = `https://${host}:${receiver.port}/`
      const found = await attempt(channel, target)
      expect(found).toMatchObject({ outcome: 'unavailable', message: (missing as Error).message })
      await expect(channel.checkTarget({ target })).rejects.toMatchObject({ code: 'unprocessable' })
    }
    expect(receiver.requests).toEqual([])
    // Metadata services stay forbidden.
    expect(await attempt(await createChannel(), 'https://169.254.169.254/')).toMatchObject({ outcome: 'unavailable' })
  })

  it('need an https URL without a password, unless ALERT_REPORTS_WEBHOOK_HTTPS_ONLY is off', async () => {
    const channel = await createChannel()
    for (const target of [
      '',
      'nonsense',
      'ftp://x/',
      'https://',
      'javascript:alert(1)',
      'https://u:p@example.com/',
      `https://x/${'a'.repeat(2000)}`,
    ])
      await expect((async () => channel.checkTarget({ target }))()).rejects.toMatchObject({ code: 'invalid_payload' })
    await expect((async () => channel.checkTarget({ target: 'http://example.com' }))()).rejects.toThrow('https://')
    const receiver = await receive('http', (_request, response) => response.end())
    const lax = await createChannel({ ALERT_REPORTS_WEBHOOK_HTTPS_ONLY: false })
    expect(await attempt(lax, `http://127.0.0.1:${receiver.port}/`)).toBe('sent')
    expect(await attempt(channel, `http://127.0.0.1:${receiver.port}/`)).not.toBe('sent')
  })
})
