import { type Bundle, createZip, readArchive, writeArchive, writeYaml } from '@parquetry/bundle'
import type { ImportSummary } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { type TestServer, type TestUser, testStores } from '../testing.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`
const database = { database_name: 'bundled', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) }
const dataset = (n: number, table_name: string) => ({
  table_name,
  uuid: uuid(n),
  database_uuid: uuid(1),
  columns: [{ column_name: 'day', type: 'DATE' }],
  metrics: [{ metric_name: 'n', expression: 'count(*)' }],
})
const chart = (n: number, slice_name: string, params: object = {}) => ({
  slice_name,
  viz_type: 'table',
  uuid: uuid(n),
  dataset_uuid: uuid(2),
  params: { viz_type: 'table', ...params },
})
const dashboard = (n: number, title: string) => ({
  dashboard_title: title,
  uuid: uuid(n),
  position: {
    ROOT_ID: { type: 'ROOT', id: 'ROOT_ID', children: ['GRID_ID'] },
    GRID_ID: { type: 'GRID', id: 'GRID_ID', children: ['CHART-1'] },
    'CHART-1': {
      type: 'CHART',
      id: 'CHART-1',
      children: [],
      meta: { uuid: uuid(10), chartId: 700, width: 4, height: 50 },
    },
  },
  metadata: {},
})
type Files = Record<string, Record<string, unknown>>
const parents: Files = { 'databases/lab.yaml': database, 'datasets/lab/cars.yaml': dataset(2, 'cars') }
const pack = (type: string, files: Files): Promise<Buffer> =>
  writeArchive(
    {
      metadata: { version: '1.0.0', type: type as Bundle['metadata']['type'], timestamp: '2026-01-02T03:04:05+00:00' },
      files: new Map(Object.entries(files)),
    },
    'root',
  )

describe.each(testStores)('imports on %s', (_name, store) => {
  let lab: TestLab
  let server: TestServer
  beforeAll(async () => {
    lab = await startTestLab({ store })
    server = lab.server
  })
  afterAll(() => lab.close())

  const send = async (
    user: TestUser,
    kind: string,
    archive: Buffer,
    fields: Record<string, string> = {},
    { accept = 'application/json', field = 'formData' } = {},
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set(field, new Blob([new Uint8Array(archive)]), 'bundle.zip')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    return server.as(user).send('POST', `/api/v1/${kind}/import/`, {
      headers: { 'content-type': request.headers.get('content-type') ?? '', accept },
      payload: Buffer.from(await request.arrayBuffer()),
    })
  }
  const summaryOf = (answer: { json<T>(): T }): ImportSummary => answer.json<{ parquetry: ImportSummary }>().parquetry
  const states = (answer: { json<T>(): T }) =>
    Object.fromEntries(summaryOf(answer).objects.map(({ path, state }) => [path, state]))
  const extraOf = (answer: { json<T>(): T }) =>
    answer.json<{ errors: [{ message: string; extra: Record<string, unknown> }] }>().errors[0]
  const find = (
    kind: 'chart' | 'dashboard' | 'dataset' | 'database' | 'css_template' | 'annotation_layer',
    n: number,
  ) => server.deps.db.selectFrom(kind).selectAll().where('uuid', '=', uuid(n)).executeTakeFirst()

  it('API-091: previews, imports, refuses an existing dashboard, and overwrites it with its charts only', async () => {
    const files = {
      ...parents,
      'charts/Cars_700.yaml': chart(10, 'Cars'),
      'dashboards/Board_1.yaml': dashboard(20, 'Board'),
    }
    const preview = await send('admin', 'dashboard', await pack('Dashboard', files), { preview: 'true' })
    expect(preview.statusCode).toBe(200)
    expect(new Set(Object.values(states(preview)))).toEqual(new Set(['new']))
    expect(Object.fromEntries(summaryOf(preview).objects.map(({ path, needs }) => [path, needs]))).toEqual({
      'databases/lab.yaml': undefined,
      'datasets/lab/cars.yaml': ['databases/lab.yaml'],
      'charts/Cars_700.yaml': ['datasets/lab/cars.yaml'],
      'dashboards/Board_1.yaml': ['charts/Cars_700.yaml'],
    })
    expect(await find('dashboard', 20)).toBeUndefined()

    const imported = await send('admin', 'dashboard', await pack('Dashboard', files))
    expect([imported.statusCode, imported.json()]).toEqual([200, { message: 'OK' }])
    const again = await send('admin', 'dashboard', await pack('Dashboard', files))
    expect([again.statusCode, extraOf(again)]).toEqual([
      422,
      expect.objectContaining({
        message: 'Error importing dashboard',
        extra: expect.objectContaining({
          'dashboards/Board_1.yaml': 'Dashboard already exists and `overwrite=true` was not passed',
        }) as object,
      }),
    ])

    const changed = {
      ...files,
      'datasets/lab/cars.yaml': { ...dataset(2, 'cars'), description: 'Another' },
      'charts/Cars_700.yaml': chart(10, 'Cars, renamed'),
    }
    const second = await send('admin', 'dashboard', await pack('Dashboard', changed), { preview: 'true' })
    expect(states(second)).toEqual({
      'databases/lab.yaml': 'kept',
      'datasets/lab/cars.yaml': 'kept',
      'charts/Cars_700.yaml': 'changed',
      'dashboards/Board_1.yaml': 'same',
    })
    const difference = summaryOf(second).objects.find(({ kind }) => kind === 'chart')?.differences
    expect(difference).toEqual([
      { of: 'field', how: 'changed', what: 'slice_name', before: 'Cars', after: 'Cars, renamed' },
    ])
    expect((await find('chart', 10))?.slice_name).toBe('Cars')
    expect((await send('admin', 'dashboard', await pack('Dashboard', changed), { overwrite: 'true' })).statusCode).toBe(
      200,
    )
    expect((await find('chart', 10))?.slice_name).toBe('Cars, renamed')
    expect((await find('dataset', 2))?.description).toBeNull()
    const stored = await find('dashboard', 20)
    expect(JSON.parse(stored?.position_json ?? '')).toMatchObject({
      'CHART-1': { meta: { chartId: (await find('chart', 10))?.id } },
    })
  })

  it('API-091: writes only the chosen paths, and everything or nothing', async () => {
    const files = { ...parents, 'charts/a.yaml': chart(11, 'A'), 'charts/b.yaml': chart(12, 'B') }
    const chosen = await send('admin', 'chart', await pack('Slice', files), { only: '["charts/a.yaml"]' })
    expect(chosen.statusCode).toBe(200)
    expect([await find('chart', 11), await find('chart', 12)]).toEqual([expect.anything(), undefined])
    const broken = { ...files, 'charts/c.yaml': { ...chart(13, 'C'), dataset_uuid: uuid(99) } }
    const refused = await send('admin', 'chart', await pack('Slice', broken), {
      only: '["charts/b.yaml","charts/c.yaml"]',
    })
    expect(extraOf(refused).extra).toMatchObject({ 'charts/c.yaml': { dataset_uuid: [expect.any(String)] } })
    expect(await find('chart', 12)).toBeUndefined()
    expect((await send('admin', 'chart', await pack('Slice', files), { only: 'no' })).statusCode).toBe(400)
  })

  it('LIST-023: does not replace what the importer saw as new', async () => {
    const files = { ...parents, 'charts/d.yaml': chart(27, 'D'), 'charts/e.yaml': chart(28, 'E') }
    const choice = { overwrite: 'true', only: '["charts/d.yaml","charts/e.yaml"]', only_new: '["charts/d.yaml"]' }
    expect((await send('admin', 'chart', await pack('Slice', files), choice)).statusCode).toBe(200)
    // The same contents are no conflict.
    expect((await send('admin', 'chart', await pack('Slice', files), choice)).statusCode).toBe(200)
    const changed = { ...files, 'charts/d.yaml': chart(27, 'D2'), 'charts/e.yaml': chart(28, 'E2') }
    const refused = await send('admin', 'chart', await pack('Slice', changed), choice)
    expect([refused.statusCode, extraOf(refused)?.extra]).toEqual([
      422,
      expect.objectContaining({ 'charts/d.yaml': 'Chart already exists and `overwrite=true` was not passed' }),
    ])
    expect([(await find('chart', 27))?.slice_name, (await find('chart', 28))?.slice_name]).toEqual(['D', 'E'])
    const wrong = await send('admin', 'chart', await pack('Slice', files), { only_new: '{}' })
    expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringContaining('only_new')])
  })

  it('API-091: a YAML file of Superset 1.x brings its database along, or finds the one of that name', async () => {
    const tables = [{ table_name: 'barns', columns: [{ column_name: 'id' }], metrics: [] }]
    const write = (database_name: string): Buffer =>
      Buffer.from(writeYaml({ databases: [{ database_name, sqlalchemy_uri: 'duckdb://', tables }] }))
    const preview = await send('admin', 'dataset', write('old farm'), { preview: 'true' })
    expect(summaryOf(preview).objects.map(({ state, problems, needs }) => [state, problems, needs])).toEqual([
      ['new', undefined, undefined],
      ['new', undefined, ['databases/old_farm.yaml']],
    ])
    const lab = server.deps.db.selectFrom('dataset').innerJoin('database', 'database.id', 'database_id')
    const found = () => lab.select(['database_name']).where('table_name', '=', 'barns').execute()
    expect((await send('admin', 'dataset', write('old farm'))).statusCode).toBe(200)
    expect(await found()).toEqual([{ database_name: 'old farm' }])
    expect(states(await send('admin', 'dataset', write('old farm'), { preview: 'true' }))).toEqual({
      'databases/old_farm.yaml': 'kept',
      'datasets/old_farm/barns.yaml': 'same',
    })
    expect(states(await send('admin', 'dataset', write('bundled'), { preview: 'true' }))).toEqual({
      'databases/bundled.yaml': 'kept',
      'datasets/bundled/barns.yaml': 'new',
    })
  })

  it('shows the values that an import would change', async () => {
    const before = chart(41, 'Values', { row_limit: 10, groupby: ['a'], adhoc_filters: [] })
    const after = chart(41, 'Values', { row_limit: 20, groupby: ['a', 'b'], adhoc_filters: [] })
    const packOne = (file: Record<string, unknown>) => pack('Slice', { ...parents, 'charts/v.yaml': file })
    expect((await send('admin', 'chart', await packOne(before))).statusCode).toBe(200)
    const { objects } = summaryOf(await send('admin', 'chart', await packOne(after), { preview: 'true' }))
    const found = objects.find(({ kind }) => kind === 'chart')?.differences
    expect(found?.find(({ what }) => what === 'row_limit')).toMatchObject({ before: '10', after: '20' })
    expect(found?.find(({ what }) => what === 'groupby')).toMatchObject({
      long: { before: '[\n  "a"\n]', after: '[\n  "a",\n  "b"\n]' },
    })
  })

  it('tells which databases cannot be connected', async () => {
    const file = { ...database, database_name: 'file', sqlalchemy_uri: 'sqlite:///shop.db', uuid: uuid(40) }
    const archive = await pack('Database', { 'databases/lab.yaml': database, 'databases/file.yaml': file })
    const { objects } = summaryOf(await send('admin', 'database', archive, { preview: 'true' }))
    expect(objects.map(({ path, unsupported }) => [path, unsupported])).toEqual([
      ['databases/lab.yaml', undefined],
      ['databases/file.yaml', true],
    ])
  })

  it('API-091: names the type that the call expects', async () => {
    const refused = await send('admin', 'chart', await pack('Dashboard', parents))
    expect([refused.statusCode, extraOf(refused).extra]).toMatchObject([
      422,
      { 'metadata.yaml': { type: ['Must be equal to Slice.'] } },
    ])
    expect((await send('admin', 'dataset', await createZip(new Map(), new Date(0)))).statusCode).toBe(422)
    expect((await send('admin', 'dataset', Buffer.from('hello'))).statusCode).toBe(422)
  })

  it('regression: an importer gets no more than the ordinary calls give', async () => {
    const files = { ...parents, 'charts/Cars_700.yaml': chart(10, 'Taken'), 'charts/new.yaml': chart(14, 'New') }
    const asGamma = await send('gamma', 'chart', await pack('Slice', files), { overwrite: 'true' })
    expect(asGamma.statusCode).toBe(422)
    // The database and the dataset are not visible to the caller.
    expect(Object.keys(extraOf(asGamma).extra)).toEqual(
      expect.arrayContaining(['databases/lab.yaml', 'datasets/lab/cars.yaml']),
    )
    const asAlpha = await send('alpha', 'chart', await pack('Slice', files), { overwrite: 'true' })
    expect(extraOf(asAlpha).extra).toMatchObject({
      'charts/Cars_700.yaml': { _schema: [expect.stringContaining('only its owners')] },
    })
    expect(extraOf(asAlpha).extra).not.toHaveProperty('charts/new.yaml')
    expect((await find('chart', 10))?.slice_name).not.toBe('Taken')
    const preview = summaryOf(await send('gamma', 'chart', await pack('Slice', files), { preview: 'true' }))
    expect(preview.objects.map(({ id, differences }) => [id, differences])).toEqual(
      Object.keys(files).map(() => [null, undefined]),
    )
    const own = await send('alpha', 'chart', await pack('Slice', files), { only: '["charts/new.yaml"]' })
    expect(own.statusCode).toBe(200)
    const owners = await server.deps.db
      .selectFrom('chart_owner')
      .innerJoin('user', 'user.id', 'user_id')
      .select('username')
      .where('chart_id', '=', (await find('chart', 14))?.id ?? 0)
      .execute()
    expect(owners).toEqual([{ username: 'alpha' }])
  })

  it('API-091: assets change datasets and databases too; a saved query, a CSS template and an annotation layer come along', async () => {
    const files: Files = {
      'databases/lab.yaml': { ...database, extra: { mine: { kept: true } }, of_a_later_release: 1 },
      'datasets/lab/cars.yaml': { ...dataset(2, 'cars'), description: 'Of assets' },
      'css_templates/Wide_1.yaml': { template_name: 'Wide', css: '.a {}', uuid: uuid(30) },
      'annotation_layers/Releases_5.yaml': {
        name: 'Releases',
        uuid: uuid(31),
        annotations: [{ short_descr: 'One', start_dttm: '2026-01-01T00:00:00', end_dttm: '2026-01-02T00:00:00' }],
      },
      'charts/line_900.yaml': chart(15, 'Line', {
        annotation_layers: [
          { name: 'Releases', annotationType: 'EVENT', sourceType: 'NATIVE', value: 5 },
          { name: 'Other', annotationType: 'TIME_SERIES', sourceType: 'line', value: 901 },
          { name: 'Gone', annotationType: 'TIME_SERIES', sourceType: 'line', value: 4711 },
        ],
      }),
      'charts/other_901.yaml': chart(16, 'Other'),
      'queries/lab/q.yaml': { label: 'Q', sql: 'SELECT 1', uuid: uuid(32), database_uuid: uuid(1) },
    }
    const archive = await pack('assets', files)
    const notes = summaryOf(await send('admin', 'assets', archive, { preview: 'true' }))
    expect(notes.objects.find(({ path }) => path === 'charts/line_900.yaml')?.notes).toEqual([
      expect.stringContaining('4711'),
    ])
    const imported = await send('admin', 'assets', archive, {}, { field: 'bundle' })
    expect([imported.statusCode, imported.json()]).toEqual([200, { message: 'OK' }])
    expect((await find('dataset', 2))?.description).toBe('Of assets')
    const form = JSON.parse((await find('chart', 15))?.params ?? '') as { annotation_layers: { value: unknown }[] }
    expect(form.annotation_layers.map(({ value }) => value)).toEqual([
      (await find('annotation_layer', 31))?.id,
      (await find('chart', 16))?.id,
      null,
    ])
    expect((await find('css_template', 30))?.css).toBe('.a {}')
    // Fields of other releases are written again.
    const answer = await server.as('admin').get(`/api/v1/database/export/?q=!(${(await find('database', 1))?.id})`)
    const { files: exported } = await readArchive(answer.rawPayload)
    expect(exported.get('other_fields/databases/bundled.yaml')).toEqual({
      uuid: uuid(1),
      of_a_later_release: 1,
      extra: { mine: { kept: true } },
    })
    expect(new Set(Object.values(states(await send('admin', 'assets', archive, { preview: 'true' }))))).toEqual(
      new Set(['same']),
    )
  })

  it('API-091: assets may refer to objects that exist here when they are sparse, as far as the importer sees them', async () => {
    const files = { ...parents, 'charts/Sparse_90.yaml': chart(90, 'Sparse') }
    expect((await send('admin', 'assets', await pack('assets', files))).statusCode).toBe(200)
    const board = dashboard(91, 'Sparse')
    board.position['CHART-1'].meta.uuid = uuid(90)
    const alone = await pack('assets', {
      'charts/Another_92.yaml': chart(92, 'Another'),
      'dashboards/Sparse_91.yaml': board,
    })
    const refused = await send('admin', 'assets', alone)
    expect([refused.statusCode, Object.keys(extraOf(refused).extra)]).toMatchObject([
      422,
      ['charts/Another_92.yaml', 'issue_codes'],
    ])
    expect(
      (await send('admin', 'chart', await pack('Slice', { 'charts/a.yaml': chart(93, 'A') }), { sparse: 'true' }))
        .statusCode,
    ).toBe(422)
    expect((await send('admin', 'assets', alone, { sparse: 'true' })).statusCode).toBe(200)
    expect((await find('chart', 92))?.datasource_id).toBe((await find('dataset', 2))?.id)
    const shown = await server.as('admin').get(`/api/v1/dashboard/${(await find('dashboard', 91))?.id}/charts`)
    expect(shown.json<{ result: { id: number }[] }>().result.map(({ id }) => id)).toEqual([
      (await find('chart', 90))?.id,
    ])
    const unknown = await pack('assets', { 'charts/b.yaml': { ...chart(94, 'B'), dataset_uuid: uuid(99) } })
    expect((await send('admin', 'assets', unknown, { sparse: 'true' })).statusCode).toBe(422)
  })

  it('LIST-007: an export of everything is imported again without a difference, by administrators only', async () => {
    const exported = await server.as('admin').get('/api/v1/assets/export/')
    expect(exported.headers['content-disposition']).toMatch(/assets_export_/)
    const { files, metadata } = await readArchive(exported.rawPayload)
    expect(metadata.type).toBe('assets')
    const folders = new Set([...files.keys()].map((path) => path.split('/')[0]))
    for (const folder of [
      'annotation_layers',
      'css_templates',
      'databases',
      'datasets',
      'charts',
      'dashboards',
      'queries',
    ])
      expect(folders).toContain(folder)
    const preview = await send('admin', 'assets', exported.rawPayload, { preview: 'true' })
    expect(summaryOf(preview).objects.filter(({ state }) => state !== 'same')).toEqual([])
    expect((await send('gamma', 'assets', exported.rawPayload)).statusCode).toBe(403)
  })

  it('streams its progress to callers that accept lines', async () => {
    const files = { ...parents, 'charts/p.yaml': chart(17, 'P') }
    const answer = await send('admin', 'chart', await pack('Slice', files), {}, { accept: 'application/x-ndjson' })
    const lines = answer.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { progress?: object; end?: { status: number; body: object } })
    expect(lines[0]?.progress).toMatchObject({ step: 'reading' })
    expect(lines.at(-1)?.end).toMatchObject({ status: 200, body: { message: 'OK', parquetry: { type: 'Slice' } } })
    const refused = await send('admin', 'chart', await pack('Slice', files), {}, { accept: 'application/x-ndjson' })
    expect(JSON.parse(refused.body.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ end: { status: 422 } })
  })

  it('regression: two imports of one bundle at once leave one object each', async () => {
    const archive = await pack('Slice', { ...parents, 'charts/t.yaml': chart(18, 'Twice') })
    const answers = await Promise.all([send('admin', 'chart', archive), send('admin', 'chart', archive)])
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 422]))
    const rows = await server.deps.db.selectFrom('chart').select('id').where('uuid', '=', uuid(18)).execute()
    expect(rows).toHaveLength(1)
  })
})
