import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Bundle, readArchive, writeArchive } from '@parquetry/bundle'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { testStores } from '../testing.ts'
import { importBundle } from './import-bundle.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const bundle: Bundle = {
  metadata: { version: '1.0.0', type: 'Slice', timestamp: '' },
  files: new Map<string, Record<string, unknown>>([
    ['databases/d.yaml', { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) }],
    ['datasets/d/t.yaml', { table_name: 't', uuid: uuid(2), database_uuid: uuid(1), columns: [], metrics: [] }],
    ['charts/c.yaml', { slice_name: 'c', viz_type: 'table', uuid: uuid(3), dataset_uuid: uuid(2), params: {} }],
  ]),
}
/** More than are read from the store, and written to the disk, at once. */
const charts = 260
const path = '/api/v1/assets/export/?token=t'

/** Starts a server with a number of charts whose texts cannot be compressed much. */
async function startLab(store: (typeof testStores)[number][1], textBytes: number): Promise<TestLab> {
  const lab = await startTestLab({ store })
  const { db } = lab.server.deps
  await importBundle(db, bundle, { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: false })
  const { id: _id, ...chart } = await db.selectFrom('chart').selectAll().executeTakeFirstOrThrow()
  const values = Array.from({ length: charts - 1 }, (_, n) => {
    const params = JSON.stringify({ text: randomBytes(textBytes).toString('base64') })
    return { ...chart, uuid: randomUUID(), slice_name: `c${n}`, params }
  })
  await db.insertInto('chart').values(values).execute()
  return lab
}

/** Files of exports in a home, and those without a name that this process still has open. */
const listFiles = ({ server }: TestLab): string[] => {
  const uploads = join(server.home, 'uploads')
  const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : []
  const open = descriptors.map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return [...readdirSync(uploads), ...open.filter((target) => target.startsWith(uploads))]
}

describe.each(testStores)('an export of many objects on %s', (_name, store) => {
  let lab: TestLab
  beforeAll(async () => {
    lab = await startLab(store, 4 << 10)
  })
  afterAll(() => lab.close())

  it('API-091: is packed from a file into the same bytes as in memory, and leaves no file', async () => {
    const response = await lab.server.as('admin').get(path)
    expect(response.statusCode).toBe(200)
    const [, root = ''] = /filename=(.*)\.zip$/.exec(String(response.headers['content-disposition'])) ?? []
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(response.rawPayload.length),
      'set-cookie': 't=done; Max-Age=600; Path=/; SameSite=Lax',
    })
    const read = await readArchive(response.rawPayload)
    expect([...read.files.keys()].filter((name) => name.startsWith('charts/'))).toHaveLength(charts)
    expect([...read.files.keys()]).toEqual([...read.files.keys()].toSorted())
    expect((await writeArchive(read, root)).equals(response.rawPayload)).toBe(true)
    await vi.waitFor(() => expect(listFiles(lab)).toEqual([]))
  })

  it('contains the requested objects of several groups, or none of them', async () => {
    const rows = await lab.server.deps.db.selectFrom('chart').select('id').execute()
    const ids = rows.map(({ id }) => id)
    const exportCharts = (list: number[]) => lab.server.as('admin').get(`/api/v1/chart/export/?q=!(${list.join(',')})`)
    const { files } = await readArchive((await exportCharts(ids.toReversed())).rawPayload)
    expect([...files.keys()].filter((name) => name.startsWith('charts/'))).toHaveLength(charts)
    expect((await exportCharts([...ids, 999_999])).statusCode).toBe(404)
    await vi.waitFor(() => expect(listFiles(lab)).toEqual([]))
  })

  it('is refused with a sentence when it is larger than an import may be, and leaves no file', async () => {
    const { config } = lab.server.deps.settings
    const usual = config.IMPORT_UNPACKED_LIMIT_MB
    // The first is found when the archive is packed, the second while objects are collected.
    for (const limit of [1, 0.25]) {
      config.IMPORT_UNPACKED_LIMIT_MB = limit
      const response = await lab.server.as('admin').get(path)
      config.IMPORT_UNPACKED_LIMIT_MB = usual
      expect([response.statusCode, response.headers['set-cookie']]).toEqual([422, undefined])
      expect(response.payload).toContain('the limit IMPORT_UNPACKED_LIMIT_MB of this server')
      await vi.waitFor(() => expect(listFiles(lab)).toEqual([]))
    }
  })
})

describe('an export whose client disconnects', () => {
  let lab: TestLab
  let token: string
  beforeAll(async () => {
    // More than the buffers of a connection take.
    lab = await startLab('sqlite', 24 << 10)
    const { http } = lab.server.app
    await http.listen({ port: 0, host: '127.0.0.1' })
    const login = { username: 'admin', password: 'admin', provider: 'db' }
    const signedIn = await http.inject({ method: 'POST', url: '/api/v1/security/login', payload: login })
    token = signedIn.json<{ access_token: string }>().access_token
  })
  afterAll(() => lab.close())

  const send = () => {
    const { port } = lab.server.app.http.server.address() as AddressInfo
    const sent = get({ port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${token}` } })
    sent.on('error', () => {})
    return sent
  }

  it('while a runner packs frees the runner, and leaves no file', async () => {
    const { runners } = lab
    const packing = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<unknown>()
    const writeBundle: typeof runners.writeBundle = (...args) => {
      packing.resolve()
      const work = runners.writeBundle(...args)
      work.then(ended.resolve, ended.resolve)
      return work
    }
    lab.server.deps.runners = Object.assign(Object.create(runners) as typeof runners, { writeBundle })
    const sent = send()
    await packing.promise
    sent.destroy()
    // It fails because of the cancel, not at its end.
    expect(await ended.promise).toMatchObject({ message: expect.any(String) as unknown })
    lab.server.deps.runners = runners
    await vi.waitFor(() => expect(lab.runners.stats().running).toBe(0), 5000)
    await vi.waitFor(() => expect(listFiles(lab)).toEqual([]))
  })

  it('while it receives the archive leaves no file', async () => {
    const response = await new Promise<IncomingMessage>((resolve) => send().on('response', resolve))
    expect(response.statusCode).toBe(200)
    // The objects are removed at the same time.
    await vi.waitFor(() => expect(listFiles(lab)).toHaveLength(1))
    response.destroy()
    await vi.waitFor(() => expect(listFiles(lab)).toEqual([]))
  })
})
