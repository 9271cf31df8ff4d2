import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readFolder, type Bundle, writeArchive } from '@parquetry/bundle'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestLab } from '../sqllab/testing.ts'
import { startProxy } from '../store/proxy.testing.ts'
import type { Tables } from '../store/tables.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { importBundle } from './import-bundle.ts'
import { Interruption } from './interruption.testing.ts'

const kinds = ['database', 'dataset', 'dataset_column', 'chart', 'dashboard', 'dashboard_chart', 'custom_tag'] as const

describe.each(testStores)('faults of an import on %s', (_name, store) => {
  let server: TestServer
  let bundle: Bundle
  beforeAll(async () => {
    server = await startTestServer({ store })
    bundle = await readFolder('packages/testing/reference/bundles/2.1/dashboard')
    for (const [path, document] of bundle.files)
      if (path.startsWith('databases/')) bundle.files.set(path, { ...document, sqlalchemy_uri: 'duckdb://' })
  })
  afterAll(() => server.close())

  const load = (db: Kysely<Tables>, preview = false) =>
    importBundle(db, bundle, { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: true, preview })
  const countRows = async () => {
    const counts = kinds.map(async (kind) => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(kind)}`.execute(server.deps.db)
      return Number(rows[0]?.n)
    })
    return Promise.all(counts)
  }

  it('regression: an import that is interrupted at any statement leaves nothing', async () => {
    const empty = await countRows()
    for (let at = 1; ; at++) {
      const interruption = new Interruption(at)
      const outcome = await load(server.deps.db.withPlugin(interruption)).then(
        () => 'imported',
        (error: Error) => error.message,
      )
      if (outcome === 'imported') {
        expect(at).toBeGreaterThan(20)
        break
      }
      expect(outcome).toBe('The store is gone.')
      expect(await countRows()).toEqual(empty)
    }
    expect((await countRows())[0]).toBe(empty[0]! + 1)
  })

  if (store === 'sqlite')
    it('regression: an import on a full disk leaves nothing, and works when there is space again', async () => {
      const { db } = server.deps
      const [path, chart] = [...bundle.files].find(([name]) => name.startsWith('charts/'))!
      const large = { metric: 'x'.repeat(1_000_000) }
      bundle.files.set('charts/large.yaml', { ...chart, uuid: '00000000-0000-4000-8000-0000000000aa', params: large })
      expect(path).toBeDefined()
      const before = await countRows()
      await sql`pragma max_page_count = 1`.execute(db)
      await expect(load(db)).rejects.toMatchObject({ code: 'disk_full' })
      expect(await countRows()).toEqual(before)
      await sql`pragma max_page_count = 1000000`.execute(db)
      await load(db)
      expect(await countRows()).not.toEqual(before)
    })
})

describe.each(testStores.filter(([, store]) => store !== 'sqlite'))(
  'an import over an unreliable connection to %s',
  (_name, store) => {
    it('regression: answers that the store is away, keeps nothing of it, and works when it is back', async () => {
      const proxy = await startProxy(store)
      const lab = await startTestLab({ store: proxy.address })
      try {
        const bundle = await readFolder('packages/testing/reference/bundles/2.1/dashboard')
        for (const [path, document] of bundle.files)
          if (path.startsWith('databases/')) bundle.files.set(path, { ...document, sqlalchemy_uri: 'duckdb://' })
        const form = new FormData()
        form.set('overwrite', 'true')
        form.set('formData', new Blob([new Uint8Array(await writeArchive(bundle, 'r'))]), 'bundle.zip')
        const request = new Request('http://localhost', { method: 'POST', body: form })
        const payload = Buffer.from(await request.arrayBuffer())
        const send = () =>
          lab.server.as('admin').send('POST', '/api/v1/dashboard/import/', {
            headers: { 'content-type': request.headers.get('content-type') ?? '' },
            payload,
          })
        const written = async () => {
          const { rows } = await sql<{ n: number }>`select count(*) as n from dataset`.execute(lab.server.deps.db)
          return Number(rows[0]?.n)
        }
        const before = await written()
        let refused = 0
        let hasCut = true
        for (let n = 15; hasCut; n += 8) {
          proxy.cutAt(n, 'before')
          const { statusCode } = await send()
          hasCut = proxy.hasCut()
          proxy.heal()
          // It is deleted after the answer.
          await expect.poll(() => readdirSync(join(lab.server.home, 'uploads'))).toEqual([])
          // Another message of the server may have been cut.
          if (statusCode === 200) continue
          expect([statusCode, await written()]).toEqual([503, before])
          refused += 1
        }
        expect(refused).toBeGreaterThan(0)
        expect(await written()).toBeGreaterThan(before)
      } finally {
        await lab.close()
        await proxy.close()
      }
    })
  },
)
