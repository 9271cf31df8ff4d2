import type { TabConflict, TabStateView } from '@parquetry/model'
import type { Response } from 'light-my-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDatabase } from '../database.testing.ts'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'

const urlencoded = (fields: Record<string, unknown>) => ({
  payload: new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
  ).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** Encodes fields as a browser encodes a FormData object. */
async function multipart(fields: Record<string, unknown>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, JSON.stringify(value))
  const request = new Request('http://test/', { method: 'POST', body: form })
  return {
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  }
}

describe.each(testStores)('SQL Lab tabs on %s', (_name, store) => {
  let server: TestServer
  let database: number
  let ada: Client
  let other: Client

  const create = async (client: Client, editor: object = {}): Promise<number> => {
    const queryEditor = { dbId: database, name: 'T1', schema: 'main', sql: 'SELECT 1', queryLimit: 100, ...editor }
    const response = await client.send('POST', '/tabstateview/', await multipart({ queryEditor }))
    expect(response.statusCode, response.body).toBe(200)
    return response.json<{ id: number }>().id
  }
  const read = async (client: Client, id: number): Promise<TabStateView> => {
    const response = await client.get(`/tabstateview/${id}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json<TabStateView>()
  }
  const put = (client: Client, id: number, fields: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const sent = urlencoded(fields)
    return client.send('PUT', `/tabstateview/${id}`, { ...sent, headers: { ...sent.headers, ...headers } })
  }
  const isNothing = (response: Response, status: number) => {
    expect(response.statusCode).toBe(status)
    expect(response.body).toBe('')
  }
  const addRun = async (clientId: string, user: string, more: object = {}) => {
    const { id } = await server.deps.db
      .selectFrom('user')
      .select('id')
      .where('username', '=', user)
      .executeTakeFirstOrThrow()
    await server.deps.db
      .insertInto('query')
      .values({
        client_id: clientId,
        database_id: database,
        user_id: id,
        sql: 'SELECT 1',
        limiting_factor: 'NOT_LIMITED',
        select_as_cta: 0,
        status: 'success',
        progress: 100,
        extra_json: '{}',
        changed_on: '2026-01-01T00:00:00.000',
        start_time: 1,
        ...more,
      })
      .execute()
  }

  beforeAll(async () => {
    server = await startTestServer({ store })
    database = await addDatabase(server)
    ada = server.as('admin', 'session')
    other = server.as('sqllab', 'session')
  })
  afterAll(() => server.close())

  it('API-012, API-013, SQL-043: creates a tab from the state of the browser and reads it back with the fields of the API', async () => {
    const saved = await ada.post('/api/v1/saved_query/', { label: 'S', sql: 'SELECT 1', db_id: database })
    const remoteId = saved.json<{ id: number }>().id
    const rest = { catalog: 'memory', remoteId, hideLeftBar: true, autorun: true }
    const id = await create(ada, { templateParams: '{"a":1}', ...rest })
    expect(await read(ada, id)).toEqual({
      id,
      user_id: expect.any(Number) as number,
      label: 'T1',
      active: true,
      database_id: database,
      catalog: 'memory',
      schema: 'main',
      table_schemas: [],
      sql: 'SELECT 1',
      query_limit: 100,
      latest_query: null,
      autorun: true,
      template_params: '{"a":1}',
      hide_left_bar: true,
      saved_query: { id: remoteId },
      extra_json: {},
      version: 1,
      changed_on: expect.any(String) as string,
    })
  })

  it('posting a tab again with its key, one after the other or concurrently, returns the same tab and does not overwrite it', async () => {
    const post = async (client: Client, queryEditor: object) => {
      const response = await client.send('POST', '/tabstateview/', await multipart({ queryEditor }))
      expect(response.statusCode, response.body).toBe(200)
      return { ...response.json<{ id: number; existed?: true }>(), etag: response.headers['etag'] }
    }
    const first = await post(ada, { clientKey: 'key1', name: 'Once', sql: 'SELECT 1' })
    expect(first).toEqual({ id: first.id, etag: '"1"' })
    await put(ada, first.id, { sql: 'SELECT 12' })
    await create(ada)
    const again = await post(ada, { clientKey: 'key1', name: 'Twice', sql: 'SELECT 1' })
    expect(again).toEqual({ id: first.id, existed: true, etag: '"2"' })
    expect(await read(ada, first.id)).toMatchObject({ label: 'Once', sql: 'SELECT 12', active: true })
    const atOnce = await Promise.all([1, 2, 3].map(() => post(ada, { clientKey: 'key2' })))
    expect(new Set(atOnce.map(({ id }) => id)).size).toBe(1)
    expect(atOnce.filter(({ existed }) => !existed)).toHaveLength(1)
    expect((await post(other, { clientKey: 'key1' })).id).not.toBe(first.id)
    const { result } = (await ada.get('/api/v1/sqllab/')).json<{ result: { tab_state_ids: object[] } }>()
    expect(result.tab_state_ids).toContainEqual({ id: first.id, label: 'Once', clientKey: 'key1' })
  })

  it('accepts title from older clients, and uses the defaults of the API for missing fields', async () => {
    const named = await create(ada, { name: undefined, title: 'Old' })
    expect((await read(ada, named)).label).toBe('Old')
    const response = await ada.send('POST', '/tabstateview/', urlencoded({ queryEditor: { dbId: null } }))
    expect(await read(ada, response.json<{ id: number }>().id)).toMatchObject({
      label: 'Untitled Query',
      sql: 'SELECT ...',
      database_id: null,
      autorun: false,
    })
  })

  it('the text of a tab survives its database, and a tab whose database was deleted can still be created and saved', async () => {
    const gone = await addDatabase(server, { database_name: 'gone' })
    const id = await create(ada, { dbId: gone })
    await server.deps.db.deleteFrom('database').where('id', '=', gone).execute()
    expect(await read(ada, id)).toMatchObject({ database_id: null, sql: 'SELECT 1' })
    expect((await put(ada, id, { sql: 'SELECT 2' })).statusCode).toBe(200)
    expect(await read(ada, await create(ada, { dbId: gone }))).toMatchObject({ database_id: null, sql: 'SELECT 1' })
    const hidden = await create(other, { dbId: database })
    expect((await read(other, hidden)).database_id, 'what is not granted is not named').toBeNull()
  })

  it('API-014: changes any of the fields, by multipart and urlencoded, each value being JSON text', async () => {
    const id = await create(ada)
    const saved = await ada.post('/api/v1/saved_query/', { label: 'S', sql: 'SELECT 1', db_id: database })
    const savedId = saved.json<{ id: number }>().id
    await addRun('put-1', 'admin')
    const fields = {
      label: 'T2',
      database_id: await addDatabase(server, { database_name: 'second' }),
      catalog: 'other',
      schema: 'elsewhere',
      sql: 'SELECT "é", \'😀\'\n-- two',
      query_limit: 5,
      autorun: true,
      template_params: '{}',
      hide_left_bar: true,
      saved_query_id: savedId,
      latest_query_id: 'put-1',
      extra_json: { updatedAt: 1 },
    }
    const response = await ada.send('PUT', `/tabstateview/${id}`, await multipart(fields))
    expect(response.headers['content-type']).toContain('application/json')
    expect(response.json()).toBe(id)
    const { saved_query_id: _, latest_query_id: __, ...same } = fields
    const after = { ...same, saved_query: { id: savedId }, latest_query: { id: 'put-1' } }
    expect(await read(ada, id)).toMatchObject(after)
    expect((await put(ada, id, { schema: null, catalog: null, database_id: null })).statusCode).toBe(200)
    expect(await read(ada, id)).toMatchObject({ ...after, schema: null, catalog: null, database_id: null })
    expect((await put(ada, id, { saved_query: null, extra_json: '{"x":[1]}' })).statusCode).toBe(200)
    expect(await read(ada, id)).toMatchObject({ saved_query: null, extra_json: { x: [1] } })
    expect((await put(ada, id, { saved_query: { id: savedId }, something_later: [1] })).statusCode).toBe(200)
    expect((await read(ada, id)).saved_query).toEqual({ id: savedId })
  })

  it.each([
    ['a value that is no JSON', { payload: 'sql=SELECT', headers: {} }],
    ['a label that is a number', urlencoded({ label: 5 })],
    ['a limit that is a text', urlencoded({ query_limit: '5' })],
    ['a database that is not there', urlencoded({ database_id: 99_999 })],
    ['a text with NUL', urlencoded({ sql: 'a\0b' })],
  ])('rejects %s and changes nothing', async (_what, { payload }) => {
    const id = await create(ada)
    const response = await ada.send('PUT', `/tabstateview/${id}`, {
      payload,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(response.statusCode, response.body).toBe(400)
    expect(await read(ada, id)).toMatchObject({ version: 1, label: 'T1', sql: 'SELECT 1' })
  })

  it('two windows on one tab: a save based on an outdated version returns the newer state', async () => {
    const id = await create(ada)
    const first = await put(ada, id, { sql: 'SELECT 2' }, { 'if-match': '"1"' })
    expect([first.statusCode, first.headers['etag']]).toEqual([200, '"2"'])
    for (const response of [
      await put(ada, id, { sql: 'SELECT 3' }, { 'if-match': '"1"' }),
      await put(ada, id, { sql: 'SELECT 3', version: 1 }),
    ]) {
      expect([response.statusCode, response.headers['etag']]).toEqual([409, '"2"'])
      expect(response.json<TabConflict>().tab_state).toMatchObject({ id, sql: 'SELECT 2', version: 2 })
    }
    expect((await read(ada, id)).sql).toBe('SELECT 2')
    expect((await put(ada, id, { sql: 'SELECT 3' }, { 'if-match': '"2"' })).statusCode).toBe(200)
    expect((await put(ada, id, { sql: 'SELECT 4' })).statusCode, 'other clients name no version').toBe(200)
    expect(await read(ada, id)).toMatchObject({ sql: 'SELECT 4', version: 4 })
  })

  it('accepts one of several concurrent saves of the same version', async () => {
    const id = await create(ada)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => put(ada, id, { sql: `SELECT ${n + 10}` }, { 'if-match': '"1"' })),
    )
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1)
    expect((await read(ada, id)).version).toBe(2)
  })

  it('a run, the left bar and a save without changes do not create a new version', async () => {
    const id = await create(ada)
    await addRun('v-1', 'admin')
    for (const fields of [{ latest_query_id: 'v-1' }, { hide_left_bar: true }, { sql: 'SELECT 1' }])
      expect((await put(ada, id, fields, { 'if-match': '"9"' })).statusCode).toBe(200)
    expect(await read(ada, id)).toMatchObject({ version: 1, hide_left_bar: true, latest_query: { id: 'v-1' } })
  })

  it('SQL-064, API-016: one tab is active: the newest, or the one that was activated last', async () => {
    const [a, b] = [await create(ada), await create(ada)]
    expect([(await read(ada, a)).active, (await read(ada, b)).active]).toEqual([false, true])
    const foreign = await create(other, { dbId: null })
    const response = await ada.send('POST', `/tabstateview/${a}/activate`)
    expect([response.statusCode, response.json()]).toEqual([200, a])
    expect([(await read(ada, a)).active, (await read(ada, b)).active]).toEqual([true, false])
    expect((await read(other, foreign)).active).toBe(true)
  })

  it('API-015, SQL-067, SQL-068, SQL-103: removes a tab with its panels, and activating it then returns 404', async () => {
    const id = await create(ada)
    const table = { queryEditorId: id, dbId: database, schema: 'main', name: 'cars' }
    const made = await ada.send('POST', '/tableschemaview/', urlencoded({ table }))
    const response = await ada.delete(`/tabstateview/${id}`)
    expect([response.statusCode, response.json()]).toEqual([200, 'OK'])
    isNothing(await ada.get(`/tabstateview/${id}`), 403)
    isNothing(await ada.delete(`/tabstateview/${id}`), 403)
    isNothing(await ada.send('POST', `/tabstateview/${id}/activate`), 404)
    isNothing(await ada.delete(`/tableschemaview/${made.json<{ id: number }>().id}`), 403)
  })

  it('PERM-003, PERM-004: another user’s tab looks like a missing one in every request', async () => {
    const id = await create(ada)
    const table = { queryEditorId: id, dbId: database, schema: null, name: 'cars' }
    const panel = (await ada.send('POST', '/tableschemaview/', urlencoded({ table }))).json<{ id: number }>().id
    for (const [theirs, theirPanel] of [
      [id, panel],
      [99_999, 99_999],
    ] as const) {
      isNothing(await other.get(`/tabstateview/${theirs}`), 403)
      isNothing(await put(other, theirs, { sql: 'x' }), 403)
      isNothing(await other.delete(`/tabstateview/${theirs}`), 403)
      isNothing(await other.send('POST', `/tabstateview/${theirs}/activate`), 404)
      isNothing(await other.send('POST', `/tabstateview/${theirs}/migrate_query`, urlencoded({ queryId: 'q' })), 403)
      isNothing(await other.delete(`/tabstateview/${theirs}/query/q`), 403)
      isNothing(await other.delete(`/tableschemaview/${theirPanel}`), 403)
      isNothing(
        await other.send('POST', `/tableschemaview/${theirPanel}/expanded`, urlencoded({ expanded: false })),
        403,
      )
    }
    isNothing(await other.send('POST', '/tableschemaview/', urlencoded({ table: { ...table, dbId: 1 } })), 403)
    expect((await server.as('gamma', 'session').get(`/tabstateview/${id}`)).statusCode).toBe(403)
    expect((await server.as('nobody').get(`/tabstateview/${id}`)).statusCode).toBe(401)
    expect((await read(ada, id)).table_schemas).toHaveLength(1)
  })

  it('SQL-057: the latest query is the owner’s own; a tab never shows queries of other users', async () => {
    await addRun('t-own', 'admin', { results_key: 'key-1' })
    await addRun('t-their', 'sqllab')
    const id = await create(ada)
    await put(ada, id, { latest_query_id: 't-own' })
    expect((await read(ada, id)).latest_query).toMatchObject({ id: 't-own', resultsKey: 'key-1', state: 'success' })
    await put(ada, id, { latest_query_id: 't-their' })
    expect((await read(ada, id)).latest_query).toBeNull()
  })

  it('API-018: assigns a query of the browser to a tab on the server', async () => {
    await addRun('m-1', 'admin', { sql_editor_id: 'abc' })
    await addRun('m-2', 'sqllab', { sql_editor_id: 'abc' })
    const id = await create(ada)
    for (const queryId of ['m-1', 'm-2']) {
      const response = await ada.send('POST', `/tabstateview/${id}/migrate_query`, await multipart({ queryId }))
      expect([response.statusCode, response.json()]).toEqual([200, id])
    }
    const editorOf = async (clientId: string) =>
      (
        await server.deps.db
          .selectFrom('query')
          .select('sql_editor_id')
          .where('client_id', '=', clientId)
          .executeTakeFirst()
      )?.sql_editor_id
    expect([await editorOf('m-1'), await editorOf('m-2')]).toEqual([String(id), 'abc'])
  })

  it('API-017: the newest query of the tab takes the place of a removed one', async () => {
    const id = await create(ada)
    for (const n of [0, 1, 2]) await addRun(`d-${n}`, 'admin', { sql_editor_id: String(id) })
    await addRun('d-run', 'admin', { sql_editor_id: String(id), status: 'running' })
    await addRun('d-their', 'sqllab')
    await put(ada, id, { latest_query_id: 'd-2' })
    expect((await ada.delete(`/tabstateview/${id}/query/d-run`)).statusCode).toBe(422)
    await server.deps.db.deleteFrom('query').where('client_id', '=', 'd-run').execute()
    expect((await ada.delete(`/tabstateview/${id}/query/d-2`)).json()).toBe('OK')
    expect((await read(ada, id)).latest_query).toMatchObject({ id: 'd-1' })
    for (const n of [0, 1]) expect((await ada.delete(`/tabstateview/${id}/query/d-${n}`)).statusCode).toBe(200)
    expect((await read(ada, id)).latest_query).toBeNull()
    expect((await ada.delete(`/tabstateview/${id}/query/d-their`)).statusCode).toBe(200)
    expect(
      await server.deps.db.selectFrom('query').select('id').where('client_id', '=', 'd-their').execute(),
    ).toHaveLength(1)
  })

  it('API-019, API-020, API-021, SQL-045: stores a table panel completely, once per table, and opens, closes and removes it', async () => {
    const id = await create(ada)
    const table = {
      queryEditorId: String(id),
      dbId: database,
      schema: 'main',
      name: 'cars',
      columns: [{ name: 'a', keys: [] }],
      selectStar: 'SELECT *',
      dataPreviewQueryId: 'p',
      __proto__x: 1,
    }
    const post = async (body: object) =>
      (await ada.send('POST', '/tableschemaview/', await multipart({ table: body }))).json<{ id: number }>().id
    const first = await post(table)
    const panel = await post({ ...table, columns: [] })
    await post({ ...table, schema: null })
    expect(panel).not.toBe(first)
    const { table_schemas } = await read(ada, id)
    expect(table_schemas).toHaveLength(2)
    expect(table_schemas[1]).toEqual({
      id: panel,
      tab_state_id: id,
      database_id: database,
      catalog: null,
      schema: 'main',
      table: 'cars',
      description: { ...table, columns: [] },
      expanded: true,
    })
    const closed = await ada.send('POST', `/tableschemaview/${panel}/expanded`, urlencoded({ expanded: false }))
    expect(closed.json()).toEqual({ id: panel, expanded: false })
    expect((await read(ada, id)).table_schemas[1]?.expanded).toBe(false)
    expect((await ada.delete(`/tableschemaview/${panel}`)).json()).toBe('OK')
    expect((await read(ada, id)).table_schemas).toHaveLength(1)
  })

  it('stores a text of a megabyte completely, and rejects a larger form before reading it', async () => {
    const id = await create(ada)
    const sql = `SELECT 1 -- ${'x'.repeat(1 << 20)}`
    expect((await ada.send('PUT', `/tabstateview/${id}`, await multipart({ sql }))).statusCode).toBe(200)
    expect((await read(ada, id)).sql).toBe(sql)
    const large = await ada.send('PUT', `/tabstateview/${id}`, await multipart({ sql: 'x'.repeat(5 << 20) }))
    expect(large.statusCode).toBe(413)
    expect((await read(ada, id)).sql).toBe(sql)
  })

  it('reads other bodies as far as they can be a form, and rejects them otherwise', async () => {
    const id = await create(ada)
    expect((await ada.put(`/tabstateview/${id}`, { sql: '"SELECT 9"', label: 5 })).statusCode).toBe(200)
    expect(await read(ada, id)).toMatchObject({ sql: 'SELECT 9', label: 'T1' })
    expect((await ada.put(`/tabstateview/${id}`, [])).statusCode).toBe(200)
    expect((await ada.post('/tabstateview/', { queryEditor: {} })).statusCode).toBe(400)
    const odd = { payload: '--x\r\nnonsense', headers: { 'content-type': 'multipart/form-data; boundary=x' } }
    expect((await ada.send('PUT', `/tabstateview/${id}`, odd)).statusCode).toBe(400)
    const plain = { payload: 'sql=1', headers: { 'content-type': 'text/plain' } }
    expect((await ada.send('PUT', `/tabstateview/${id}`, plain)).statusCode).toBe(415)
    expect((await ada.get('/tabstateview/abc')).statusCode).toBe(404)
  })

  it('a cookie without its CSRF token changes nothing', async () => {
    const id = await create(ada)
    const response = await ada.send('PUT', `/tabstateview/${id}`, {
      ...urlencoded({ sql: 'x' }),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-csrftoken': 'wrong' },
    })
    expect(response.statusCode).toBe(400)
    expect((await read(ada, id)).sql).toBe('SELECT 1')
  })
})

it('PERM-027, API-011, SQL-066: without SQLLAB_BACKEND_PERSISTENCE there are no tabs on the server', async () => {
  const plain = await startTestServer()
  const without = await startTestServer({
    settings: { flags: { ...plain.deps.settings.flags, SQLLAB_BACKEND_PERSISTENCE: false } },
  })
  expect(plain.deps.settings.flags['SQLLAB_BACKEND_PERSISTENCE']).toBe(true)
  expect((await plain.as('admin').get('/tabstateview/1')).statusCode).toBe(403)
  expect((await without.as('admin').get('/tabstateview/1')).statusCode).toBe(404)
  await plain.close()
  await without.close()
})
