import { type Bundle, bundleFolders, readArchive, writeArchive } from '@parquetry/bundle'
import { type BundledKind, bundledKinds, importSecretFields } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { testStores } from '../testing.ts'
import { kindInfo } from './bundled-kinds.ts'

type Document = Record<string, unknown>
type Files = Record<string, Document>

const masked = 'XXXXXXXXXX'
const databasePath = 'databases/shop.yaml'

/** The object that a list imports, with what it needs, all with ids of their own. */
function filesOf(kind: BundledKind, description: string): Files {
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(bundledKinds.indexOf(kind) * 10 + n).padStart(12, '0')}`
  const database = {
    database_name: `of ${kind}`,
    sqlalchemy_uri: `postgresql://reader:${masked}@db.example.com:5432/shop`,
    ssh_tunnel: {
      server_address: 'jump.example.com',
      server_port: 22,
      username: 'reader',
      password: masked,
      private_key: masked,
      private_key_password: masked,
    },
    uuid: uuid(0),
  }
  const dataset = { table_name: 't', database_uuid: uuid(0), uuid: uuid(1), columns: [], metrics: [] }
  const chart = { slice_name: 'c', viz_type: 'table', dataset_uuid: uuid(1), uuid: uuid(2), params: {} }
  const node = { type: 'CHART', id: 'CHART-1', children: [], meta: { uuid: uuid(2), chartId: 1 } }
  const own: Record<BundledKind, Document> = {
    theme: { theme_name: description, json_data: { token: {} } },
    css_template: { template_name: 'c', css: description },
    annotation_layer: { name: 'a', descr: description, annotations: [] },
    database: { ...database, extra: { version: description } },
    dataset: { ...dataset, description },
    chart: { ...chart, description },
    dashboard: { dashboard_title: 'd', description, position: { 'CHART-1': node }, metadata: {} },
    saved_query: { label: 'q', sql: 'select 1', description, database_uuid: uuid(0) },
  }
  const path = `${kindInfo[kind].folder}/own.yaml`
  const needs: Partial<Record<BundledKind, Files>> = {
    dataset: { [databasePath]: database },
    chart: { [databasePath]: database, 'datasets/t.yaml': dataset },
    dashboard: { [databasePath]: database, 'datasets/t.yaml': dataset, 'charts/c.yaml': chart },
    saved_query: { [databasePath]: database },
  }
  return {
    ...needs[kind],
    [kind === 'database' ? databasePath : path]: { ...own[kind], uuid: uuid(9), version: '1.0.0' },
  }
}

const mustProvide = {
  passwords: 'Must provide a password for the database',
  ssh_tunnel_passwords: 'Must provide a password for the ssh tunnel',
  ssh_tunnel_private_keys: 'Must provide a private key for the ssh tunnel',
  ssh_tunnel_private_key_passwords: 'Must provide a private key password for the ssh tunnel',
}
const secrets = Object.fromEntries(
  importSecretFields.map((field) => [field, JSON.stringify({ [databasePath]: 's3cret' })]),
)

describe.each(testStores)('the list of each kind on %s', (_name, store) => {
  let lab: TestLab
  beforeAll(async () => {
    lab = await startTestLab({ store })
  })
  afterAll(() => lab.close())

  const send = async (kind: BundledKind, files: Files, fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const metadata = {
      version: '1.0.0',
      type: bundleFolders[kindInfo[kind].folder],
      timestamp: '2026-01-02T03:04:05+00:00',
    } satisfies Bundle['metadata']
    const archive = await writeArchive({ metadata, files: new Map(Object.entries(files)) }, 'r')
    form.set('formData', new Blob([new Uint8Array(archive)]), 'bundle.zip')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const answer = await lab.server.as('admin').send('POST', `/api/v1/${kind}/import/`, {
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    const { errors } = answer.json<{ errors?: [{ message: string; extra: Document }] }>()
    const { issue_codes: _codes, ...problems } = errors?.[0].extra ?? {}
    return { status: answer.statusCode, message: errors?.[0].message, problems }
  }
  const read = async (kind: BundledKind, uuid: unknown): Promise<Document | undefined> => {
    const row = await lab.server.deps.db
      .selectFrom(kind as 'chart')
      .select('id')
      .where('uuid', '=', String(uuid))
      .executeTakeFirst()
    if (!row) return undefined
    const answer = await lab.server.as('admin').get(`/api/v1/${kind}/export/?q=!(${row.id})`)
    const { files } = await readArchive(answer.rawPayload)
    return [...files.values()].find((document) => document['uuid'] === uuid)
  }

  // The same on every store.
  const asking = store === 'sqlite' ? bundledKinds.filter((kind) => databasePath in filesOf(kind, '')) : []
  it.each(asking)(
    'LIST-019, LIST-020, LIST-021, LIST-022: an import of a %s asks for each secret of a new database',
    async (kind) => {
      const files = filesOf(kind, 'first')
      for (const field of importSecretFields) {
        const { [field]: _missing, ...others } = secrets
        expect(await send(kind, files, others)).toMatchObject({
          status: 422,
          problems: { [databasePath]: { _schema: [mustProvide[field]] } },
        })
      }
      const none = await send(kind, files)
      expect(none.problems).toEqual({ [databasePath]: { _schema: Object.values(mustProvide) } })
      expect(await read('database', files[databasePath]?.['uuid'])).toBeUndefined()
    },
  )

  it.each(bundledKinds)(
    'LIST-007, LIST-023, API-091: a %s is imported, replaced only with overwrite, and exported with what it was given',
    async (kind) => {
      const files = filesOf(kind, 'first')
      const [path, { uuid }] = Object.entries(files).at(-1)! as [string, Document]
      expect(await send(kind, files, secrets)).toMatchObject({ status: 200 })
      const first = await read(kind, uuid)
      expect(first).toMatchObject(kind === 'dashboard' ? { description: 'first' } : { ...files[path] })
      expect(JSON.stringify(first)).not.toContain('s3cret')

      const changed = filesOf(kind, 'second')
      expect(await send(kind, changed)).toEqual({
        status: 422,
        message: expect.stringMatching(/^Error importing /) as string,
        problems: { [path]: `${kindInfo[kind].label} already exists and \`overwrite=true\` was not passed` },
      })
      expect(await read(kind, uuid)).toEqual(first)
      // The database keeps the secrets that it has.
      expect(await send(kind, changed, { overwrite: 'true' })).toMatchObject({ status: 200 })
      expect(JSON.stringify(await read(kind, uuid))).toBe(JSON.stringify(first).replaceAll('first', 'second'))
    },
  )
})
