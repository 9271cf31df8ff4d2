import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { type Cut, type Proxy, startProxy } from './proxy.testing.ts'

const servers = testStores.filter(([, store]) => store !== 'sqlite')

describe.each(servers)('a store on %s behind an unreliable connection', (_name, store) => {
  let proxy: Proxy
  let server: TestServer
  beforeAll(async () => {
    proxy = await startProxy(store)
    // A statement may take this long on a busy machine.
    server = await start({ connectMs: 10_000, settleMs: 10_000, statementMs: 10_000 })
  })
  afterEach(() => proxy.heal())
  afterAll(async () => {
    await server.close()
    await proxy.close()
  })

  const start = async (storeLimits: { connectMs: number; settleMs: number; statementMs: number }) => {
    const made = await startTestServer({ store: proxy.address, storeLimits })
    await made.as('admin').get('/api/v1/me/')
    return made
  }
  /** Does the work with a server that gives up earlier. */
  const withLimits = async (limits: Parameters<typeof start>[0], work: () => Promise<void>) => {
    const patient = server
    server = await start(limits)
    try {
      await work()
    } finally {
      proxy.heal()
      await server.close()
      server = patient
    }
  }
  const make = (dashboard_title: string) => server.as('admin').post('/api/v1/dashboard/', { dashboard_title })
  const read = () => server.as('admin').get('/api/v1/dashboard/')
  const titles = async (): Promise<string[]> => {
    const rows = await server.deps.db.selectFrom('dashboard').select('dashboard_title').execute()
    return rows.map(({ dashboard_title }) => String(dashboard_title))
  }
  const isAway = ({ statusCode, headers }: Awaited<ReturnType<typeof make>>) =>
    statusCode === 503 && headers['retry-after'] !== undefined

  it.each<Cut>(['before', 'after'])(
    'regression: survives a connection cut %s any statement of a request, and a retry creates no duplicate',
    async (cut) => {
      let hasCut = true
      let failed = 0
      for (let n = 1; hasCut; n++) {
        const title = `cut ${cut} ${n}`
        proxy.cutAt(n, cut)
        const response = await make(title)
        hasCut = proxy.hasCut()
        proxy.heal()
        if (isAway(response)) {
          failed += 1
          expect((await make(title)).statusCode).toBe(201)
        } else expect(response.statusCode).toBe(201)
        expect((await titles()).filter((known) => known === title)).toEqual([title])
      }
      expect(failed).toBeGreaterThan(4)
    },
  )

  it('regression: survives a restart of the database', async () => {
    const requests = Array.from({ length: 5 }, (_, n) => make(`restart ${n}`))
    await new Promise((resolve) => setTimeout(resolve, 3))
    proxy.refuse()
    proxy.cutAll()
    for (const response of await Promise.all(requests)) expect([201, 503]).toContain(response.statusCode)
    expect(await read()).toSatisfy(isAway)
    proxy.heal()
    expect((await read()).statusCode).toBe(200)
  })

  it('reports when it is unknown whether a change was saved', () =>
    withLimits({ connectMs: 10_000, settleMs: 700, statementMs: 10_000 }, async () => {
      for (let n = 1, isKnown = true; isKnown; n++) {
        proxy.cutAt(n, 'after', true)
        const response = await make(`unknown ${n}`)
        // Statements of the server itself also count, so the end of the request may be skipped: starts over in that case.
        if (!proxy.hasCut()) n = 0
        proxy.heal()
        if (isAway(response) || response.statusCode === 201) continue
        isKnown = false
        expect([response.statusCode, response.body]).toEqual([
          503,
          expect.stringContaining('Check whether your change was saved'),
        ])
        expect(await titles()).toContain(`unknown ${n}`)
      }
    }))

  it('regression: a store that hangs does not block requests, and health reports it within 3 seconds', () =>
    withLimits({ connectMs: 2500, settleMs: 700, statementMs: 2000 }, async () => {
      proxy.stall()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], shouldClearNativeTimers: true })
      let isAnswered = false
      const requests = Promise.all([
        server.as('nobody').get('/health'),
        read(),
        ...Array.from({ length: 12 }, (_, n) => make(`hanging ${n}`)),
      ]).finally(() => (isAnswered = true))
      try {
        // Connections open between the steps of the fake clock.
        for (let ms = 0; ms < 3000 && !isAnswered; ms += 10) {
          await vi.advanceTimersByTimeAsync(10)
          await new Promise((resolve) => setImmediate(resolve))
        }
        expect(isAnswered).toBe(true)
      } finally {
        vi.useRealTimers()
      }
      const [health, call, ...saves] = await requests
      expect([health, call, ...saves].filter((response) => !isAway(response)).map(({ body }) => body)).toEqual([])
      proxy.heal()
      expect((await read()).statusCode).toBe(200)
      expect((await server.as('nobody').get('/health')).statusCode).toBe(200)
    }))
})
