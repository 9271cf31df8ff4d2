import { createMessageReader } from '@parquetry/frame'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { zstdDecompressSync } from 'node:zlib'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
/** Server clock. */
let at = Date.parse('2026-03-04T23:58:30.000Z')
beforeAll(async () => {
  cars = await startCarsServer({ now: () => new Date(at), settings: { timeZone: 'UTC' } })
})
afterAll(() => cars.close())

async function createObject(path: string, body: object): Promise<number> {
  const response = await cars.server.as('admin').post(path, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ id: number }>().id
}

interface Board {
  id: number
  charts: number[]
}

/** Creates a dashboard with two charts whose queries have not run before. */
async function createBoard(form: object = {}): Promise<Board> {
  const id = await createObject('/api/v1/dashboard/', { dashboard_title: 'Stored', published: true })
  const charts: number[] = []
  for (const sqlExpression of ['COUNT(*)', 'MAX("Horsepower")'])
    charts.push(
      await createObject('/api/v1/chart/', {
        slice_name: 'Cars',
        viz_type: 'big_number_total',
        datasource_id: cars.dataset,
        datasource_type: 'table',
        params: JSON.stringify({ metric: { expressionType: 'SQL', sqlExpression, label: `n${id}` }, ...form }),
        dashboards: [id],
      }),
    )
  return { id, charts }
}

interface Asked {
  /** Value of each chart, by its id. */
  values: Record<number, unknown>
  heads: Record<string, unknown>[]
  /** It was stored. */
  isStored: boolean
  encoding: string | undefined
}

async function ask({ id, charts }: Board, user: TestUser, body: object = {}, headers: object = {}): Promise<Asked> {
  const { responses } = cars.server.deps
  const { hits } = responses.stats()
  const response = await cars.server.as(user).send('POST', `/api/v1/dashboard/${id}/data`, {
    payload: JSON.stringify({ charts: charts.map((chart) => ({ id: chart })), data_mask: {}, ...body }),
    headers: { 'content-type': 'application/json', ...headers },
  })
  expect(response.statusCode, response.body).toBe(200)
  const encoding = response.headers['content-encoding'] as string | undefined
  const bytes = encoding === 'zstd' ? zstdDecompressSync(response.rawPayload) : response.rawPayload
  const messages = createMessageReader().push(bytes)
  const values: Record<number, unknown> = {}
  let chart = 0
  for (const { head, frame } of messages) {
    chart = (head['chart'] as number | undefined) ?? chart
    for (const column of frame?.columns ?? [])
      values[chart] = Number((column as { data?: ArrayLike<unknown> }).data?.[0])
  }
  return { values, heads: messages.map(({ head }) => ({ ...head })), isStored: responses.stats().hits > hits, encoding }
}

/** Repeats a request until its answer is stored, which happens after it was sent. */
const askUntilStored = (board: Board, user: TestUser, body: object = {}, headers: object = {}): Promise<Asked> =>
  vi.waitFor(async () => {
    const asked = await ask(board, user, body, headers)
    expect(asked.isStored).toBe(true)
    return asked
  })

const countTypes = ({ heads }: Asked) =>
  Object.entries(Object.groupBy(heads, ({ type }) => String(type)))
    .map(([type, found]) => `${type} ${found?.length}`)
    .toSorted((a, b) => a.localeCompare(b))

it('sends a dashboard of cached results again as stored, to all users with the same rights', async () => {
  const board = await createBoard()
  const fresh = await ask(board, 'alpha')
  const stored = await askUntilStored(board, 'alpha')
  expect(stored.values).toEqual(fresh.values)
  expect(countTypes(stored)).toEqual(countTypes(fresh))
  expect(stored.heads.at(-1)).toMatchObject({ type: 'done' })
  expect(stored.heads.filter(({ type, chart }) => type === 'frame' && chart)).toEqual(
    board.charts.map(() => expect.objectContaining({ is_cached: true })),
  )
  const { charts } = board
  const otherOrder = await ask({ ...board, charts: charts.toReversed() }, 'alpha', { data_mask: { other: {} } })
  expect([otherOrder.isStored, otherOrder.values]).toEqual([true, fresh.values])
})

it('compresses a stored answer as the client accepts', async () => {
  const board = await createBoard()
  const plain = await askUntilStored(board, 'alpha')
  const packed = await askUntilStored(board, 'alpha', {}, { 'accept-encoding': 'gzip, zstd' })
  expect([plain.encoding, packed.encoding]).toEqual([undefined, 'zstd'])
  expect(packed.values).toEqual(plain.values)
})

it('logs the dashboard of a request that was answered as stored', async () => {
  const board = await createBoard()
  await askUntilStored(board, 'alpha')
  const { app, deps } = cars.server
  const countEvents = async () => {
    await app.audit.flush()
    const rows = await deps.db
      .selectFrom('log')
      .select('id')
      .where('action', '=', 'dashboard.data')
      .where('dashboard_id', '=', board.id)
      .execute()
    return rows.length
  }
  const before = await countEvents()
  expect((await ask(board, 'alpha')).isStored).toBe(true)
  expect(await countEvents()).toBe(before + 1)
})

it('does not send a stored answer after a result was refreshed or invalidated, or its time range has moved', async () => {
  const board = await createBoard({
    adhoc_filters: [
      {
        expressionType: 'SIMPLE',
        clause: 'WHERE',
        subject: 'Year',
        operator: 'TEMPORAL_RANGE',
        comparator: 'Last week',
      },
    ],
  })
  const expectStoredAgain = async () => {
    expect((await ask(board, 'alpha')).isStored).toBe(false)
    await askUntilStored(board, 'alpha')
  }
  await expectStoredAgain()
  expect((await ask(board, 'alpha', { force: true })).isStored).toBe(false)
  await expectStoredAgain()
  await cars.server.deps.cache.invalidate(new Set([cars.dataset]))
  await expectStoredAgain()
  at += 2 * 60_000
  await expectStoredAgain()
})

it('does not send a stored answer after one of its charts was changed', async () => {
  const board = await createBoard()
  const { values } = await askUntilStored(board, 'alpha')
  const [chart] = board.charts as [number]
  const metric = { expressionType: 'SQL', sqlExpression: 'MIN("Horsepower")', label: 'least' }
  const saved = await cars.server.as('admin').put(`/api/v1/chart/${chart}`, {
    params: JSON.stringify({ viz_type: 'big_number_total', metric }),
  })
  expect(saved.statusCode, saved.body).toBe(200)
  const changed = await ask(board, 'alpha')
  expect([changed.isStored, changed.values]).toEqual([false, { ...values, [chart]: 46 }])
})

it('sends the stored answer for an edited chart only to users who may change the dashboard', async () => {
  const board = await createBoard()
  const { db } = cars.server.deps
  for (const role of ['Gamma', 'sql_lab']) await grantDataset(cars.server, cars.dataset, role)
  const { id } = await db.selectFrom('user').select('id').where('username', '=', 'gamma').executeTakeFirstOrThrow()
  await db.insertInto('dashboard_owner').values({ dashboard_id: board.id, user_id: id }).execute()
  const [chart] = board.charts as [number]
  const metric = { expressionType: 'SQL', sqlExpression: 'MIN("Horsepower")', label: 'least' }
  const edited = { charts: [{ id: chart, form_data: { viz_type: 'big_number_total', metric } }] }
  const expectRefusal = async (user: TestUser) => {
    const { isStored, heads } = await ask(board, user, edited)
    expect([isStored, heads.find(({ type }) => type === 'error')]).toEqual([false, expect.objectContaining({ chart })])
  }
  const saved = await askUntilStored(board, 'gamma')
  expect(await ask(board, 'sqllab')).toMatchObject({ isStored: true, values: saved.values })
  expect((await askUntilStored(board, 'gamma', edited)).values).toEqual({ [chart]: 46 })
  await expectRefusal('sqllab')
  await db.deleteFrom('dashboard_owner').where('user_id', '=', id).execute()
  await expectRefusal('gamma')
})

it('acts on a change of rights at once', async () => {
  const board = await createBoard()
  const all = (await askUntilStored(board, 'alpha')).values
  await askUntilStored(board, 'admin')
  await addRowLevelSecurityRule(cars.server.deps.db, cars.dataset, 'Alpha', `"Origin" = 'Japan'`)
  const restricted = await ask(board, 'alpha')
  expect([restricted.isStored, restricted.values[board.charts[0]!]]).toEqual([false, 79])
  expect((await askUntilStored(board, 'alpha')).values).toEqual(restricted.values)
  expect((await ask(board, 'admin')).values).toEqual(all)
  for (const table of ['row_rule_role', 'row_rule_dataset', 'row_rule_table', 'row_rule'] as const)
    await cars.server.deps.db.deleteFrom(table).execute()
  expect((await ask(board, 'alpha')).values).toEqual(all)
})
