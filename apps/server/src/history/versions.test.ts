import { parseJsonObject, subjectId, type Difference, type Version } from '@parquetry/model'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grant, revoke } from '../security/grants.ts'
import { findUser } from '../security/users.ts'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'
import { type HistoryFixture, createHistoryFixture, resourcePath, readResult, readStatus } from './testing.ts'

describe.each(testStores)('versions, store on %s', (_name, store) => {
  let server: TestServer
  let alpha: Client
  let board: HistoryFixture
  beforeAll(async () => {
    server = await startTestServer({ store })
    alpha = server.as('alpha')
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    board = await createHistoryFixture(server, 'alpha')
  })

  const versions = (kind: keyof HistoryFixture, client = alpha) =>
    readResult<Version[]>(client.get(resourcePath(kind, board[kind], '/versions/')))
  const read = (kind: keyof HistoryFixture, client = alpha) =>
    readResult<Record<string, unknown>>(client.get(resourcePath(kind, board[kind])))
  const words = (differences: Difference[]) =>
    differences.map(({ how, of, what, name }) => [how, of, name ?? what].join(' '))

  it('state who changed what and when, newest first', async () => {
    await alpha.put(resourcePath('dashboard', board.dashboard), { dashboard_title: 'Sales 2026', css: 'b{}' })
    const [newest, first] = await versions('dashboard')
    expect(newest?.author).toMatchObject({ username: 'alpha' })
    expect(words(newest?.differences ?? [])).toEqual(['changed field dashboard_title', 'changed field css'])
    expect(newest?.differences[0]).toMatchObject({ before: 'Sales', after: 'Sales 2026' })
    expect(first?.differences).toEqual([])
    expect(newest?.n).toBeGreaterThan(first?.n ?? 0)
  })

  it('state changes of the theme, and of owners and viewers that are users, roles or groups', async () => {
    const admin = server.as('admin')
    const { id: theme_id } = (
      await admin.post('/api/v1/theme/', { theme_name: `theme ${board.dashboard}`, json_data: '{}' })
    ).json<{ id: number }>()
    const gamma = await findUser(server.deps.db, 'gamma')
    const role = await server.deps.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Gamma')
      .executeTakeFirstOrThrow()
    const alphaId = (await findUser(server.deps.db, 'alpha'))?.id ?? 0
    const editors = [subjectId('user', alphaId), subjectId('user', gamma?.id ?? 0)]
    await admin.put(resourcePath('dashboard', board.dashboard), { theme_id })
    await admin.put(resourcePath('dashboard', board.dashboard), { editors })
    await admin.put(resourcePath('dashboard', board.dashboard), { viewers: [subjectId('role', role.id)] })
    const told = (await versions('dashboard')).map(({ differences }) => words(differences))
    expect(told.slice(0, 3)).toEqual([['changed field viewers'], ['changed field editors'], ['changed field theme_id']])
    const admins = await server.deps.db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Admin')
      .executeTakeFirstOrThrow()
    for (const kind of ['chart', 'dataset'] as const) {
      await admin.put(resourcePath(kind, board[kind]), { editors: [...editors, subjectId('role', admins.id)] })
      expect(words((await versions(kind))[0]?.differences ?? []), kind).toEqual(['changed field editors'])
    }
  })

  it('of a dashboard restore layout, charts, settings and title as a new version, but not access', async () => {
    const before = await read('dashboard')
    const positions = parseJsonObject(before.position_json)
    const { 'CHART-1': _, ...rest } = positions
    const emptied = { ...rest, 'ROW-1': { ...parseJsonObject(rest['ROW-1']), children: [] } }
    await alpha.put(resourcePath('dashboard', board.dashboard), {
      dashboard_title: 'Broken',
      published: false,
      json_metadata: JSON.stringify({ color_scheme: 'googleCategory10c', positions: emptied }),
    })
    expect(await readResult<unknown[]>(alpha.get(resourcePath('dashboard', board.dashboard, '/charts')))).toEqual([])
    const [broken, first] = await versions('dashboard')
    expect(words(broken?.differences ?? [])).toEqual([
      'changed field dashboard_title',
      'changed field published',
      'removed node Revenue',
      'added setting color_scheme',
    ])
    const restored = await alpha.post(resourcePath('dashboard', board.dashboard, `/versions/${first?.n}/restore`), {})
    expect(restored.statusCode).toBe(200)
    const after = await read('dashboard')
    expect(parseJsonObject(after.position_json)).toEqual(positions)
    expect([after.dashboard_title, after.published]).toEqual(['Sales', false])
    expect(await readResult<unknown[]>(alpha.get(resourcePath('dashboard', board.dashboard, '/charts')))).toHaveLength(
      1,
    )
    expect((await versions('dashboard')).map(({ n }) => n)).toEqual([3, 2, 1].map((n) => n + (first?.n ?? 1) - 1))
  })

  it('of a chart and of a dataset can be restored too', async () => {
    await alpha.put(resourcePath('chart', board.chart), { slice_name: 'New', params: JSON.stringify({ row_limit: 5 }) })
    const [changed, made] = await versions('chart')
    expect(words(changed?.differences ?? [])).toContain('added control row_limit')
    await alpha.post(resourcePath('chart', board.chart, `/versions/${made?.n}/restore`), {})
    expect(await read('chart')).toMatchObject({
      slice_name: 'Revenue',
      params: JSON.stringify({ datasource: `${board.dataset}__table` }),
    })

    const { columns } = await read('dataset')
    const changedTo = { description: 'All orders', columns: [{ column_name: 'town', type: 'VARCHAR' }] }
    expect(await readStatus(alpha.put(resourcePath('dataset', board.dataset), changedTo))).toBe(200)
    const [dataset, first] = await versions('dataset')
    expect(words(dataset?.differences ?? [])).toEqual([
      'changed field description',
      'added column town',
      'removed column city',
    ])
    const response = await alpha.post(resourcePath('dataset', board.dataset, `/versions/${first?.n}/restore`), {})
    expect(response.statusCode, response.body).toBe(200)
    const after = await read('dataset')
    expect(after.description).toBeNull()
    const listColumnNames = (of: unknown) => (of as { column_name: string }[]).map(({ column_name }) => column_name)
    expect(listColumnNames(after.columns)).toEqual(listColumnNames(columns))
  })

  it('are restored only if the caller has seen the current state', async () => {
    const { changed_on } = await read('dashboard')
    await alpha.put(resourcePath('dashboard', board.dashboard), { dashboard_title: 'Newer' })
    const [, first] = await versions('dashboard')
    const path = resourcePath('dashboard', board.dashboard, `/versions/${first?.n}/restore`)
    expect(await readStatus(alpha.post(path, { changed_on }))).toBe(409)
    expect((await read('dashboard')).dashboard_title).toBe('Newer')
  })

  it.each(['dashboard', 'chart', 'dataset'] as const)(
    'of a %s are available only to users who may change it',
    async (kind) => {
      const [{ n } = { n: 1 }] = await versions(kind)
      for (const user of ['gamma', 'publicuser', 'nobody'] as const) {
        const client = server.as(user)
        for (const response of [
          await client.get(resourcePath(kind, board[kind], '/versions/')),
          await client.get(resourcePath(kind, board[kind], `/versions/${n}`)),
          await client.post(resourcePath(kind, board[kind], `/versions/${n}/restore`), {}),
        ]) {
          expect([401, 403, 404]).toContain(response.statusCode)
          expect(response.body).not.toMatch(/Revenue|Sales|orders_/)
        }
      }
      expect(await readStatus(server.as('admin').get(resourcePath(kind, board[kind], '/versions/')))).toBe(200)
      expect(await readStatus(alpha.get(resourcePath(kind, board[kind], '/versions/99')))).toBe(404)
    },
  )

  it('hostile: a viewer who may read a published dashboard and its data cannot read its history', async () => {
    const { view, name } = await server.deps.db
      .selectFrom('permission')
      .selectAll()
      .where('view', 'like', `%(id:${board.dataset})`)
      .executeTakeFirstOrThrow()
    await grant(server.deps.db, 'Gamma', [name, view])
    server.app.authenticator.forget()
    const gamma = server.as('gamma')
    expect(await readStatus(gamma.get(resourcePath('dashboard', board.dashboard)))).toBe(200)
    expect(await readStatus(gamma.get(resourcePath('dashboard', board.dashboard, '/versions/')))).toBe(403)
    await revoke(server.deps.db, 'Gamma', [name, view])
    server.app.authenticator.forget()
  })

  it('hostile: the new owner of a chart reads nothing from its previous dataset', async () => {
    const other = await createHistoryFixture(server, 'alpha', 'Other')
    const gammaId = (await findUser(server.deps.db, 'gamma'))?.id ?? 0
    const secret = { params: JSON.stringify({ groupby: ['salary'], adhoc_filters: [{ comparator: 'Smith' }] }) }
    await alpha.put(resourcePath('chart', board.chart), secret)
    await alpha.put(resourcePath('chart', board.chart), {
      datasource_id: other.dataset,
      datasource_type: 'table',
      params: '{}',
    })
    await server.as('admin').put(resourcePath('chart', board.chart), { owners: [gammaId] })
    const gamma = server.as('gamma')
    const response = await gamma.get(resourcePath('chart', board.chart, '/versions/'))
    expect(response.statusCode, response.body).toBe(200)
    const { result } = response.json<{ result: Version[] }>()
    expect(result.map(({ is_withheld }) => is_withheld)).toEqual([false, false, true, true])
    expect(response.body).not.toMatch(/salary|Smith|groupby|adhoc/)
    for (const { n } of result.filter(({ is_withheld }) => is_withheld)) {
      expect(await readStatus(gamma.get(resourcePath('chart', board.chart, `/versions/${n}`)))).toBe(404)
      expect(await readStatus(gamma.post(resourcePath('chart', board.chart, `/versions/${n}/restore`), {}))).toBe(404)
    }
  })

  it('hostile: names of charts once on a dashboard are shown only to users who may see the charts', async () => {
    await alpha.put(resourcePath('dashboard', board.dashboard), { json_metadata: JSON.stringify({ positions: {} }) })
    const gammaId = (await findUser(server.deps.db, 'gamma'))?.id ?? 0
    await server.as('admin').put(resourcePath('dashboard', board.dashboard), { owners: [gammaId] })
    const gamma = server.as('gamma')
    const list = await gamma.get(resourcePath('dashboard', board.dashboard, '/versions/'))
    const [, , first] = list.json<{ result: Version[] }>().result
    const whole = await gamma.get(resourcePath('dashboard', board.dashboard, `/versions/${first?.n}`))
    expect([list.statusCode, whole.statusCode]).toEqual([200, 200])
    expect(list.body + whole.body).not.toContain('Revenue')
    expect((await alpha.get(resourcePath('dashboard', board.dashboard, '/versions/'))).statusCode).not.toBe(200)
    expect(
      (await server.as('admin').get(resourcePath('dashboard', board.dashboard, `/versions/${first?.n}`))).body,
    ).toContain('Revenue')
  })
})
