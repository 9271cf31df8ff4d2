import type { Bundle } from '@parquetry/bundle'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { importBundle, type ImportOptions } from './import-bundle.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`
const dataset = (n: number, table_name: string, more: object = {}) => ({
  table_name,
  uuid: uuid(n),
  database_uuid: uuid(1),
  columns: [],
  metrics: [],
  ...more,
})
const bundle = (type: Bundle['metadata']['type'], files: Record<string, Record<string, unknown>>): Bundle => ({
  metadata: { version: '1.0.0', type, timestamp: '' },
  files: new Map(
    Object.entries({
      'databases/d.yaml': { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) },
      ...files,
    }),
  ),
})
const chart = (n: number, datasetNumber: number) => ({
  slice_name: 'c',
  viz_type: 'table',
  uuid: uuid(n),
  dataset_uuid: uuid(datasetNumber),
  params: {},
})

describe.each(testStores)('two datasets of one table on %s', (_name, store) => {
  let server: TestServer
  const load = (what: Bundle, more: Partial<ImportOptions> = {}) =>
    importBundle(server.deps.db, what, { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: true, ...more })
  const readDatasets = () =>
    server.deps.db.selectFrom('dataset').select(['id', 'uuid', 'table_name', 'description']).orderBy('id').execute()
  beforeAll(async () => {
    server = await startTestServer({ store })
    await load(
      bundle('SqlaTable', {
        'datasets/d/t.yaml': dataset(2, 't'),
        'datasets/d/v.yaml': dataset(3, 'v', { sql: 'select 1' }),
      }),
    )
  })
  afterAll(() => server.close())

  const refused = (...problems: [path: string, text: unknown][]) => ({
    status: 422,
    details: Object.fromEntries(problems.map(([path, text]) => [path, { table_name: [text] }])),
  })
  const exists = (name: string, n: number): unknown =>
    expect.stringMatching(new RegExp(`^The dataset ${name} of this table exists here .* UUID ${uuid(n)} into the file`))

  it('regression: are not imported, however the table is spelled', async () => {
    const before = await readDatasets()
    for (const type of ['SqlaTable', 'assets'] as const) {
      const files = {
        'datasets/a.yaml': dataset(10, 'T', { schema: 'main' }),
        'datasets/b.yaml': dataset(11, 'v'),
        'datasets/c.yaml': dataset(12, 'other'),
      }
      await expect(load(bundle(type, files))).rejects.toMatchObject(
        refused(['datasets/a.yaml', exists('t', 2)], ['datasets/b.yaml', exists('v', 3)]),
      )
    }
    const moved = bundle('SqlaTable', { 'datasets/d/v.yaml': dataset(3, 't', { sql: 'select 1' }) })
    await expect(load(moved)).rejects.toMatchObject(refused(['datasets/d/v.yaml', exists('t', 2)]))
    const spelled = bundle('SqlaTable', {
      'datasets/a.yaml': dataset(13, 'n'),
      'datasets/b.yaml': dataset(14, 'N', { schema: 'main' }),
    })
    const ofNew = new Map<string, Record<string, unknown>>(
      [...spelled.files].map(([path, document]) => [path, { ...document, database_uuid: uuid(5) }]),
    )
    ofNew.set('databases/d.yaml', { database_name: 'new', sqlalchemy_uri: 'duckdb://', uuid: uuid(5) })
    for (const same of [spelled, { ...spelled, files: ofNew }])
      await expect(load(same)).rejects.toMatchObject(
        refused(['datasets/b.yaml', 'The file datasets/a.yaml is a dataset of the same table.']),
      )
    const twice = bundle('SqlaTable', { 'datasets/a.yaml': dataset(13, 'n'), 'datasets/b.yaml': dataset(14, 'n') })
    await expect(load(twice)).rejects.toMatchObject(
      refused(['datasets/b.yaml', 'The file datasets/a.yaml is a dataset of the same table.']),
    )
    expect(await readDatasets()).toEqual(before)
  })

  it('regression: a chart gets the dataset of its table that exists here, which stays as it is', async () => {
    const before = await readDatasets()
    const files = {
      'datasets/x.yaml': dataset(20, 't', { description: 'Theirs' }),
      'charts/x.yaml': chart(21, 20),
    }
    // The import page sends the files that it can choose, and this dataset is none of them.
    const { plan } = await load(bundle('Slice', files), { only: new Set(['charts/x.yaml']) })
    expect(plan.objects.find(({ kind }) => kind === 'dataset')).toMatchObject({
      state: 'kept',
      stored: { id: before[0]!.id },
      notes: [{ text: expect.stringContaining('It is used as it is.') as string }],
    })
    expect(await readDatasets()).toEqual(before)
    const { datasource_id } = await server.deps.db
      .selectFrom('chart')
      .select('datasource_id')
      .where('uuid', '=', uuid(21))
      .executeTakeFirstOrThrow()
    expect(datasource_id).toBe(before[0]!.id)
  })

  it('regression: a dataset that others create after the plan is not created twice', async () => {
    let plans = 0
    const onPlanned = async () => {
      if (++plans === 1) await load(bundle('SqlaTable', { 'datasets/o.yaml': dataset(30, 'late') }))
    }
    const late = bundle('SqlaTable', { 'datasets/m.yaml': dataset(31, 'late') })
    await expect(load(late, { onPlanned })).rejects.toMatchObject(refused(['datasets/m.yaml', exists('late', 30)]))
    expect((await readDatasets()).filter(({ table_name }) => table_name === 'late')).toHaveLength(1)
  })
})
