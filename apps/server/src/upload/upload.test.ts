import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FilePreview, UploadedTable, UploadState } from '@parquetry/model'
import { previewTextFile } from '@parquetry/model/table-file/guess'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { defaultConfig } from '../settings/config.ts'
import { startTestServer, type TestServer, testStores, type TestUser } from '../testing.ts'
import { removeLeftovers } from './leftovers.ts'

const spillFolder = mkdtempSync(join(tmpdir(), 'parquetry-spill-'))
let runners: Runners
beforeAll(() => {
  runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 512, spillFolder, cores: 2 })
})
afterAll(async () => {
  await runners.close(0)
  rmSync(spillFolder, { recursive: true, force: true })
})

const orders = 'order_date,region,revenue\n2024-01-31,North,12.5\n2024-02-01,South,7\n2024-02-02,North,8.25\n'

describe.each(testStores)('uploads on %s', (_name, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store, runners })
  })
  afterAll(() => server.close())

  const begin = (user: TestUser | 'nobody', file_name: string, size: number) =>
    server.as(user).post('/api/v1/upload/', { file_name, size })
  const put = (user: TestUser, id: string, offset: number, payload: string) =>
    server.as(user).send('PUT', `/api/v1/upload/${id}?offset=${offset}`, {
      payload,
      headers: { 'content-type': 'application/octet-stream' },
    })
  async function sendFile(user: TestUser, name: string, text: string): Promise<string> {
    const { id } = (await begin(user, name, Buffer.byteLength(text))).json<UploadState>()
    expect((await put(user, id, 0, text)).statusCode).toBe(200)
    return id
  }
  const lookAt = (text: string): FilePreview => {
    const look = previewTextFile(Buffer.from(text), { format: 'csv', isWhole: true })
    if (!look) throw new Error('no table')
    return look
  }
  const loadBody = (text: string, table_name: string, more: object = {}) => {
    const { style, width, columns } = lookAt(text)
    const consent = { values: [], lines: false }
    return { table_name, database: null, already_exists: 'fail', style, width, columns, consent, ...more }
  }
  async function waitForEnd(user: TestUser, id: string): Promise<UploadState> {
    for (;;) {
      const state = (await server.as(user).get(`/api/v1/upload/${id}`)).json<UploadState>()
      if (state.state !== 'loading') return state
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  async function uploadTable(
    user: TestUser,
    text: string,
    table_name: string,
    more: object = {},
  ): Promise<UploadState> {
    const id = await sendFile(user, 'orders.csv', text)
    const response = await server.as(user).post(`/api/v1/upload/${id}/load`, loadBody(text, table_name, more))
    if (response.statusCode !== 202) throw new Error(`${response.statusCode} ${response.body}`)
    return waitForEnd(user, id)
  }
  const rows = async (user: TestUser, dataset: number, columns: string[]) => {
    const response = await server.as(user).post('/api/v1/chart/data', {
      datasource: { id: dataset, type: 'table' },
      queries: [{ columns, metrics: [], row_limit: 100 }],
    })
    return response.json<{ result: [{ data: unknown[] }] }>().result[0].data
  }
  const tableFiles = () =>
    readdirSync(join(server.home, 'data'), { recursive: true }).filter((name) => String(name).endsWith('.duckdb'))

  it('a file sent in two parts becomes a table and a dataset owned by its sender', async () => {
    const { id } = (await begin('alpha', 'orders.csv', orders.length)).json<UploadState>()
    expect((await put('alpha', id, 0, orders.slice(0, 20))).json()).toMatchObject({ state: 'receiving', received: 20 })
    const wrong = await put('alpha', id, 10, orders.slice(10))
    expect(wrong.statusCode).toBe(409)
    expect((await put('alpha', id, 20, orders.slice(20))).json()).toMatchObject({ state: 'received' })
    const looked = await server.as('alpha').post(`/api/v1/upload/${id}/look`, {})
    expect(looked.json()).toEqual(lookAt(orders))
    const load = await server.as('alpha').post(`/api/v1/upload/${id}/load`, loadBody(orders, 'orders'))
    expect(load.statusCode).toBe(202)
    const state = await waitForEnd('alpha', id)
    expect(state).toMatchObject({ state: 'ready', error: null, result: { rows: 3, bad: [] } })
    const dataset = (await server.as('alpha').get(`/api/v1/dataset/${state.dataset_id}`)).json().result
    expect(dataset).toMatchObject({
      table_name: 'orders',
      schema: 'main',
      main_dttm_col: 'order_date',
      filter_select_enabled: true,
    })
    expect(dataset.owners.map((owner: { username?: string; first_name: string }) => owner.first_name)).toHaveLength(1)
    expect(dataset.database.database_name).toBe('Uploads')
    expect(await rows('alpha', state.dataset_id ?? 0, ['region'])).toHaveLength(2)
    const tables = await server.as('alpha').get(`/api/v1/database/${state.database_id}/tables/?q=(schema_name:main)`)
    expect(tables.json().result.map(({ value }: { value: string }) => value)).toContain('orders')
  })

  it('regression: the list of datasets shows which table lost its file, without a query', async () => {
    const { dataset_id } = await uploadTable('alpha', orders, 'lost')
    const listDatasets = async () => {
      const q = `(columns:!(id,is_damaged),filters:!((col:id,opr:eq,value:${dataset_id})))`
      return (await server.as('alpha').get(`/api/v1/dataset/?q=${q}`)).json<{ result: object[] }>().result
    }
    expect(await listDatasets()).toEqual([{ id: dataset_id, is_damaged: false }])
    const { uuid, file } = await server.deps.db
      .selectFrom('embedded_table')
      .innerJoin('database', 'database.id', 'embedded_table.database_id')
      .select(['uuid', 'file'])
      .where('name', '=', 'lost')
      .executeTakeFirstOrThrow()
    rmSync(join(server.home, 'data', uuid, file))
    expect(await listDatasets()).toEqual([{ id: dataset_id, is_damaged: true }])
  })

  it('regression: reports a full disk as the reason of a failed load', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' })
    vi.spyOn(runners, 'loadFile').mockRejectedValueOnce(full)
    expect(await uploadTable('alpha', orders, 'no_room')).toMatchObject({
      state: 'failed',
      error: "The server's disk is full. Nothing was saved.",
    })
  })

  it('LIST-025: users without the permission cannot add files, and no user can view or continue uploads of others', async () => {
    expect((await begin('nobody', 'a.csv', 1)).statusCode).toBe(401)
    expect((await begin('gamma', 'a.csv', 1)).statusCode).toBe(403)
    expect((await begin('publicuser', 'a.csv', 1)).statusCode).toBe(403)
    expect((await server.as('gamma').get('/api/v1/upload/targets/')).statusCode).toBe(403)
    const id = await sendFile('alpha', 'a.csv', orders)
    for (const response of [
      await server.as('admin').get(`/api/v1/upload/${id}`),
      await server.as('admin').post(`/api/v1/upload/${id}/load`, loadBody(orders, 'stolen')),
      await server.as('admin').delete(`/api/v1/upload/${id}`),
      await put('admin', id, 0, 'x'),
    ])
      expect(response.statusCode).toBe(404)
  })

  it('LIST-024: replaces an existing table only after the confirmation text was typed, and only for an owner', async () => {
    const first = await uploadTable('alpha', orders, 'sales')
    const id = await sendFile('alpha', 'orders.csv', orders)
    const refused = await server.as('alpha').post(`/api/v1/upload/${id}/load`, loadBody(orders, 'Sales'))
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('already exists')
    const replace = { already_exists: 'replace' }
    const untyped = await server.as('alpha').post(`/api/v1/upload/${id}/load`, loadBody(orders, 'sales', replace))
    expect(untyped.statusCode).toBe(422)
    expect(untyped.body).toContain('OVERWRITE')

    const others = 'region,total\nWest,1\n'
    const typed = { ...replace, overwrite: 'OVERWRITE' }
    const after = await uploadTable('alpha', others, 'sales', typed)
    expect(after).toMatchObject({ state: 'ready', dataset_id: first.dataset_id })
    expect(await rows('alpha', first.dataset_id ?? 0, ['region'])).toEqual([{ region: 'West' }])
    expect(await uploadTable('alpha', 'region,total\nEast,2\n', 'sales', { already_exists: 'append' })).toMatchObject({
      state: 'ready',
    })
    expect(await rows('alpha', first.dataset_id ?? 0, ['region', 'total'])).toEqual([
      { region: 'West', total: 1 },
      { region: 'East', total: 2 },
    ])
  })

  it('does not replace a table of another user, and reports it', async () => {
    await uploadTable('admin', orders, 'mine')
    const state = await uploadTable('alpha', orders, 'mine', { already_exists: 'replace', overwrite: 'OVERWRITE' })
    expect(state).toMatchObject({ state: 'failed', error: expect.stringContaining('another user') as string })
    const taken = await server.as('alpha').get('/api/v1/upload/taken/?table_name=MINE')
    expect(taken.json()).toEqual({ taken: true, may_replace: false })
  })

  it('asks for consent with line and value, and loads the same file once it is given', async () => {
    const dirty = `n,v\n${Array.from({ length: 30 }, (_, index) => `${index},${index === 11 ? 'oops' : index}`).join('\n')}\n`
    const id = await sendFile('alpha', 'dirty.csv', dirty)
    const body = loadBody(dirty, 'dirty')
    const columns = body.columns.map(({ source, name }) => ({ source, name, type: 'integer', format: null }))
    await server.as('alpha').post(`/api/v1/upload/${id}/load`, { ...body, columns })
    const refused = await waitForEnd('alpha', id)
    expect(refused).toMatchObject({
      state: 'refused',
      result: {
        written: false,
        rows: 30,
        bad: [{ name: 'v', type: 'integer', count: 1 }],
        samples: [{ line: 13, column: 'v', value: 'oops' }],
      },
    })
    const consent = { values: ['v'], lines: false }
    await server.as('alpha').post(`/api/v1/upload/${id}/load`, { ...body, columns, consent })
    expect(await waitForEnd('alpha', id)).toMatchObject({ state: 'ready', result: { rows: 30 } })
  })

  it('two concurrent files for one name: the first one is loaded, the second one is rejected', async () => {
    const states = await Promise.all([uploadTable('alpha', orders, 'race'), uploadTable('alpha', orders, 'race')])
    expect(states.map(({ state }) => state).toSorted()).toEqual(['failed', 'ready'])
    expect(states.find(({ state }) => state === 'failed')?.error).toContain('already exists')
  })

  it('a canceled load leaves neither table nor file', async () => {
    const big = `a,b\n${Array.from({ length: 300_000 }, (_, index) => `${index},text ${index}`).join('\n')}\n`
    const before = tableFiles()
    const id = await sendFile('alpha', 'big.csv', big)
    await server.as('alpha').post(`/api/v1/upload/${id}/load`, loadBody(big.slice(0, 1000), 'cancelled'))
    expect((await server.as('alpha').delete(`/api/v1/upload/${id}`)).statusCode).toBe(200)
    expect((await server.as('alpha').get(`/api/v1/upload/${id}`)).statusCode).toBe(404)
    // The next load waits until the engine has finished the previous one.
    await uploadTable('alpha', orders, 'after_cancel')
    expect(tableFiles()).toHaveLength(before.length + 1)
    const { taken } = (await server.as('alpha').get('/api/v1/upload/taken/?table_name=cancelled')).json()
    expect(taken).toBe(false)
  })

  it('deletes what a killed server left behind, and keeps what tables use', async () => {
    const { database_id, dataset_id } = await uploadTable('alpha', orders, 'kept')
    const { uuid } = await server.deps.db
      .selectFrom('database')
      .select('uuid')
      .where('id', '=', database_id ?? 0)
      .executeTakeFirstOrThrow()
    const folder = join(server.home, 'data', uuid)
    const orphan = join(folder, `upload-${uuid}.duckdb`)
    const draft = join(folder, '.upload-x.duckdb.tmp')
    for (const path of [orphan, draft]) writeFileSync(path, 'half')
    await removeLeftovers(server.deps)
    expect([existsSync(orphan), existsSync(draft)]).toEqual([false, false])
    expect(await rows('alpha', dataset_id ?? 0, ['region'])).toHaveLength(2)
  })

  it('LIST-026: only databases that allow it accept files', async () => {
    const made = await server.deps.db
      .insertInto('database')
      .values({
        ...(await server.deps.db
          .selectFrom('database')
          .selectAll()
          .where('database_name', '=', 'Uploads')
          .executeTakeFirstOrThrow()),
        id: undefined,
        uuid: '00000000-0000-4000-8000-000000000001',
        database_name: 'Closed',
        allow_file_upload: 0,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const { result } = (await server.as('admin').get('/api/v1/upload/targets/')).json()
    expect(result.map(({ database_name }: { database_name: string }) => database_name)).toEqual(['Uploads'])
    const id = await sendFile('admin', 'a.csv', orders)
    const refused = await server
      .as('admin')
      .post(`/api/v1/upload/${id}/load`, loadBody(orders, 'x', { database: made.id }))
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('does not accept files')
  })

  it('grants permissions of later releases without announcing them', async () => {
    const { permissions } = (await server.as('alpha').get('/api/v1/database/_info?q=(keys:!(permissions))')).json()
    expect(permissions).toEqual(['can_read'])
  })

  it.each([
    ['old.xls', 415, '.xlsx'],
    ['page.html', 415, 'Only CSV'],
    ['../../etc/passwd', 415, 'Only CSV'],
  ])('rejects %s with a message that helps', async (name, status, words) => {
    const response = await begin('alpha', name, 10)
    expect(response.statusCode).toBe(status)
    expect(response.body).toContain(words)
  })

  it('counts the tables of a user, and refuses what exceeds the quota, also of concurrent loads', async () => {
    const { config } = server.deps.settings
    const sumUsedBytes = async () => {
      const { bytes } = await server.deps.db
        .selectFrom('embedded_table')
        .innerJoin('user', 'user.id', 'embedded_table.created_by_fk')
        .select((is) => is.fn.sum<number | null>('size').as('bytes'))
        .where('username', '=', 'alpha')
        .executeTakeFirstOrThrow()
      return Number(bytes ?? 0)
    }
    try {
      const before = await sumUsedBytes()
      expect((await uploadTable('alpha', orders, 'quota_1')).state).toBe('ready')
      const size = (await sumUsedBytes()) - before
      expect(size).toBeGreaterThan(0)
      config.UPLOAD_QUOTA_MB = ((await sumUsedBytes()) + 1.5 * size) / 2 ** 20
      const files = tableFiles().length
      const both = await Promise.all(['quota_2', 'quota_3'].map((name) => uploadTable('alpha', orders, name)))
      expect(both.map(({ state }) => state).toSorted()).toEqual(['failed', 'ready'])
      expect(both.find(({ state }) => state === 'failed')?.error).toMatch(
        /^With this table, your tables would use [\d.]+ MB of your [\d.]+ MB\. Remove tables .* raise UPLOAD_QUOTA_MB\.$/,
      )
      expect(tableFiles()).toHaveLength(files + 1)
      // A table that is replaced does not count twice.
      const replace = { already_exists: 'replace', overwrite: 'OVERWRITE' }
      expect((await uploadTable('alpha', orders, 'quota_1', replace)).state).toBe('ready')
      config.UPLOAD_QUOTA_MB = (await sumUsedBytes()) / 2 ** 20
      const full = await begin('alpha', 'orders.csv', 10)
      expect([full.statusCode, full.body]).toEqual([413, expect.stringContaining('Your tables use all of')])
      expect((await begin('admin', 'orders.csv', 10)).statusCode).toBe(201)
    } finally {
      config.UPLOAD_QUOTA_MB = defaultConfig.UPLOAD_QUOTA_MB
    }
  })

  it('reads the sizes of tables that were loaded before sizes were stored', async () => {
    const { dataset_id } = await uploadTable('alpha', orders, 'unsized')
    expect(dataset_id).not.toBeNull()
    const { db } = server.deps
    const sizeOf = () => db.selectFrom('embedded_table').select('size').where('name', '=', 'unsized').executeTakeFirst()
    const before = await sizeOf()
    await db.updateTable('embedded_table').set({ size: null }).where('name', '=', 'unsized').execute()
    await removeLeftovers(server.deps)
    expect(await sizeOf()).toEqual(before)
  })

  it('the owner renames and removes a table; its dataset and charts follow, and other users cannot', async () => {
    const { dataset_id, database_id } = await uploadTable('alpha', orders, 'first_name')
    await uploadTable('alpha', orders, 'other_table')
    const table = { database: database_id, table_name: 'First_Name' }
    const rename = (user: TestUser, new_name: string) =>
      server.as(user).put('/api/v1/upload/table/', { ...table, new_name })
    const remove = (user: TestUser, table_name: string) =>
      server.as(user).delete(`/api/v1/upload/table/?database=${database_id}&table_name=${table_name}`)
    const list = async (user: TestUser) => {
      const { result } = (await server.as(user).get('/api/v1/upload/tables/')).json<{ result: UploadedTable[] }>()
      return result.map(({ table_name }) => table_name)
    }
    expect(await list('alpha')).toContain('first_name')
    expect(await list('admin')).not.toContain('first_name')
    expect((await rename('gamma', 'stolen')).statusCode).toBe(403)
    const taken = await rename('alpha', 'OTHER_table')
    expect([taken.statusCode, taken.body]).toEqual([422, expect.stringContaining('already exists')])

    const { db } = server.deps
    await addRowLevelSecurityRule(db, dataset_id ?? 0, 'Gamma', '1 = 1')
    // A rule outlives the link to its dataset, and follows the table to its new name.
    await db
      .deleteFrom('row_rule_dataset')
      .where('dataset_id', '=', dataset_id ?? 0)
      .execute()

    expect((await rename('alpha', 'second name')).statusCode).toBe(200)
    const ruled = await db.selectFrom('row_rule_table').select('table_name').execute()
    expect(ruled.map(({ table_name }) => table_name)).toEqual(expect.arrayContaining(['first_name', 'second name']))
    const dataset = (await server.as('alpha').get(`/api/v1/dataset/${dataset_id}`)).json()
    expect(dataset.result.table_name).toBe('second name')
    expect(await rows('alpha', dataset_id ?? 0, ['region'])).toHaveLength(2)
    expect(await list('alpha')).not.toContain('first_name')

    const files = tableFiles().length
    expect((await remove('alpha', 'second%20name')).statusCode).toBe(200)
    expect(tableFiles()).toHaveLength(files - 1)
    expect(await list('alpha')).not.toContain('second name')
    expect((await server.as('alpha').get(`/api/v1/dataset/${dataset_id}`)).statusCode).toBe(404)
    expect((await remove('alpha', 'second%20name')).statusCode).toBe(404)
    await uploadTable('admin', orders, 'of_admin')
    expect((await remove('alpha', 'of_admin')).statusCode).toBe(403)
    expect((await uploadTable('alpha', orders, 'second name')).state).toBe('ready')
  })

  it('accepts no more bytes than the limit and than were announced', async () => {
    expect((await begin('alpha', 'huge.csv', 11_000 * 2 ** 20)).statusCode).toBe(413)
    const { id } = (await begin('alpha', 'small.csv', 4)).json<UploadState>()
    expect((await put('alpha', id, 0, 'a,b\n1,2\n')).statusCode).toBe(413)
  })

  it('names from a file or a user never become paths', async () => {
    const id = await sendFile('alpha', 'evil.csv', orders)
    const load = (name: string) => server.as('alpha').post(`/api/v1/upload/${id}/load`, loadBody(orders, name))
    for (const name of ['../../../tmp/evil', 'information_schema.tables', 'a\u202eb'])
      expect(await load(name)).toMatchObject({ statusCode: 422, body: expect.stringContaining('Table names have') })
    expect((await uploadTable('alpha', orders, '/tmp/evil')).state).toBe('ready')
    expect(tableFiles().every((file) => /upload-[0-9a-f-]{36}\.duckdb$/.test(String(file)))).toBe(true)
  })
})
