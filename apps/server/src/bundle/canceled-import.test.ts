import { readdirSync } from 'node:fs'
import { type ClientRequest, request as openRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeArchive } from '@parquetry/bundle'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { testStores } from '../testing.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const chartPath = 'charts/x.yaml'
const files = new Map<string, Record<string, unknown>>([
  ['databases/d.yaml', { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) }],
  ['datasets/d/t.yaml', { table_name: 't', uuid: uuid(2), database_uuid: uuid(1), columns: [], metrics: [] }],
  [chartPath, { slice_name: 'c', viz_type: 'table', uuid: uuid(3), dataset_uuid: uuid(2), params: {} }],
])

describe.each(testStores)('an import whose client disconnects on %s', (_name, store) => {
  let lab: TestLab
  let token: string
  let form: Request
  let payload: Buffer
  const lines: { level: number; msg?: string }[] = []
  /** Called each time the document of the chart is read. */
  let onRead: (times: number, signal: AbortSignal) => Promise<void> = async () => {}

  beforeAll(async () => {
    lab = await startTestLab({ store })
    const { app, deps } = lab.server
    const { runners } = lab
    const readBundle: typeof runners.readBundle = async (path, signal, ...others) => {
      const source = await runners.readBundle(path, signal, ...others)
      let times = 0
      return {
        ...source,
        paths: source.paths,
        metadata: source.metadata,
        close: () => source.close(),
        read: async (name) => {
          if (name === chartPath) await onRead(++times, signal)
          return source.read(name)
        },
      }
    }
    deps.runners = Object.assign(Object.create(runners) as typeof runners, { readBundle })
    Object.assign(deps.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(JSON.parse(line)) } })
    deps.log.level = 'info'
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const login = { username: 'admin', password: 'admin', provider: 'db' }
    const signedIn = await app.http.inject({ method: 'POST', url: '/api/v1/security/login', payload: login })
    token = signedIn.json<{ access_token: string }>().access_token
    const body = new FormData()
    const metadata = { version: '1.0.0', type: 'Slice', timestamp: '2026-01-02T03:04:05+00:00' } as const
    body.set('formData', new Blob([new Uint8Array(await writeArchive({ metadata, files }, 'root'))]), 'bundle.zip')
    form = new Request('http://localhost', { method: 'POST', body })
    payload = Buffer.from(await form.clone().arrayBuffer())
  })
  afterAll(() => lab.close())

  const send = (): ClientRequest => {
    const { port } = lab.server.app.http.server.address() as AddressInfo
    const sent = openRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/chart/import/',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/x-ndjson',
        'content-type': form.headers.get('content-type') ?? '',
      },
    })
    sent.on('error', () => {})
    sent.end(payload)
    return sent
  }

  it.each([
    ['reads', 1],
    ['compares', 2],
    ['writes', 3],
  ])('regression: while it %s changes nothing, frees its runner, and is no failure', async (_what, at) => {
    lines.length = 0
    const reached = Promise.withResolvers<void>()
    onRead = async (times, signal) => {
      if (times !== at) return
      reached.resolve()
      await vi.waitFor(() => expect(signal.aborted).toBe(true))
    }
    const sent = send()
    await reached.promise
    sent.destroy()
    await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ msg: 'import canceled' })))
    expect(lines.filter(({ level }) => level > 30)).toEqual([])
    const { db } = lab.server.deps
    expect(await db.selectFrom('dataset').select('id').execute()).toEqual([])
    expect(await db.selectFrom('chart').select('id').execute()).toEqual([])
    await vi.waitFor(() => expect(lab.runners.stats().running).toBe(0))
    await vi.waitFor(() => expect(readdirSync(join(lab.server.home, 'uploads'))).toEqual([]))
  })

  it('the next import works', async () => {
    onRead = async () => {}
    const { promise, resolve } = Promise.withResolvers<string>()
    send().on('response', (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += String(part)))
      response.on('end', () => resolve(text))
    })
    expect(JSON.parse((await promise).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ end: { status: 200 } })
  })
})
