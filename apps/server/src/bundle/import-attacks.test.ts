import { type Bundle, writeArchive } from '@parquetry/bundle'
import type { ImportSummary } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRole, grant } from '../security/grants.ts'
import { addUser } from '../security/users.ts'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { type TestServer, type TestUser, testStores } from '../testing.ts'
import { deriveUuid } from './source-ids.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`
type Files = Record<string, Record<string, unknown>>
const pack = (type: string, files: Files): Promise<Buffer> =>
  writeArchive(
    {
      metadata: { version: '1.0.0', type: type as Bundle['metadata']['type'], timestamp: '2026-01-02T03:04:05+00:00' },
      files: new Map(Object.entries(files)),
    },
    'root',
  )

describe.each(testStores)('hostile imports on %s', (_name, store) => {
  let lab: TestLab
  let server: TestServer
  let filesUuid: string
  beforeAll(async () => {
    lab = await startTestLab({ store })
    server = lab.server
    const { db, now } = server.deps
    await addRole(db, 'Makers')
    for (const view of ['Dataset', 'Chart', 'Dashboard', 'SavedQuery'])
      for (const name of ['can_read', 'can_write']) await grant(db, 'Makers', [name, view])
    await grant(db, 'Makers', ['can_read', 'Database'])
    await addUser(db, { username: 'maker', password: 'maker', roles: ['Makers'] }, now())
    filesUuid = (await db.selectFrom('database').select('uuid').where('id', '=', lab.files).executeTakeFirstOrThrow())
      .uuid
  })
  afterAll(() => lab.close())

  const maker = 'maker' as TestUser
  const send = async (
    user: TestUser,
    kind: string,
    type: string,
    files: Files,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('formData', new Blob([new Uint8Array(await pack(type, files))]), 'bundle.zip')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    return server.as(user).send('POST', `/api/v1/${kind}/import/`, {
      headers: { 'content-type': request.headers.get('content-type') ?? '', ...headers },
      payload: Buffer.from(await request.arrayBuffer()),
    })
  }
  const dataset = (n: number, more: object = {}) => ({
    table_name: `t${n}`,
    uuid: uuid(n),
    database_uuid: uuid(1),
    columns: [{ column_name: 'day', type: 'DATE' }],
    ...more,
  })
  const parents: Files = {
    'databases/own.yaml': { database_name: 'own', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) },
    'datasets/own/t2.yaml': dataset(2),
  }
  const find = (kind: 'chart' | 'dashboard' | 'dataset', n: number) =>
    server.deps.db.selectFrom(kind).selectAll().where('uuid', '=', uuid(n)).executeTakeFirst()

  const problemsOf = (answer: { json<T>(): T }) =>
    answer.json<{ errors: [{ extra: Record<string, unknown> }] }>().errors[0].extra

  it('regression: a dataset cannot name a database that its importer may not see', async () => {
    const over = (database_name: string) => ({
      'datasets/a.yaml': { ...dataset(50, { sql: 'select 1 as a' }), database_uuid: undefined, database_name },
    })
    const [unseen, missing] = [
      await send(maker, 'dataset', 'SqlaTable', over('files')),
      await send(maker, 'dataset', 'SqlaTable', over('nope')),
    ]
    expect([unseen.statusCode, await find('dataset', 50)]).toEqual([422, undefined])
    expect(unseen.body.replaceAll('files', 'nope')).toBe(missing.body)
    // It would have made the database visible.
    expect((await server.as(maker).get('/api/v1/database/')).json()).toMatchObject({ count: 0 })
    expect((await send('admin', 'dataset', 'SqlaTable', over('files'))).statusCode).toBe(200)
  })

  it('regression: a preview tells no ids of objects that its reader may not see', async () => {
    const named = (id: string): Files => ({
      'databases/f.yaml': { database_name: 'guess', sqlalchemy_uri: 'duckdb://', uuid: id },
      'datasets/a.yaml': { ...dataset(51), database_uuid: id },
    })
    const preview = (files: Files) => send(maker, 'dataset', 'SqlaTable', files, { preview: 'true' })
    const [unseen, missing] = [await preview(named(filesUuid)), await preview(named(uuid(99)))]
    expect(unseen.body.replaceAll(filesUuid, uuid(99))).toBe(missing.body)
    expect((await send('admin', 'dataset', 'SqlaTable', parents)).statusCode).toBe(200)
    const { objects } = (await preview(parents)).json<{ parquetry: ImportSummary }>().parquetry
    expect(objects).toMatchObject([
      { kind: 'database', id: null, problems: [expect.any(String)] },
      { kind: 'dataset', id: null, problems: [expect.any(String)] },
    ])
  })

  it('regression: a preview does not tell whether a database of a name exists that its reader may not see', async () => {
    const named = (database_name: string): Files => ({
      'databases/f.yaml': { database_name, sqlalchemy_uri: 'duckdb://' },
    })
    const preview = async (database_name: string) => {
      const answer = await send(maker, 'dataset', 'SqlaTable', named(database_name), { preview: 'true' })
      const [object] = answer.json<{ parquetry: ImportSummary }>().parquetry.objects
      return { ...object, uuid: object?.uuid === deriveUuid('database', database_name), name: '' }
    }
    expect(await preview('files')).toEqual(await preview('nope'))
  })

  it('regression: an API key imports only kinds that its scopes include', async () => {
    const created = await server.as('admin', 'session').post('/api/v1/security/api_keys/', {
      name: 'boards',
      scopes: 'superset:dashboard:write',
    })
    const { key } = created.json<{ result: { key: string } }>().result
    const board: Files = {
      'dashboards/x.yaml': { dashboard_title: 'b', uuid: uuid(71), position: {}, metadata: {} },
    }
    const own: Files = {
      'databases/k.yaml': { database_name: 'of a key', sqlalchemy_uri: 'duckdb://', uuid: uuid(72) },
      'datasets/k.yaml': { ...dataset(73), database_uuid: uuid(72) },
    }
    const headers = { authorization: `Bearer ${key}` }
    const refused = await send('admin', 'dashboard', 'Dashboard', { ...own, ...board }, {}, headers)
    expect([refused.statusCode, problemsOf(refused)]).toMatchObject([
      422,
      {
        'databases/k.yaml': { _schema: [expect.stringContaining('you do not have permission')] },
        'datasets/k.yaml': { _schema: ['You do not have permission to add datasets.'] },
      },
    ])
    expect((await send('admin', 'dashboard', 'Dashboard', board, {}, headers)).statusCode).toBe(200)
  })

  it('regression: only administrators keep the ids of another installation, which would use up those of the store', async () => {
    const board = (n: number): Files => ({
      'dashboards/b_5000.yaml': { dashboard_title: 'b', uuid: uuid(n), position: {}, metadata: {} },
    })
    expect((await send('alpha', 'dashboard', 'Dashboard', board(10))).statusCode).toBe(200)
    expect((await find('dashboard', 10))?.id).toBeLessThan(5000)
    expect((await send('admin', 'dashboard', 'Dashboard', board(11))).statusCode).toBe(200)
    expect((await find('dashboard', 11))?.id).toBe(5000)
  })

  it('regression: values that cannot be stored are problems of their file', async () => {
    const chart = (more: object) => ({
      slice_name: 'c',
      viz_type: 'table',
      uuid: uuid(30),
      dataset_uuid: uuid(2),
      params: {},
      ...more,
    })
    const board = (more: object) => ({ dashboard_title: 'd', uuid: uuid(31), position: {}, metadata: {}, ...more })
    const twice = [{ column_name: 'a' }, { column_name: 'a' }]
    const cases: [kind: string, type: string, document: Record<string, unknown>, field: string][] = [
      ['dataset', 'SqlaTable', dataset(32, { description: 'a\0b' }), 'description'],
      ['dataset', 'SqlaTable', dataset(32, { extra: '{"a\0":1}' }), 'extra'],
      ['dataset', 'SqlaTable', dataset(32, { offset: 1.5 }), 'offset'],
      ['dataset', 'SqlaTable', dataset(32, { cache_timeout: 2 ** 31 }), 'cache_timeout'],
      ['dataset', 'SqlaTable', dataset(32, { table_name: 'x'.repeat(251) }), 'table_name'],
      ['dataset', 'SqlaTable', dataset(32, { columns: twice }), 'columns'],
      ['chart', 'Slice', chart({ slice_name: 'x'.repeat(251) }), 'slice_name'],
      ['chart', 'Slice', chart({ cache_timeout: 1.5 }), 'cache_timeout'],
      ['chart', 'Slice', chart({ tags: ['a\0b'] }), 'tags'],
      ['dashboard', 'Dashboard', board({ dashboard_title: 'x'.repeat(501) }), 'dashboard_title'],
    ]
    for (const [kind, type, document, field] of cases) {
      const path = `${kind}s/x.yaml`
      const only = JSON.stringify([...Object.keys(parents), path])
      const answer = await send('admin', kind, type, { ...parents, [path]: document }, { only })
      expect([field, answer.statusCode]).toEqual([field, 422])
      expect(problemsOf(answer)).toMatchObject({ [path]: { [field]: [expect.any(String)] } })
    }
  })

  it('regression: a slug of digits, a foreign address and empty filters are left out', async () => {
    const document = {
      dashboard_title: 'd',
      uuid: uuid(40),
      slug: '1',
      position: {},
      metadata: { native_filter_configuration: [null, { id: 'a', targets: [null, {}] }] },
    }
    const files = { 'dashboards/x.yaml': document }
    const preview = await send('admin', 'dashboard', 'Dashboard', files, { preview: 'true' })
    const { objects } = preview.json<{ parquetry: ImportSummary }>().parquetry
    expect(objects).toMatchObject([{ state: 'new', notes: [expect.stringContaining('slug')] }])
    expect((await send('admin', 'dashboard', 'Dashboard', files)).statusCode).toBe(200)
    const stored = await find('dashboard', 40)
    expect([stored?.slug, JSON.parse(stored?.json_metadata ?? '')]).toEqual([
      null,
      { native_filter_configuration: [{ id: 'a', targets: [{}] }] },
    ])
    const linked = { ...parents, 'datasets/x.yaml': dataset(41, { default_endpoint: 'javascript:alert(1)' }) }
    const only = JSON.stringify([...Object.keys(parents), 'datasets/x.yaml'])
    expect((await send('admin', 'dataset', 'SqlaTable', linked, { only })).statusCode).toBe(200)
    expect((await find('dataset', 41))?.default_endpoint).toBeNull()
  })

  it('regression: a plan reports a limited number of notes and differences', async () => {
    const layers = Array.from({ length: 100 }, (_, value) => ({
      name: 'x'.repeat(1000),
      annotationType: 'EVENT',
      sourceType: 'NATIVE',
      value: value + 1,
    }))
    const files = (prefix: string): Files => ({
      ...parents,
      'datasets/own/t2.yaml': dataset(2, {
        columns: Array.from({ length: 1000 }, (_, index) => ({ column_name: `${prefix}${index}` })),
      }),
      'charts/x.yaml': {
        slice_name: 'c',
        viz_type: 'table',
        uuid: uuid(60),
        dataset_uuid: uuid(2),
        params: { annotation_layers: layers },
      },
    })
    expect((await send('admin', 'assets', 'assets', files('a'))).statusCode).toBe(200)
    const preview = await send('admin', 'assets', 'assets', files('b'), { preview: 'true' })
    const { objects } = preview.json<{ parquetry: ImportSummary }>().parquetry
    const [ofDataset, ofChart] = ['dataset', 'chart'].map((kind) => objects.find((object) => object.kind === kind))
    expect(ofDataset).toMatchObject({ notes: ['500 of its 2,000 differences are shown.'] })
    expect(ofDataset?.differences).toHaveLength(500)
    expect(ofChart?.notes).toHaveLength(21)
    expect(ofChart?.notes?.[0]?.length).toBeLessThan(300)
  })
})
