import { type Bundle, readArchive } from '@parquetry/bundle'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'
import { importBundle } from './import-bundle.ts'

const uuid = (n: number): string => `0000000${n}-0000-4000-8000-000000000000`
const database = { database_name: 'my lab', sqlalchemy_uri: 'duckdb://', uuid: uuid(1), extra: { a: 1 } }
const metric = { metric_name: 'n', expression: 'count(*)', d3format: ',.1f' }
const column = { column_name: 'day', type: 'DATE', is_dttm: true, expression: null, extra: null }
const dataset = {
  table_name: 'cars',
  schema: 'main',
  main_dttm_col: 'day',
  uuid: uuid(2),
  database_uuid: uuid(1),
  metrics: [metric],
  columns: [column],
}
const chart = (n: number, slice_name: string) => ({
  slice_name,
  viz_type: 'pie',
  params: { metric: 'n', unknown: { kept: [1, null] } },
  uuid: uuid(n),
  dataset_uuid: uuid(2),
})
const node = { type: 'CHART', id: 'CHART-a', children: [], meta: { uuid: uuid(3), chartId: 77, width: 6 } }
/** Metadata of a dashboard that refers to its chart by id. */
function createMetadata(chartId: number, ...foreign: number[]) {
  const targets = [{ datasetUuid: uuid(2), column: { name: 'day' } }, {}]
  const scope = { rootPath: ['ROOT_ID'], excluded: [chartId] }
  return {
    own: 'kept',
    native_filter_configuration: [{ id: 'f', targets, scope, chartsInScope: [chartId, ...foreign] }],
    chart_configuration: { [chartId]: { id: chartId, crossFilters: { scope: 'global', chartsInScope: [chartId] } } },
    global_chart_configuration: { scope, chartsInScope: [] },
    expanded_slices: { [chartId]: true },
    timed_refresh_immune_slices: [chartId],
  }
}
const dashboard = {
  dashboard_title: 'Board: "all"',
  slug: 'board',
  css: '.a {}',
  published: true,
  uuid: uuid(5),
  position: {
    ROOT_ID: { type: 'ROOT', id: 'ROOT_ID', children: ['GRID_ID'] },
    GRID_ID: { type: 'GRID', id: 'GRID_ID', children: ['ROW-1'] },
    'ROW-1': { type: 'ROW', id: 'ROW-1', children: ['CHART-a'], meta: {} },
    'CHART-a': node,
  },
  metadata: createMetadata(77, 5000),
}
const bundle: Bundle = {
  metadata: { version: '1.0.0', type: 'Dashboard', timestamp: '2026-01-02T03:04:05.000+00:00' },
  files: new Map<string, Record<string, unknown>>([
    ['databases/d.yaml', database],
    ['datasets/d/t.yaml', dataset],
    ['charts/a.yaml', chart(3, 'On / it')],
    ['charts/b.yaml', chart(4, 'Not on the layout')],
    ['dashboards/b.yaml', dashboard],
  ]),
}
type Documents = Record<string, Record<string, unknown>>

describe.each(testStores)('an export on %s', (_name, store) => {
  let server: TestServer
  let id: Record<'dashboard' | 'chart' | 'dataset', number>

  const load = async (into: TestServer, what: Bundle) => {
    const { id: authorId } = await into.deps.db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'alpha')
      .executeTakeFirstOrThrow()
    await importBundle(into.deps.db, what, { authorId, at: '2026-01-01T00:00:00.000', overwrite: false })
  }
  const download = (user: TestUser, path: string) => server.as(user).get(`/api/v1/${path}`)
  const readBundle = async (answer: { rawPayload: Buffer }): Promise<Documents> => {
    const { files } = await readArchive(answer.rawPayload)
    return Object.fromEntries(files)
  }

  beforeAll(async () => {
    const now = () => new Date('2026-01-02T03:04:05Z')
    server = await startTestServer({ store, now })
    await load(server, bundle)
    const { db } = server.deps
    const idOf = async (kind: 'dashboard' | 'chart' | 'dataset') =>
      (await db.selectFrom(kind).select('id').orderBy('id').executeTakeFirstOrThrow()).id
    id = { dashboard: await idOf('dashboard'), chart: await idOf('chart'), dataset: await idOf('dataset') }
    const other = await db.selectFrom('chart').select('id').where('uuid', '=', uuid(4)).executeTakeFirstOrThrow()
    await db.insertInto('dashboard_chart').values({ dashboard_id: id.dashboard, chart_id: other.id }).execute()
    for (const [name, description] of [
      ['Sales', 'Of the shop'],
      ['north', null],
    ] as const) {
      const author = { created_on: '', changed_on: '', created_by_fk: null, changed_by_fk: null }
      const { id: tag_id } = await db
        .insertInto('custom_tag')
        .values({ name, description, ...author })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('dashboard_tag').values({ dashboard_id: id.dashboard, tag_id }).execute()
      if (name === 'north') await db.insertInto('chart_tag').values({ chart_id: id.chart, tag_id }).execute()
    }
  })
  afterAll(() => server.close())

  it('contains all dependencies of a dashboard, under the file names that other tools expect', async () => {
    const response = await download('alpha', `dashboard/export/?q=!(${id.dashboard})&token=t-1`)
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=dashboard_export_20260102T030405.zip',
      'set-cookie': 't-1=done; Max-Age=600; Path=/; SameSite=Lax',
    })
    const { metadata } = await readArchive(response.rawPayload)
    expect(metadata).toEqual(bundle.metadata)
    const files = await readBundle(response)
    expect(Object.keys(files)).toEqual([
      `charts/Not_on_the_layout_${id.chart + 1}.yaml`,
      `charts/On_it_${id.chart}.yaml`,
      `dashboards/Board_all_${id.dashboard}.yaml`,
      'databases/my_lab.yaml',
      'datasets/my_lab/cars.yaml',
      'other_fields/databases/my_lab.yaml',
      'tags.yaml',
    ])
    expect(files['other_fields/databases/my_lab.yaml']).toEqual({ uuid: uuid(1), extra: { a: 1 } })
    expect(files['databases/my_lab.yaml']).toMatchObject({
      sqlalchemy_uri: 'duckdb://',
      extra: {},
      uuid: uuid(1),
    })
    expect(files['datasets/my_lab/cars.yaml']).toMatchObject({ ...dataset, columns: [column], metrics: [metric] })
    expect(files[`charts/On_it_${id.chart}.yaml`]).toMatchObject({ params: { unknown: { kept: [1, null] } } })
    expect(files[`dashboards/Board_all_${id.dashboard}.yaml`]).toMatchObject({
      published: true,
      tags: ['Sales', 'north'],
      metadata: createMetadata(id.chart),
      position: {
        'CHART-a': { meta: { chartId: id.chart, uuid: uuid(3), width: 6 } },
        [`CHART-${id.chart + 1}`]: { meta: { uuid: uuid(4) }, parents: ['ROOT_ID', 'GRID_ID', 'ROW-N-0'] },
        GRID_ID: { children: ['ROW-1', 'ROW-N-0'] },
      },
    })
  })

  it('survives a round trip through another server', async () => {
    const path = `dashboard/export/?q=!(${id.dashboard})`
    const first = await download('alpha', path)
    const other = await startTestServer({ store })
    try {
      await load(other, unrelated)
      await load(other, await readArchive(first.rawPayload))
      const { db } = other.deps
      const { id: there } = await db
        .selectFrom('dashboard')
        .select('id')
        .where('uuid', '=', uuid(5))
        .executeTakeFirstOrThrow()
      const second = await readBundle(await other.as('alpha').get(`/api/v1/dashboard/export/?q=!(${there})`))
      const before = await readBundle(first)
      const form = (files: Documents) => files['datasets/my_lab/cars.yaml']
      expect(form(second)).toEqual(form(before))
      const board = (files: Documents) => Object.entries(files).find(([name]) => name.startsWith('dashboards/'))?.[1]
      expect(second['tags.yaml']).toEqual({
        tags: [
          { tag_name: 'north', description: null },
          { tag_name: 'Sales', description: 'Of the shop' },
        ],
      })
      expect(second['tags.yaml']).toEqual(before['tags.yaml'])
      expect(board(second)?.['tags']).toEqual(['Sales', 'north'])
      const tagged = (files: Documents) =>
        Object.entries(files).filter(([name, document]) => name.startsWith('charts/') && 'tags' in document)
      expect(tagged(second).map(([, chart]) => [chart['uuid'], chart['tags']])).toEqual([[uuid(3), ['north']]])
      const { id: chartThere } = await db
        .selectFrom('chart')
        .select('id')
        .where('uuid', '=', uuid(3))
        .executeTakeFirstOrThrow()
      expect(board(second)?.['metadata']).toEqual(createMetadata(chartThere))
      expect(Object.keys(board(second)?.['position'] as object)).toEqual(
        Object.keys(board(before)?.['position'] as object),
      )
    } finally {
      await other.close()
    }
  })

  it('carries folders by the names of their items; importing an older bundle removes none', async () => {
    const other = await startTestServer({ store })
    try {
      const leaf = (type: string, name: string, n: number) => ({ uuid: uuid(n), type, name })
      const inner = { uuid: uuid(7), type: 'folder', name: 'Of days', children: [leaf('column', 'day', 8)] }
      const gone = leaf('column', 'dropped', 6)
      const children = [leaf('metric', 'n', 9), inner, gone]
      const folders = [
        { uuid: uuid(6).replace(/^0/, '1'), type: 'folder', name: 'Sales', description: 'All', children },
      ]
      const bring = (document: object) =>
        importBundle(
          other.deps.db,
          {
            metadata: { ...bundle.metadata, type: 'SqlaTable' },
            files: new Map([
              ['databases/d.yaml', database],
              ['datasets/d/t.yaml', document as Record<string, unknown>],
            ]),
          },
          { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: true },
        )
      const exportFolders = async () => {
        const { id: there } = await other.deps.db.selectFrom('dataset').select('id').executeTakeFirstOrThrow()
        const files = await readBundle(await other.as('admin').get(`/api/v1/dataset/export/?q=!(${there})`))
        return files['datasets/my_lab/cars.yaml']?.['folders']
      }
      const [top] = folders
      const arrived = [
        {
          ...top,
          children: [
            { type: 'metric', name: 'n', uuid: expect.any(String) as string, children: [] },
            { ...inner, children: [{ type: 'column', name: 'day', uuid: expect.any(String) as string, children: [] }] },
          ],
        },
      ]
      await bring({ ...dataset, folders })
      expect(await exportFolders()).toEqual(arrived)
      await bring(dataset)
      expect(await exportFolders()).toEqual(arrived)
      await expect(bring({ ...dataset, folders: [{ ...top, name: '' }] })).rejects.toMatchObject({
        details: { 'datasets/d/t.yaml': { folders: ['Each folder must have a name.'] } },
      })
      await bring({ ...dataset, folders: [] })
      expect(await exportFolders()).toBeUndefined()
    } finally {
      await other.close()
    }
  })

  it('refers only to charts of the bundle where Superset accepts no others', async () => {
    const other = await startTestServer({ store })
    try {
      const gone = { ...node, id: 'CHART-gone', meta: { ...node.meta, uuid: uuid(9), chartId: 78 } }
      const position = {
        ...dashboard.position,
        'ROW-1': { ...dashboard.position['ROW-1'], children: ['CHART-a', 'CHART-gone'] },
        'CHART-gone': gone,
      }
      const files = new Map(bundle.files).set('dashboards/b.yaml', { ...dashboard, position })
      await load(other, { ...bundle, files })
      const { db } = other.deps
      const { id: board, json_metadata } = await db
        .selectFrom('dashboard')
        .select(['id', 'json_metadata'])
        .executeTakeFirstOrThrow()
      const metadata = JSON.parse(String(json_metadata)) as ReturnType<typeof createMetadata>
      const [known] = metadata.timed_refresh_immune_slices
      const referring = {
        ...metadata,
        timed_refresh_immune_slices: [known, 5000],
        expanded_slices: { ...metadata.expanded_slices, 5000: true },
      }
      await db
        .updateTable('dashboard')
        .set({ json_metadata: JSON.stringify(referring) })
        .execute()
      const exported = await readBundle(await other.as('alpha').get(`/api/v1/dashboard/export/?q=!(${board})`))
      expect(exported[`dashboards/Board_all_${board}.yaml`]).toMatchObject({
        position: { 'CHART-gone': { meta: { uuid: uuid(9), chartId: 0 } } },
        metadata: { timed_refresh_immune_slices: [known], expanded_slices: { [String(known)]: true } },
      })
      expect(JSON.stringify(exported)).not.toContain('5000')
    } finally {
      await other.close()
    }
  })

  it('contains no tags when they are turned off', async () => {
    server.deps.settings.flags['TAGGING_SYSTEM'] = false
    const files = await readBundle(await download('alpha', `dashboard/export/?q=!(${id.dashboard})`))
    server.deps.settings.flags['TAGGING_SYSTEM'] = true
    expect(JSON.stringify(files)).not.toContain('north')
  })

  it('includes only what the caller may see', async () => {
    const gamma = await server.deps.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Gamma')
      .executeTakeFirstOrThrow()
    await server.deps.db
      .insertInto('dashboard_role')
      .values({ dashboard_id: id.dashboard, role_id: gamma.id })
      .execute()
    server.deps.settings.flags['DASHBOARD_RBAC'] = true
    const files = await readBundle(await download('gamma', `dashboard/export/?q=!(${id.dashboard})`))
    server.deps.settings.flags['DASHBOARD_RBAC'] = false
    expect(Object.keys(files)).toEqual([`dashboards/Board_all_${id.dashboard}.yaml`, 'tags.yaml'])
    expect(JSON.stringify(files)).not.toContain(uuid(2))
  })

  it.each([
    ['alpha', 'chart/export/?q=!(99999)', 404, { message: 'Not found' }],
    ['gamma', 'dataset/export/?q=!(1)', 403, { message: 'Forbidden' }],
    [
      'alpha',
      'chart/export/?q=!()&token=a%0d%0ab',
      400,
      { message: 'The token must be 1 to 64 letters, digits, - or _.' },
    ],
  ] as const)('for %s of %s is rejected with %i', async (user, path, status, body) => {
    const response = await download(user, path)
    expect([response.statusCode, response.json()]).toEqual([status, body])
  })

  it('contains only the metadata when nothing is selected', async () => {
    const { files, metadata } = await readArchive((await download('alpha', 'chart/export/?q=!()')).rawPayload)
    expect([files.size, metadata.type]).toEqual([0, 'Slice'])
  })
})

/** Occupies the first ids, so that ids differ between the two servers. */
const unrelated: Bundle = {
  metadata: { ...bundle.metadata, type: 'Slice' },
  files: new Map<string, Record<string, unknown>>([
    ['databases/d.yaml', { ...database, database_name: 'other', uuid: uuid(6) }],
    ['datasets/d/t.yaml', { ...dataset, uuid: uuid(7), database_uuid: uuid(6) }],
    ['charts/a.yaml', { ...chart(8, 'other'), dataset_uuid: uuid(7) }],
  ]),
}
