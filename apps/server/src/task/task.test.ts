import type { QueryView, Task, TaskStatus } from '@parquetry/model'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Job } from '../jobs/job-queue.ts'
import { StoreQueue } from '../jobs/store-queue.ts'
import { newId, startTestLab, type TestLab } from '../sqllab/testing.ts'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'

const path = '/api/v1/task/'
const json = { 'content-type': 'application/json' }

interface TaskList {
  count: number
  result: Task[]
}

describe.each(testStores)('tasks on %s', (_name, store) => {
  let server: TestServer
  const ids: Record<'first' | 'second' | 'foreign' | 'running', string> = {
    first: '',
    second: '',
    foreign: '',
    running: '',
  }
  const userIds: Record<string, number> = {}
  /** Ends when it is stopped. */
  const wait = ({ signal }: Job) =>
    new Promise<null>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

  beforeAll(async () => {
    server = await startTestServer({ store })
    const { db, jobs } = server.deps
    for (const { id, username } of await db.selectFrom('user').select(['id', 'username']).execute())
      userIds[username] = id
    jobs.handle('add', { run: async () => 'sum', ended: () => {} })
    jobs.handle('fail', {
      run: () => Promise.reject(new TypeError('x is undefined')),
      ended: () => {},
    })
    jobs.handle('wait', {
      run: wait,
      ended: () => {},
      timeoutSeconds: 60,
      readProgress: async (all) => all.map(() => 25),
    })
    ids.first = await jobs.add('add', { a: [1, null] }, userIds['gamma']!, { name: 'Sum' })
    await vi.waitFor(async () => expect(await statusOf(ids.first)).toBe('success'))
    ids.second = await jobs.add('fail', {}, userIds['gamma']!)
    await vi.waitFor(async () => expect(await statusOf(ids.second)).toBe('failure'))
    ids.foreign = await jobs.add('add', { secret: 'zqx' }, userIds['alpha']!, { name: 'Zqx' })
    await vi.waitFor(async () => expect(await statusOf(ids.foreign)).toBe('success'))
    ids.running = await jobs.add('wait', {}, userIds['gamma']!)
    await vi.waitFor(async () => expect(await statusOf(ids.running)).toBe('in_progress'))
  }, 60_000)
  afterAll(() => server.close())

  const get = async <T = TaskList>(rest: string, user: TestUser = 'gamma') =>
    (await server.as(user).get(`${path}${rest}`)).json<T>()
  const statusOf = async (id: string) => (await get<{ status: TaskStatus }>(`${id}/status`, 'admin')).status
  const uuidsOf = async (q: string, user: TestUser = 'gamma') =>
    (await get(`?q=${q}`, user)).result.map(({ uuid }) => uuid)

  it('have the fields and statuses of the API', async () => {
    expect((await get<{ result: Task }>(ids.first)).result).toEqual({
      id: expect.any(Number) as number,
      uuid: ids.first,
      task_key: ids.first,
      dedup_key: ids.first,
      task_type: 'add',
      task_name: 'Sum',
      status: 'success',
      scope: 'private',
      created_on: expect.any(String) as string,
      created_on_delta_humanized: expect.any(String) as string,
      changed_on: expect.any(String) as string,
      changed_by: null,
      started_at: expect.any(String) as string,
      ended_at: expect.any(String) as string,
      created_by: { id: userIds['gamma'], first_name: 'gamma', last_name: '' },
      user_id: userIds['gamma'],
      payload: { a: [1, null] },
      properties: {
        is_abortable: false,
        progress_percent: 1,
        progress_current: null,
        progress_total: null,
        error_message: null,
        timeout: null,
      },
      duration_seconds: expect.any(Number) as number,
      subscriber_count: 1,
      subscribers: [
        {
          user_id: userIds['gamma'],
          first_name: 'gamma',
          last_name: '',
          subscribed_at: expect.any(String) as string,
        },
      ],
      depends_on: [],
      dependents: [],
    })
    expect((await get<{ result: Task }>(ids.running)).result).toMatchObject({
      task_name: null,
      status: 'in_progress',
      ended_at: null,
      properties: { is_abortable: true, progress_percent: 0.25, timeout: 60 },
    })
    const columns = '?q=(columns:!(depends_on,dependents,created_by.first_name))'
    expect((await get<{ result: Task }>(`${ids.first}${columns}`)).result).toEqual({
      depends_on: [],
      dependents: [],
      created_by: { first_name: 'gamma' },
    })
  })

  it('give the reason of a failure without details of the code', async () => {
    const { result } = await get<{ result: Task }>(ids.second)
    expect(result).toMatchObject({ status: 'failure', properties: { is_abortable: false, progress_percent: null } })
    expect(result.properties.error_message).toMatch(/\w+/)
    expect(JSON.stringify(result)).not.toMatch(/undefined|TypeError|stack|\.ts:/)
  })

  it('are seen by those who started them and by administrators; for others they do not exist', async () => {
    expect(await uuidsOf('()')).toEqual([ids.running, ids.second, ids.first])
    expect(await uuidsOf('()', 'alpha')).toEqual([ids.foreign])
    expect(await uuidsOf('()', 'admin')).toEqual([ids.running, ids.foreign, ids.second, ids.first])
    for (const rest of [ids.foreign, `${ids.foreign}/status`])
      expect((await server.as('gamma').get(`${path}${rest}`)).statusCode).toBe(404)
    expect((await server.as('gamma').post(`${path}${ids.foreign}/cancel`)).statusCode).toBe(404)
    expect((await server.as('alpha').post(`${path}${ids.running}/cancel`)).statusCode).toBe(404)
    expect((await server.as('nobody').get(path)).statusCode).toBe(401)
    expect(await statusOf(ids.running)).toBe('in_progress')
  })

  it('are not found by a text that is not a UUID', async () => {
    for (const id of ['nope', '1.5', '00000000-0000-0000-0000-000000000000', '%00', '999999999999999999'])
      for (const rest of ['', '/status']) {
        const response = await server.as('admin').get(`${path}${id}${rest}`)
        expect([id, response.statusCode]).toEqual([id, 404])
      }
    expect((await server.as('admin').post(`${path}nope/cancel`)).statusCode).toBe(404)
  })

  it('are filtered, ordered and paged', async () => {
    const all = [ids.running, ids.second, ids.first]
    const filter = (col: string, opr: string, value: string | number) =>
      uuidsOf(`(filters:!((col:${col},opr:${opr},value:${value})))`)
    expect(await filter('status', 'eq', 'failure')).toEqual([ids.second])
    expect(await filter('task_type', 'eq', 'wait')).toEqual([ids.running])
    expect(await filter('task_key', 'eq', `'${ids.first}'`)).toEqual([ids.first])
    expect(await filter('task_name', 'ct', 'sUm')).toEqual([ids.first])
    expect(await filter('scope', 'eq', 'private')).toEqual(all)
    expect(await filter('scope', 'eq', 'shared')).toEqual([])
    expect(await filter('created_by', 'rel_o_m', userIds['alpha']!)).toEqual([])
    expect(await filter('created_on', 'gt', "'2001-01-01'")).toEqual(all)
    expect(await filter('created_on', 'lt', "'2001-01-01'")).toEqual([])
    expect(await filter('id', 'gt', 0)).toEqual(all)
    for (const column of ['scope', 'created_on', 'changed_on', 'started_at'])
      expect(await uuidsOf(`(order_column:${column},order_direction:asc)`)).toEqual(all.toReversed())
    expect(await uuidsOf('(order_column:task_type,order_direction:desc)')).toEqual(all)
    expect(await uuidsOf('(order_column:status,order_direction:desc)')).toEqual([ids.first, ids.running, ids.second])
    expect(await uuidsOf('(page:1,page_size:2)')).toEqual([ids.first])
    expect(await get('?q=(page_size:1)')).toMatchObject({ count: 3, result: [{ uuid: ids.running }] })
    for (const q of ['(order_column:payload)', '(filters:!((col:payload,opr:eq,value:a)))'])
      expect((await server.as('gamma').get(`${path}?q=${q}`)).statusCode).toBe(400)
  })

  it('have filters, related users and types', async () => {
    expect(await get<object>('_info')).toMatchObject({
      permissions: expect.arrayContaining(['can_read', 'can_write']) as string[],
      filters: { status: expect.any(Array) as object[] },
    })
    const gamma = { value: userIds['gamma'], text: expect.stringContaining('gamma') as string }
    const alpha = { value: userIds['alpha'], text: expect.stringContaining('alpha') as string }
    expect(await get<object>('related/subscribers')).toMatchObject({ count: 1, result: [gamma] })
    expect(await get<object>('related/subscribers', 'admin')).toMatchObject({ count: 2, result: [alpha, gamma] })
    expect(await get<object>('related/subscribers?q=alp', 'admin')).toMatchObject({ count: 1, result: [alpha] })
    expect(await get<object>('related/subscribers?q=alp')).toMatchObject({ count: 0, result: [] })
    expect((await get<{ count: number }>('related/created_by')).count).toBeGreaterThan(1)
    expect(await get<object>('distinct/task_type', 'alpha')).toMatchObject({ count: 1, result: [{ value: 'add' }] })
    for (const rest of ['related/nope', 'distinct/status'])
      expect((await server.as('admin').get(`${path}${rest}`)).statusCode).toBe(404)
  })

  it('report the changes since a cursor', async () => {
    interface Changes {
      statuses: Record<string, { status: TaskStatus; progress: number | null }>
      cursor: string
    }
    const { cursor, statuses } = await get<Changes>('status_changes')
    expect([Object.keys(statuses), cursor.length > 0]).toEqual([[], true])
    const since = (at: string, rest = '', user: TestUser = 'gamma') =>
      get<Changes>(`status_changes?cursor=${at}${rest}`, user)
    const old = '2001-01-01T00:00:00.000'
    const running = { [ids.running]: { status: 'in_progress', progress: 0.25 } }
    expect((await since(old)).statuses).toEqual({
      ...running,
      [ids.first]: { status: 'success', progress: 1 },
      [ids.second]: { status: 'failure', progress: null },
    })
    expect(Object.keys((await since(old, '', 'alpha')).statuses)).toEqual([ids.foreign])
    expect((await since(old, '&task_type=wait')).statuses).toEqual(running)
    // Work that goes on is always reported, because its progress changes.
    expect((await since('9999-01-01T00:00:00.000')).statuses).toEqual(running)
    expect((await since(old)).cursor >= cursor).toBe(true)
    for (const bad of ['', 'x', '2001-13-01T00:00:00.000', '-1'])
      expect((await server.as('gamma').get(`${path}status_changes?cursor=${bad}`)).statusCode).toBe(400)
  })

  it('are canceled by their user while they have not ended', async () => {
    const { jobs } = server.deps
    const gamma = server.as('gamma')
    const id = await jobs.add('wait', {}, userIds['gamma']!)
    await expect.poll(() => statusOf(id)).toBe('in_progress')
    for (const body of ['{"force":1}', '{"other":true}', '[]', 'x'])
      expect((await gamma.send('POST', `${path}${id}/cancel`, { payload: body, headers: json })).statusCode).toBe(400)
    expect((await gamma.post(`${path}${id}/cancel`, { force: true })).statusCode).toBe(403)
    expect(await statusOf(id)).toBe('in_progress')
    const response = await gamma.post(`${path}${id}/cancel`, { force: false })
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        message: 'Task cancelled',
        action: 'aborted',
        task: expect.objectContaining({
          uuid: id,
          status: expect.stringMatching(/^abort(ing|ed)$/) as string,
          changed_by: expect.objectContaining({ id: userIds['gamma'] }) as object,
        }) as object,
      },
    ])
    await expect.poll(() => statusOf(id)).toBe('aborted')
    for (const ended of [id, ids.first, ids.second])
      expect((await gamma.post(`${path}${ended}/cancel`)).statusCode).toBe(422)
    expect(await statusOf(ids.first)).toBe('success')
  })

  it('of others are canceled by administrators, also without a body', async () => {
    const id = await server.deps.jobs.add('wait', {}, userIds['gamma']!)
    await expect.poll(() => statusOf(id)).toBe('in_progress')
    const response = await server.as('admin').send('POST', `${path}${id}/cancel`)
    expect(response.json()).toMatchObject({ task: { changed_by: { id: userIds['admin'] }, user_id: userIds['gamma'] } })
    await expect.poll(() => statusOf(id)).toBe('aborted')
  })

  it('that another server runs are canceled there', async () => {
    const other = new StoreQueue({ ...server.deps, server: 'another' })
    other.handle('wait', { run: wait, ended: () => {} })
    const id = await other.add('wait', {}, userIds['gamma']!)
    await expect.poll(() => statusOf(id)).toBe('in_progress')
    expect((await server.as('gamma').post(`${path}${id}/cancel`)).json()).toMatchObject({
      task: { status: 'aborting' },
    })
    expect((await server.as('gamma').post(`${path}${id}/cancel`)).statusCode).toBe(200)
    await expect.poll(() => statusOf(id)).toBe('aborted')
    await other.close()
  })

  it('that were canceled on a server that then crashed are aborted', async () => {
    const dead = new StoreQueue({ ...server.deps, server: 'dead' })
    // Work that does not notice that it is stopped.
    dead.handle('wait', { run: () => new Promise(() => {}), ended: () => {} })
    const id = await dead.add('wait', {}, userIds['gamma']!)
    await expect.poll(() => statusOf(id)).toBe('in_progress')
    await server.as('gamma').post(`${path}${id}/cancel`)
    await server.deps.jobs.recover('dead')
    expect(await statusOf(id)).toBe('aborted')
  })
})

it('tasks do not exist without the flag', async () => {
  const server = await startTestServer({ settings: { flags: { GLOBAL_TASK_FRAMEWORK: false } } })
  try {
    const id = await server.deps.jobs.add.call(server.deps.jobs, 'sqllab.run', { queryId: 1 }, 1)
    for (const rest of ['', '_info', id, `${id}/status`, 'status_changes', 'related/subscribers', 'distinct/task_type'])
      expect([rest, (await server.as('admin').get(`${path}${rest}`)).statusCode]).toEqual([rest, 404])
    expect((await server.as('admin').post(`${path}${id}/cancel`)).statusCode).toBe(404)
  } finally {
    await server.close()
  }
})

describe('tasks of queries', () => {
  let lab: TestLab
  beforeAll(async () => {
    lab = await startTestLab()
  }, 60_000)
  afterAll(() => lab.close())

  const find = async (filter: string) =>
    (await lab.server.as('admin').get(`${path}?q=(filters:!(${filter}),page_size:1)`)).json<TaskList>().result[0]
  const cancel = (task: Task | undefined) => lab.server.as('admin').post(`${path}${task?.uuid}/cancel`)
  const begin = async (sql: string, database_id: number): Promise<Task> => {
    const tab = newId()
    const response = await lab.run(sql, { database_id, client_id: tab, tab, runAsync: true })
    expect([response.statusCode, response.json<{ query: QueryView }>().query]).toMatchObject([202, { id: tab }])
    await lab.until(tab, 'running')
    return (await find(`(col:task_name,opr:eq,value:${tab})`)) as Task
  }
  const readTask = async ({ uuid }: Task) =>
    (await lab.server.as('admin').get(`${path}${uuid}`)).json<{ result: Task }>().result

  /** Takes about a minute in DuckDB. */
  const slow = 'SELECT count(*) AS n FROM range(100000000) a, range(1000000) b WHERE a.range + b.range = -1'

  it('cancelling the task of a query stops it in DuckDB', async () => {
    const task = await begin(slow, lab.files)
    expect(task).toMatchObject({
      task_type: 'sqllab.run',
      payload: { request: { sql: slow } },
      properties: { progress_percent: 0, is_abortable: true, timeout: 900 },
    })
    await expect.poll(() => lab.runners.stats().running).toBe(1)
    expect((await cancel(task)).statusCode).toBe(200)
    await expect.poll(() => lab.runners.stats().running).toBe(0)
    expect(await lab.until(task.task_name!, 'stopped')).toMatchObject({ errorMessage: 'Query was stopped.' })
    await expect.poll(() => readTask(task)).toMatchObject({ status: 'aborted', properties: { error_message: null } })
  })

  it('a query that is stopped in SQL Lab or fails shows it in its task', async () => {
    const stopped = await begin(slow, lab.files)
    await lab.server.as('admin').post('/api/v1/query/stop', { client_id: stopped.task_name })
    await expect.poll(() => readTask(stopped)).toMatchObject({ status: 'aborted' })
    const tab = newId()
    await lab.run('SELECT nope', { client_id: tab, tab, runAsync: true })
    await lab.until(tab, 'failed')
    await expect
      .poll(() => find(`(col:task_name,opr:eq,value:${tab})`))
      .toMatchObject({ status: 'failure', properties: { error_message: expect.stringContaining('nope') as string } })
  })

  it('a query that exceeds its time limit has timed out', async () => {
    const { config } = lab.server.deps.settings
    const limit = config.SQLLAB_ASYNC_TIME_LIMIT_SEC
    config.SQLLAB_ASYNC_TIME_LIMIT_SEC = 1
    try {
      const task = await begin(slow, lab.files)
      await expect.poll(() => readTask(task), { timeout: 15_000 }).toMatchObject({ status: 'timed_out' })
    } finally {
      config.SQLLAB_ASYNC_TIME_LIMIT_SEC = limit
    }
  })

  it('cancelling the task of a chart stops its query', async () => {
    const { flags } = lab.server.deps.settings
    const body = { database: lab.files, table_name: 'slow', schema: 'main', sql: slow }
    const { id } = (await lab.server.as('admin').post('/api/v1/dataset/', body)).json<{ id: number }>()
    flags['GLOBAL_ASYNC_QUERIES'] = true
    try {
      const query = { datasource: { id, type: 'table' }, queries: [{ columns: ['n'], row_limit: 10 }] }
      const { job_id } = (await lab.server.as('admin').post('/api/v1/chart/data', query)).json<{ job_id: string }>()
      await expect.poll(() => lab.runners.stats().running).toBe(1)
      const task = await find("(col:task_type,opr:eq,value:'chart.data')")
      expect(task?.uuid).toBe(job_id)
      expect((await cancel(task)).statusCode).toBe(200)
      await expect.poll(() => lab.runners.stats().running).toBe(0)
      await expect.poll(() => readTask(task!)).toMatchObject({ status: 'aborted' })
      const events = (await lab.server.as('admin').get('/api/v1/async_event/')).json<{ result: object[] }>().result
      expect(events).toContainEqual(expect.objectContaining({ job_id, status: 'error' }))
    } finally {
      flags['GLOBAL_ASYNC_QUERIES'] = false
    }
  })

  const postgres = process.env['PARQUETRY_TEST_POSTGRES']
  if (postgres)
    it('cancelling the task of a query stops it in PostgreSQL', async () => {
      const mark = newId()
      const database = await lab.connect({
        sqlalchemy_uri: `${postgres}?application_name=${mark}`,
        database_name: 'PostgreSQL',
        allow_run_async: true,
      })
      const client = new pg.Client(postgres)
      await client.connect()
      const countRunning = async () =>
        (await client.query(`select 1 from pg_stat_activity where state = 'active' and application_name = $1`, [mark]))
          .rowCount
      try {
        const task = await begin(
          'SELECT count(*) AS n FROM generate_series(1, 100000) a, generate_series(1, 100000) b WHERE a + b = -1',
          database,
        )
        await expect.poll(countRunning, { timeout: 15_000 }).toBe(1)
        expect((await cancel(task)).statusCode).toBe(200)
        await expect.poll(countRunning, { timeout: 15_000 }).toBe(0)
        await expect.poll(() => readTask(task)).toMatchObject({ status: 'aborted' })
      } finally {
        await client.end()
      }
    })
})
