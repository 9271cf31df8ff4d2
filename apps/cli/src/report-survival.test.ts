import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { admin, Program, signIn } from './testing.ts'

let program: Program
beforeEach(() => {
  program = new Program()
})
afterEach(() => program.dispose())

interface Log {
  state: string
  deliveries: { uuid: string; target: string; state: string }[]
}

it('a message that was sent when the server was killed is not sent again, the others are, and its owner can repeat it', async () => {
  const arrived: { path: string; key: string }[] = []
  let isHolding = true
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      arrived.push({ path: request.url ?? '', key: String(request.headers['idempotency-key']) })
      if (!isHolding) response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const config = join(program.home, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({ ALERT_REPORTS_WEBHOOK_HTTPS_ONLY: false, ALERT_REPORTS_WEBHOOK_ALLOW_INTERNAL_HOSTS: true }),
  )
  const env = { ...admin, PARQUETRY_CONFIG: config }
  const start = async () => {
    const server = await program.startServer(env)
    const { access_token } = (await (await signIn(server.url)).json()) as { access_token: string }
    const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      expect([path, response.status < 300, await response.clone().text()]).toEqual([path, true, expect.anything()])
      return (await response.json()) as T
    }
    return { server, send }
  }

  const first = await start()
  const { id: dashboard } = await first.send<{ id: number }>('POST', '/api/v1/dashboard/', { dashboard_title: 'Sales' })
  const { id } = await first.send<{ id: number }>('POST', '/api/v1/report/', {
    type: 'Report',
    name: 'Sales',
    crontab: '0 0 1 1 *',
    dashboard,
    report_format: 'NONE',
    // Four messages of a run are handed over at a time.
    recipients: Array.from({ length: 6 }, (_, n) => ({
      type: 'Webhook',
      recipient_config_json: { target: `${origin}/${n}` },
    })),
  })
  await first.send('POST', `/api/v1/report/${id}/run`, { to: 'recipients' })
  await expect.poll(() => arrived.length, { timeout: 20_000 }).toBe(4)
  first.server.child.kill('SIGKILL')
  await first.server.code
  isHolding = false

  const { send } = await start()
  const readLog = async () =>
    (await send<{ result: Log[] }>('GET', `/api/v1/report/${id}/log/?q=(columns:!(state,deliveries))`)).result[0]!
  await expect.poll(async () => (await readLog()).state, { timeout: 20_000 }).toBe('Error')
  const { deliveries } = await readLog()
  expect(deliveries.map(({ state }) => state).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    'sent',
    'sent',
    'unknown',
    'unknown',
    'unknown',
    'unknown',
  ])
  expect(new Set(arrived.map(({ path }) => path)).size).toBe(6)
  expect(arrived).toHaveLength(6)
  const { result } = await send<{ result: { kind: string }[] }>('GET', '/api/v1/notification/')
  expect(result.map(({ kind }) => kind)).toEqual(['report_may_have_been_sent'])

  const unknown = deliveries.find(({ state }) => state === 'unknown')!
  await send('POST', `/api/v1/report/delivery/${unknown.uuid}/send_again`)
  await expect
    .poll(async () => (await readLog()).deliveries.find(({ uuid }) => uuid === unknown.uuid)?.state, {
      timeout: 20_000,
    })
    .toBe('sent')
  const path = new URL(unknown.target).pathname
  const [once_, again, ...more] = arrived.filter((message) => message.path === path)
  expect([again?.key, more]).toEqual([once_?.key, []])
  receiver.closeAllConnections()
  receiver.close()
}, 60_000)
