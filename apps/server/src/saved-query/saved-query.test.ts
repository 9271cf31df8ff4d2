import { writeArchive } from '@parquetry/bundle'
import { encodeRison } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { type Client, testStores } from '../testing.ts'

interface Row {
  id: number
  [field: string]: unknown
}

describe.each(testStores)('saved queries on %s', (_name, store) => {
  let lab: TestLab
  let ada: Client
  let other: Client
  const list = async (client: Client, filters: object[] = [], more: object = {}) => {
    const q = encodeURIComponent(encodeRison({ filters, page_size: 100, keys: ['none'], ...more }))
    const response = await client.get(`/api/v1/saved_query/?q=${q}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json<{ count: number; result: Row[] }>()
  }
  const create = async (body: object, client = ada): Promise<number> => {
    const response = await client.post('/api/v1/saved_query/', body)
    expect(response.statusCode, response.body).toBe(201)
    return response.json<{ id: number }>().id
  }
  const read = async (id: number, client = ada): Promise<Row> =>
    (await client.get(`/api/v1/saved_query/${id}`)).json<{ result: Row }>().result
  const form = (fields: Record<string, string>) => ({
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

  beforeAll(async () => {
    const flags = { SQLLAB_BACKEND_PERSISTENCE: true, TAGGING_SYSTEM: true }
    lab = await startTestLab({ store, settings: { flags } })
    ada = lab.server.as('admin')
    other = lab.server.as('sqllab')
  }, 30_000)
  afterAll(() => lab.close())

  it('SQL-010, API-022, API-023, API-024, SQL-046 to SQL-049: saves, changes and reads a query in the format of the API', async () => {
    const body = {
      db_id: lab.files,
      label: 'Cars',
      description: 'all of them',
      sql: 'SELECT * FROM cars',
      schema: 'main',
      template_parameters: '{"a":1}',
      catalog: null,
    }
    const made = await ada.post('/api/v1/saved_query/', body)
    const { catalog: _, ...echoed } = body
    expect(made.json()).toMatchObject({ result: echoed })
    const { id } = made.json<{ id: number }>()
    const changed = await ada.put(`/api/v1/saved_query/${id}`, { label: 'Cars 2', extra_json: '{"x":1}' })
    expect(changed.json()).toEqual({ id, result: { ...echoed, label: 'Cars 2' } })
    expect(await read(id)).toMatchObject({
      id,
      label: 'Cars 2',
      description: 'all of them',
      sql: 'SELECT * FROM cars',
      schema: 'main',
      template_parameters: '{"a":1}',
      extra_json: '{"x":1}',
      database: { id: lab.files, database_name: 'files' },
      sql_tables: [{ catalog: null, schema: null, table: 'cars' }],
      created_by: { first_name: 'Ada' },
    })
    await ada.put(`/api/v1/saved_query/${id}`, { sql: 'SELECT 1' })
    expect((await read(id))['sql_tables']).toEqual([])
  })

  it('PERM-006: users see and change only their own queries, whatever their permissions', async () => {
    const id = await create({ label: 'mine', sql: 'SELECT 1' })
    const theirs = await create({ label: 'theirs', sql: 'SELECT 1' }, other)
    expect((await list(ada)).result.map(({ label }) => label)).not.toContain('theirs')
    for (const [client, foreign] of [
      [ada, theirs],
      [other, id],
    ] as const) {
      expect((await client.get(`/api/v1/saved_query/${foreign}`)).statusCode).toBe(404)
      expect((await client.put(`/api/v1/saved_query/${foreign}`, { label: 'x' })).statusCode).toBe(404)
      expect((await client.delete(`/api/v1/saved_query/${foreign}`)).statusCode).toBe(404)
      expect((await client.delete(`/api/v1/saved_query/?q=!(${foreign})`)).statusCode).toBe(404)
      expect((await client.get(`/api/v1/saved_query/export/?q=!(${foreign})`)).statusCode).toBe(404)
      expect((await client.get(`/savedqueryviewapi/api/get/${foreign}`)).statusCode).toBe(404)
      const changing = await client.send('PUT', `/savedqueryviewapi/api/update/${foreign}`, form({ label: 'x' }))
      expect(changing.statusCode).toBe(404)
      expect((await client.post(`/api/v1/tag/1/${foreign}/`, { properties: { tags: ['x'] } })).statusCode).toBe(404)
    }
    expect((await read(theirs, other))['label']).toBe('theirs')
    expect((await lab.server.as('gamma').get('/api/v1/saved_query/')).statusCode).toBe(403)
  })

  it('rejects an invisible database like a missing one, and saves a query whose database was deleted', async () => {
    for (const db_id of [lab.files, 99_999]) {
      const response = await other.post('/api/v1/saved_query/', { label: 'x', sql: 'SELECT 1', db_id })
      expect([response.statusCode, response.json()]).toEqual([422, { message: { db_id: ['Database does not exist'] } }])
    }
    const id = await create({ label: 'x', sql: 'SELECT 1' })
    await lab.server.deps.db.updateTable('saved_query').set({ db_id: 98_765 }).where('id', '=', id).execute()
    const response = await ada.put(`/api/v1/saved_query/${id}`, { db_id: 98_765, sql: 'SELECT 2' })
    expect([response.statusCode, (await read(id))['sql']]).toEqual([200, 'SELECT 2'])
  })

  it('searches label, description, schema and SQL, and sorts the list by its columns', async () => {
    await create({ label: 'Zebra', description: 'animals of Africa', sql: 'SELECT 1', schema: 'zoo' })
    await create({ label: 'Apple', sql: 'SELECT fruit FROM africa' })
    const search = async (value: string) =>
      (await list(ada, [{ col: 'label', opr: 'all_text', value }], { order_column: 'label' })).result.map(
        ({ label }) => label,
      )
    expect(await search('AFRICA')).toEqual(['Apple', 'Zebra'])
    expect(await search('zoo')).toEqual(['Zebra'])
    expect(await search('100%')).toEqual([])
    for (const order_column of ['schema', 'description', 'rows', 'last_run_delta_humanized', 'database.database_name'])
      expect((await list(ada, [], { order_column, order_direction: 'desc' })).count).toBeGreaterThan(2)
    const schemas = await ada.get('/api/v1/saved_query/distinct/schema')
    expect(schemas.json<{ result: object[] }>().result).toContainEqual({ text: 'zoo', value: 'zoo' })
    const databases = await ada.get('/api/v1/saved_query/related/database')
    expect(databases.json<{ result: object[] }>().result).toContainEqual(
      expect.objectContaining({ value: lab.files, text: 'files' }),
    )
  })

  it('a run of the same SQL updates rows and time of the last run', async () => {
    const id = await create({ label: 'run me', sql: 'SELECT id FROM cars', db_id: lab.files })
    expect((await lab.run('SELECT id FROM cars')).statusCode).toBe(200)
    const row = (await list(ada, [{ col: 'id', opr: 'eq', value: id }])).result[0]
    expect(row).toMatchObject({ rows: 3 })
    const history = await ada.get('/api/v1/query/?q=(order_column:changed_on,order_direction:desc,page_size:1)')
    expect(history.json<{ result: Row[] }>().result[0]?.['sql_tables']).toEqual([
      { catalog: null, schema: null, table: 'cars' },
    ])
  })

  it('adds tags, finds queries by tag name and id, and removes tags', async () => {
    const id = await create({ label: 'tagged', sql: 'SELECT 1' })
    const response = await ada.post(`/api/v1/tag/1/${id}/`, {
      properties: { tags: ['Sales', ' weekly ', 'Sales', ''] },
    })
    expect(response.statusCode).toBe(400)
    expect(
      (await ada.post(`/api/v1/tag/query/${id}/`, { properties: { tags: ['Sales', ' weekly '] } })).statusCode,
    ).toBe(201)
    const tags = (await read(id))['tags'] as { id: number; name: string; type: number }[]
    expect(tags.map(({ name, type }) => [name, type])).toEqual([
      ['Sales', 1],
      ['weekly', 1],
      ['type:query', 2],
      [expect.stringMatching(/^owner:\d+$/), 3],
    ])
    const ids = async (opr: string, value: string | number) =>
      (await list(ada, [{ col: 'tags', opr, value }])).result.map((row) => row.id)
    expect(await ids('saved_query_tags', 'SAL')).toEqual([id])
    expect(await ids('saved_query_tag_id', tags[0]!.id)).toEqual([id])
    expect(await ids('saved_query_tags', 'nope')).toEqual([])
    expect((await ada.delete(`/api/v1/tag/1/${id}/Sales/`)).json()).toEqual({ message: 'OK' })
    expect((await ada.delete(`/api/v1/tag/1/${id}/Sales/`)).statusCode).toBe(404)
    expect(await ids('saved_query_tags', 'sales')).toEqual([])
    expect((await ada.post('/api/v1/tag/2/1/', { properties: { tags: ['x'] } })).statusCode).toBe(404)
  })

  it('imports an export unchanged: replaces a query only with overwrite, and not for users who cannot see its database', async () => {
    const id = await create({
      label: 'Exported query',
      sql: 'SELECT 7',
      db_id: lab.files,
      description: 'd',
      schema: 'main',
    })
    const zip = (await ada.get(`/api/v1/saved_query/export/?q=!(${id})`)).rawPayload
    const send = async (client: Client, fields: Record<string, string> = {}, file: Uint8Array = zip) => {
      const data = new FormData()
      data.append('formData', new Blob([Uint8Array.from(file)]), 'export.zip')
      for (const [name, value] of Object.entries(fields)) data.append(name, value)
      const request = new Request('http://test/', { method: 'POST', body: data })
      return client.send('POST', '/api/v1/saved_query/import/', {
        payload: Buffer.from(await request.arrayBuffer()),
        headers: { 'content-type': request.headers.get('content-type') ?? '' },
      })
    }
    await ada.put(`/api/v1/saved_query/${id}`, { sql: 'SELECT 8' })
    const exists = await send(ada)
    expect([exists.statusCode, exists.json()]).toMatchObject([
      422,
      {
        errors: [
          {
            message: 'Error importing saved_queries',
            error_type: 'GENERIC_COMMAND_ERROR',
            level: 'warning',
            extra: {
              'queries/files/main/Exported_query.yaml':
                'Saved_Queries already exists and `overwrite=true` was not passed',
            },
          },
        ],
      },
    ])
    expect((await read(id))['sql']).toBe('SELECT 8')
    expect((await send(ada, { overwrite: 'true', passwords: '{}' })).json()).toEqual({ message: 'OK' })
    expect(await read(id)).toMatchObject({ sql: 'SELECT 7', label: 'Exported query', schema: 'main', description: 'd' })

    const unseen = await send(other, { overwrite: 'true' })
    expect(unseen.statusCode, 'the database is not his to see').toBe(422)
    const alpha = lab.server.as('alpha')
    expect((await send(alpha)).statusCode).toBe(403)
    await ada.delete(`/api/v1/saved_query/${id}`)
    expect((await send(ada)).statusCode).toBe(200)
    const back = (await list(ada, [{ col: 'label', opr: 'eq', value: 'Exported query' }])).result
    expect(back).toHaveLength(1)

    expect((await send(ada, {}, Buffer.from('no zip'))).statusCode).toBe(422)
    const chart = await ada.post('/api/v1/saved_query/import/', { formData: 'x' })
    expect(chart.statusCode).toBe(400)
  })

  it('LIST-019: an imported database that does not exist yet requires its password', async () => {
    const metadata = { version: '1.0.0', type: 'SavedQuery', timestamp: '' } as const
    const [database, query] = [randomUUID(), randomUUID()]
    const files = new Map<string, Record<string, unknown>>([
      [
        'databases/far.yaml',
        { uuid: database, database_name: 'far', sqlalchemy_uri: 'postgresql://u:XXXXXXXXXX@far.example:5432/d' },
      ],
      ['queries/far/x.yaml', { uuid: query, sql: 'SELECT 1', label: 'from far', database_uuid: database }],
    ])
    const zip = await writeArchive({ metadata, files }, 'export')
    const send = async (fields: Record<string, string>) => {
      const data = new FormData()
      data.append('formData', new Blob([Uint8Array.from(zip)]), 'export.zip')
      for (const [name, value] of Object.entries(fields)) data.append(name, value)
      const request = new Request('http://test/', { method: 'POST', body: data })
      return ada.send('POST', '/api/v1/saved_query/import/', {
        payload: Buffer.from(await request.arrayBuffer()),
        headers: { 'content-type': request.headers.get('content-type') ?? '' },
      })
    }
    const response = await send({})
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      { errors: [{ extra: { 'databases/far.yaml': { _schema: ['Must provide a password for the database'] } } }] },
    ])
    expect((await list(ada, [{ col: 'label', opr: 'eq', value: 'from far' }])).count).toBe(0)
    expect((await send({ passwords: 'no json' })).statusCode).toBe(400)
    const given = await send({ passwords: JSON.stringify({ 'databases/far.yaml': 'a secret' }) })
    expect([given.statusCode, given.body]).toEqual([200, '{"message":"OK"}'])
    expect((await list(ada, [{ col: 'label', opr: 'eq', value: 'from far' }])).count).toBe(1)
    const stored = await lab.server.deps.db.selectFrom('database').selectAll().where('uuid', '=', database).execute()
    expect(JSON.stringify(stored)).not.toContain('a secret')
  })

  it('does not overwrite another user’s query on import', async () => {
    const id = await create({ label: 'Shared bundle', sql: 'SELECT 1', db_id: lab.files })
    const row = await lab.server.deps.db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'alpha')
      .executeTakeFirst()
    await lab.server.deps.db.updateTable('saved_query').set({ user_id: row!.id }).where('id', '=', id).execute()
    const { importBundle } = await import('../bundle/import-bundle.ts')
    const stored = await lab.server.deps.db
      .selectFrom('saved_query')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const database = await lab.server.deps.db
      .selectFrom('database')
      .selectAll()
      .where('id', '=', lab.files)
      .executeTakeFirstOrThrow()
    const me = (await ada.get('/api/v1/me/')).json<{ result: { id: number } }>().result.id
    await importBundle(
      lab.server.deps.db,
      {
        metadata: { version: '1.0.0', type: 'SavedQuery', timestamp: '' },
        files: new Map<string, Record<string, unknown>>([
          ['databases/files.yaml', { uuid: database.uuid, database_name: 'files', sqlalchemy_uri: 'duckdb://' }],
          ['queries/files/x.yaml', { uuid: stored.uuid, sql: 'SELECT 2', label: 'copy', database_uuid: database.uuid }],
        ]),
      },
      { authorId: me, at: '2026-01-01T00:00:00.000', overwrite: true },
    )
    const after = await lab.server.deps.db
      .selectFrom('saved_query')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([after.sql, after.user_id]).toEqual(['SELECT 1', row!.id])
    expect((await list(ada, [{ col: 'label', opr: 'eq', value: 'copy' }])).count).toBe(1)
  })

  const schedule_info = {
    start_date: '2026-01-01T00:00:00Z',
    end_date: '2099-01-01T00:00:00Z',
    schedule_interval: '0 6 * * *',
    timezone: 'Europe/Berlin',
  }

  it('API-025, SQL-011: the legacy endpoint schedules a query; its values are not JSON', async () => {
    const fields = {
      label: 'Every morning',
      db_id: String(lab.files),
      schema: '',
      description: '',
      sql: 'SELECT 1',
      extra_json: JSON.stringify({ schedule_info }),
    }
    const response = await ada.send('POST', '/savedqueryviewapi/api/create', form(fields))
    const { item, ...rest } = response.json<{ item: Row }>()
    expect([response.statusCode, rest]).toEqual([200, { message: 'Added Row', severity: 'success' }])
    expect(item).toEqual({ ...fields, db_id: lab.files, schema: null, id: expect.any(Number) as number })
    const saved = await read(item.id)
    expect(saved).toMatchObject({ label: 'Every morning', extra_json: fields.extra_json })
    expect(saved['schedule']).toMatchObject({
      next_run: expect.stringMatching(/T0[45]:00:00\.000$/) as string,
      last_run: null,
      last_status: null,
    })
    const row = (await list(ada, [{ col: 'id', opr: 'eq', value: item.id }])).result[0]
    expect(row?.['extra']).toEqual({ schedule_info })
    const got = await ada.get(`/savedqueryviewapi/api/get/${item.id}`)
    expect(got.json()).toMatchObject({ pk: String(item.id), result: { label: 'Every morning' } })
    const changed = await ada.send('PUT', `/savedqueryviewapi/api/update/${item.id}`, form({ extra_json: '' }))
    expect(changed.json()).toMatchObject({ message: 'Changed Row', item: { label: 'Every morning' } })
    expect((await read(item.id))['schedule']).toBeNull()
  })

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['an interval that is none', JSON.stringify({ schedule_info: { ...schedule_info, schedule_interval: 'often' } })],
    ['seconds', JSON.stringify({ schedule_info: { ...schedule_info, schedule_interval: '* * * * * *' } })],
    ['a zone that is none', JSON.stringify({ schedule_info: { ...schedule_info, timezone: 'Mars' } })],
    ['an end before its start', JSON.stringify({ schedule_info: { ...schedule_info, end_date: '2025-01-01' } })],
    ['a start that is no time', JSON.stringify({ schedule_info: { ...schedule_info, start_date: 'soon' } })],
    [
      'a day that never comes',
      JSON.stringify({ schedule_info: { ...schedule_info, schedule_interval: '0 0 31 2 *' } }),
    ],
  ])('both endpoints reject an invalid schedule: %s', async (_what, extra_json) => {
    const older = await ada.send('POST', '/savedqueryviewapi/api/create', form({ label: 'bad', sql: 'x', extra_json }))
    expect([older.statusCode, older.json()]).toMatchObject([
      422,
      { error_details: { extra_json: [expect.any(String)] } },
    ])
    const newer = await ada.post('/api/v1/saved_query/', { label: 'bad', sql: 'x', extra_json })
    expect([newer.statusCode, newer.json()]).toMatchObject([422, { message: { extra_json: [expect.any(String)] } }])
    expect((await list(ada, [{ col: 'label', opr: 'eq', value: 'bad' }])).count).toBe(0)
  })
})
