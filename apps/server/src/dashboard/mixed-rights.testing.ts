import { createMessageReader } from '@parquetry/frame'
import type { QueryHead } from '@parquetry/model'
import type { Random } from '@parquetry/model/testing/random'
import { type Kysely, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { vi } from 'vitest'
import { createApp } from '../app.ts'
import type { Cache } from '../cache/cache.ts'
import { createMemoryCache } from '../cache/memory-cache.ts'
import { ResponseStore } from '../cache/response-store.ts'
import type { CarsServer } from '../chart/testing.ts'
import type { App } from '../http/app.ts'
import { createMemoryPubSub } from '../jobs/memory-pub-sub.ts'
import { StoreQueue } from '../jobs/store-queue.ts'
import type { Deps } from '../routes.ts'
import { addRowLevelSecurityRule, type TestSubject } from '../row-level-security/rules.testing.ts'
import type { Runners } from '../runners/runners.ts'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import { addRole } from '../security/grants.ts'
import { countSessionChanges } from '../store/changes.ts'
import type { Tables } from '../store/tables.ts'
import type { TestUser } from '../testing.ts'

/** Users who read. Two of them have nearly the same rights at first. */
const readers = ['admin', 'alpha', 'gamma', 'sqllab'] as const satisfies readonly TestUser[]
type Reader = (typeof readers)[number]

/** Answers each plan once, so that two servers get the same rows in the same order. */
function runEachPlanOnce(runners: Runners): Runners {
  const runs = new Map<string, ReturnType<Runners['run']>>()
  return new Proxy(runners, {
    get(target, name) {
      if (name !== 'run') return (Reflect.get(target, name) as () => unknown).bind(target)
      return ((plan, signal) => {
        const { requester: _, ...source } = plan.source
        const key = JSON.stringify({ ...plan, source })
        const run = runs.get(key) ?? target.run(plan, signal)
        runs.set(key, run)
        return run
      }) satisfies Runners['run']
    },
  })
}

/** A cache that is always empty. */
const noCache: Cache = {
  get: async () => undefined,
  holdsEntries: async () => false,
  has: async () => false,
  set: async () => {},
  invalidations: () => 0,
  invalidate: async () => {},
  singleFlight: (_key, signal, start) => start(signal),
  isInFlight: () => false,
  stats: () => ({ entries: 0, bytes: 0, hits: 0, misses: 0, flights: 0 }),
}

/** A server on the same metadata store that remembers nothing: it has no caches, and changes of its store are not tracked. */
export function createServerWithoutCaches(deps: Deps): App {
  const db = deps.db.withPlugin({ transformQuery: ({ node }) => node, transformResult: async ({ result }) => result })
  const server = randomUUID()
  let steady = 0
  return createApp({
    ...deps,
    db,
    server,
    cache: noCache,
    responses: new ResponseStore({ cache: noCache, now: deps.now }),
    jobs: new StoreQueue({ db, server, log: deps.log, now: deps.now, rightsOf: async () => undefined }),
    events: createMemoryPubSub(Date.now),
    // Each call is later than what an earlier one may have remembered for a while.
    steadyMs: () => (steady += 10_000),
  })
}

/** A server that is tested, on the same metadata store as the others. */
export interface WorldServer {
  deps: Deps
  app: App
}

/** A second server on a metadata store, which learns of changes by notifications. */
export function createSecondServer(deps: Deps, db: Kysely<Tables>): WorldServer {
  const cache = createMemoryCache()
  const { log, now } = deps
  const server = randomUUID()
  const second: Deps = {
    ...deps,
    db,
    server,
    cache,
    responses: new ResponseStore({ cache, now }),
    jobs: new StoreQueue({ db, server, log, now, rightsOf: async () => undefined }),
    events: createMemoryPubSub(Date.now),
  }
  return { deps: second, app: createApp(second) }
}

/** Tables that actions change, in the order in which their rows can be deleted. */
const changedTables = [
  'row_rule_role',
  'row_rule_user',
  'row_rule_group',
  'row_rule_dataset',
  'row_rule_table',
  'row_rule',
  'user_group_member',
  'user_group_role',
  'group_attribute',
  'user_attribute',
  'user_role',
  'role_permission',
  'dashboard_owner',
  'dashboard_role',
  'dashboard_viewer',
  'dataset_owner',
  'favorite',
  'dashboard_chart',
] as const
/** Tables whose rows are only updated. */
const updatedTables = ['database', 'embedded_table', 'dataset', 'dataset_metric', 'chart', 'dashboard'] as const
type Row = Record<string, unknown>

const clauses = [
  `"Origin" = 'Japan'`,
  `"Origin" <> 'USA'`,
  'Horsepower > 100',
  `"Origin" = {{ user_attribute('origin') }}`,
  '1 = 1',
]
const origins = ['USA', 'Europe', 'Japan']
const virtualSql = [
  'SELECT * FROM cars WHERE Horsepower > 90',
  'SELECT * FROM cars WHERE Horsepower > 150',
  `SELECT *, 'x' AS x FROM cars`,
]
const powers = ['MAX(Horsepower)', 'MIN(Horsepower)', 'SUM(Horsepower)']
const originFilter = {
  id: 'NATIVE_FILTER-origin',
  type: 'NATIVE_FILTER',
  filterType: 'filter_select',
  scope: { rootPath: ['ROOT_ID'], excluded: [] as number[] },
}
const isIn = (val: string) => ({ extraFormData: { filters: [{ col: 'Origin', op: 'IN', val: [val] }] } })
/** A range that begins where the clock of the test is, fifty years ago. */
const movingRange = `DATEADD(DATETIME("now"), -50, year) : 1990-01-01`
const masks = [
  {},
  { [originFilter.id]: isIn('Japan') },
  { [originFilter.id]: isIn('USA') },
  { [originFilter.id]: { extraFormData: { time_range: movingRange } } },
]

interface Board {
  id: number
  charts: number[]
}

/** Objects of one metadata store, on one server or more, whose rights, documents and data are changed at random and read by several users. */
export class RightsWorld {
  readonly #cars: CarsServer
  readonly #clock: { at: number }
  readonly #startedAt: number
  readonly #tokens = new Map<Reader, string>()
  readonly #rows = new Map<string, Row[]>()
  readonly #ids: Record<Reader | 'north' | 'south' | 'group' | 'virtual' | 'database', number> = {} as never
  readonly #boards: Board[] = []
  /** Servers that are tested. */
  readonly servers: WorldServer[]
  /** A server without caches. */
  readonly expected: App
  /** The server that acts. */
  #acting: WorldServer
  #version = 1

  private constructor(cars: CarsServer, clock: { at: number }) {
    this.#cars = cars
    this.#clock = clock
    this.#startedAt = clock.at
    const deps = { ...cars.server.deps, runners: runEachPlanOnce(cars.server.deps.runners) }
    this.#acting = { deps, app: createApp(deps) }
    this.servers = [this.#acting]
    this.expected = createServerWithoutCaches(deps)
  }

  static async create(cars: CarsServer, clock: { at: number }): Promise<RightsWorld> {
    await cars.addFile(2)
    const world = new RightsWorld(cars, clock)
    await world.#fill()
    return world
  }

  get #db(): Kysely<Tables> {
    return this.#acting.deps.db
  }

  /** Acts by one of the servers, and waits until the others know. @returns the name of the action */
  async act(random: Random, names: readonly string[]): Promise<string> {
    const name = random.pick(names)
    this.#acting = random.pick(this.servers)
    await this.#actions[name]!(random)
    await this.#settle()
    return name
  }

  /** Names of all actions, those on rules, roles and groups first. */
  get actions(): string[] {
    return Object.keys(this.#actions)
  }

  /** Other servers learn of changes in their order, so they know all when they know of the last one. */
  async #settle(): Promise<void> {
    const others = this.servers.filter((server) => server !== this.#acting)
    if (others.length === 0) return
    const known = others.map(({ deps: { db } }) => countSessionChanges(db))
    const id = randomUUID()
    const time = '2026-01-01T00:00:00.000'
    await this.#db
      .insertInto('session')
      .values({
        id,
        user_id: this.#ids.admin,
        created_at: time,
        seen_at: time,
        expires_at: time,
        kind: 'token',
      } as never)
      .execute()
    await this.#db.deleteFrom('session').where('id', '=', id).execute()
    await vi.waitUntil(() => others.every(({ deps: { db } }, at) => countSessionChanges(db) > known[at]!), {
      timeout: 10_000,
      interval: 1,
    })
  }

  /** Allows or refuses sub-queries in queries; with them, answers depend on more rights. */
  allowSubqueries(areAllowed: boolean): void {
    this.#cars.server.deps.settings.flags['ALLOW_ADHOC_SUBQUERY'] = areAllowed
  }

  async #fill(): Promise<void> {
    const { server, dataset } = this.#cars
    const db = this.#db
    for (const username of readers) {
      const signedIn = await this.expected.http.inject({
        method: 'POST',
        url: '/api/v1/security/login',
        payload: { username, password: username, provider: 'db' },
      })
      this.#tokens.set(username, signedIn.json<{ access_token: string }>().access_token)
      const user = await db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()
      this.#ids[username] = user.id
    }
    this.#ids.north = await addRole(db, 'North')
    this.#ids.south = await addRole(db, 'South')
    const time = { created_on: '2026-01-01T00:00:00.000', changed_on: '2026-01-01T00:00:00.000' }
    const group = await db
      .insertInto('user_group')
      .values({
        ...time,
        uuid: randomUUID(),
        name: 'Readers',
        label: null,
        description: null,
        created_by_fk: null,
        changed_by_fk: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    this.#ids.group = group.id
    const { database_id } = await db
      .selectFrom('dataset')
      .select('database_id')
      .where('id', '=', dataset)
      .executeTakeFirstOrThrow()
    this.#ids.database = database_id
    const create = async (path: string, body: object) => {
      const response = await server.as('admin').post(path, body)
      if (response.statusCode !== 201) throw new Error(response.body)
      return response.json<{ id: number }>().id
    }
    this.#ids.virtual = await create('/api/v1/dataset/', {
      database: database_id,
      table_name: 'strong',
      sql: virtualSql[0],
    })
    const power = [{ metric_name: 'power', expression: powers[0] }]
    for (const id of [dataset, this.#ids.virtual]) {
      const response = await server.as('admin').put(`/api/v1/dataset/${id}`, { metrics: power })
      if (response.statusCode !== 200) throw new Error(response.body)
    }
    for (const name of ['One', 'Two'])
      this.#boards.push({
        id: await create('/api/v1/dashboard/', {
          dashboard_title: name,
          published: true,
          json_metadata: JSON.stringify({ native_filter_configuration: [originFilter] }),
        }),
        charts: [],
      })
    const dashboards = this.#boards.map(({ id }) => id)
    const total = (metric: string) => ({
      viz_type: 'big_number_total',
      metric: { expressionType: 'SQL', sqlExpression: metric, label: 'n' },
      adhoc_filters: [
        {
          expressionType: 'SIMPLE',
          clause: 'WHERE',
          subject: 'Year',
          operator: 'TEMPORAL_RANGE',
          comparator: 'No filter',
        },
      ],
    })
    for (const [datasource_id, form, on] of [
      [dataset, total('COUNT(*)'), dashboards],
      [
        dataset,
        { viz_type: 'table', query_mode: 'aggregate', groupby: ['Origin'], metrics: ['power'] },
        dashboards.slice(0, 1),
      ],
      [this.#ids.virtual, total('MAX(Horsepower)'), dashboards],
      [this.#ids.virtual, total('MAX(Horsepower) + (SELECT COUNT(*) FROM cars)'), dashboards.slice(1)],
    ] as const) {
      const id = await create('/api/v1/chart/', {
        slice_name: form.viz_type,
        viz_type: form.viz_type,
        datasource_id,
        datasource_type: 'table',
        params: JSON.stringify(form),
        dashboards: on,
      })
      for (const board of this.#boards) if (on.includes(board.id)) board.charts.push(id)
    }
    for (const id of [dataset, this.#ids.virtual]) await grantDataset(server, id, 'Gamma')
    for (const table of [...changedTables, ...updatedTables])
      this.#rows.set(table, (await sql<Row>`select * from ${sql.table(table)}`.execute(db)).rows)
  }

  /** Returns to the first state, with empty caches. */
  async reset(): Promise<void> {
    this.#clock.at = this.#startedAt
    this.#acting = this.servers[0]!
    await this.#db.transaction().execute(async (trx) => {
      for (const table of changedTables) await sql`delete from ${sql.table(table)}`.execute(trx)
      for (const table of changedTables.toReversed())
        for (const row of this.#rows.get(table) ?? [])
          await trx
            .insertInto(table)
            .values(row as never)
            .execute()
      for (const table of updatedTables)
        for (const { id, ...row } of this.#rows.get(table) ?? [])
          await trx
            .updateTable(table)
            .set(row as never)
            .where('id', '=', id as never)
            .execute()
    })
    for (const { deps } of this.servers) await deps.cache.invalidate(new Set([this.#cars.dataset, this.#ids.virtual]))
    await this.#settle()
  }

  /** Deletes a row, or adds it if there is none. */
  async #toggle(table: (typeof changedTables)[number], row: Row, more: Row = {}): Promise<void> {
    const where = sql.join(
      Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
      sql` and `,
    )
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${where}`.execute(this.#db)
    if (rows.length > 0) await sql`delete from ${sql.table(table)} where ${where}`.execute(this.#db)
    else
      await this.#db
        .insertInto(table)
        .values({ ...row, ...more } as never)
        .execute()
  }

  #subject(random: Random): TestSubject {
    const ids = this.#ids
    return random.pick<TestSubject>([
      'North',
      'South',
      'Alpha',
      'Gamma',
      { user: ids.gamma },
      { user: ids.alpha },
      { group: ids.group },
    ])
  }

  /** The changes that may happen between two reads, by name. */
  readonly #actions: Record<string, (random: Random) => Promise<unknown>> = {
    'a rule is added': (random) =>
      addRowLevelSecurityRule(
        this.#db,
        random.pick([this.#cars.dataset, this.#ids.virtual]),
        this.#subject(random),
        random.pick(clauses),
        random.pick(['Regular', 'Regular', 'Base']),
        random.pick([null, 'key']),
      ),
    'a rule is removed': async () => {
      const rule = await this.#db.selectFrom('row_rule').select('id').orderBy('id').limit(1).executeTakeFirst()
      for (const table of changedTables.slice(0, 5))
        await sql`delete from ${sql.table(table)} where row_rule_id = ${rule?.id ?? 0}`.execute(this.#db)
      await this.#db
        .deleteFrom('row_rule')
        .where('id', '=', rule?.id ?? 0)
        .execute()
    },
    'a rule is changed': (random) =>
      this.#db
        .updateTable('row_rule')
        .set({ clause: random.pick(clauses) })
        .execute(),
    'a role is given or taken': (random) =>
      this.#toggle('user_role', {
        user_id: this.#ids[random.pick(readers)],
        role_id: this.#ids[random.pick(['north', 'south'] as const)],
      }),
    'a group changes its members': (random) =>
      this.#toggle('user_group_member', { user_id: this.#ids[random.pick(readers)], group_id: this.#ids.group }),
    'a group changes its roles': (random) =>
      this.#toggle('user_group_role', {
        group_id: this.#ids.group,
        role_id: this.#ids[random.pick(['north', 'south'] as const)],
      }),
    'a user has another attribute': async (random) => {
      const user_id = this.#ids[random.pick(readers)]
      await this.#db.deleteFrom('user_attribute').where('user_id', '=', user_id).execute()
      await this.#db
        .insertInto('user_attribute')
        .values({ user_id, name: 'origin', value: random.pick(origins) } as never)
        .execute()
    },
    'a group has another attribute': async (random) => {
      await this.#db.deleteFrom('group_attribute').execute()
      await this.#db
        .insertInto('group_attribute')
        .values({ group_id: this.#ids.group, name: 'origin', value: random.pick(origins) } as never)
        .execute()
    },
    'a role may read a dataset or no longer': async (random) => {
      const dataset = random.pick([this.#cars.dataset, this.#ids.virtual])
      const permission = await this.#db
        .selectFrom('permission')
        .select('id')
        .where('name', '=', 'datasource_access')
        .where('view', 'like', `%(id:${dataset})`)
        .executeTakeFirstOrThrow()
      const roles = await this.#db
        .selectFrom('role')
        .select('id')
        .where('name', 'in', ['Gamma', 'North', 'South'])
        .execute()
      await this.#toggle('role_permission', { role_id: random.pick(roles).id, permission_id: permission.id })
    },
    'a dashboard is published or not': (random) =>
      this.#db
        .updateTable('dashboard')
        .set({ published: Math.min(1, random.int(3)) })
        .where('id', '=', random.pick(this.#boards).id)
        .execute(),
    'a dashboard changes its owners': (random) =>
      this.#toggle('dashboard_owner', {
        dashboard_id: random.pick(this.#boards).id,
        user_id: this.#ids[random.pick(readers)],
      }),
    'a dashboard changes its roles': (random) =>
      this.#toggle('dashboard_role', {
        dashboard_id: random.pick(this.#boards).id,
        role_id: this.#ids[random.pick(['north', 'south'] as const)],
      }),
    'a dashboard is shared with a user or no longer': (random) =>
      this.#toggle('dashboard_viewer', {
        dashboard_id: random.pick(this.#boards).id,
        user_id: this.#ids[random.pick(readers)],
      }),
    'a dashboard is starred or no longer': (random) =>
      this.#toggle(
        'favorite',
        {
          user_id: this.#ids[random.pick(readers)],
          kind: 'dashboard',
          object_id: random.pick(this.#boards).id,
        },
        { created_on: '2026-01-01T00:00:00.000' },
      ),
    'a dataset changes its owners': (random) =>
      this.#toggle('dataset_owner', {
        dataset_id: random.pick([this.#cars.dataset, this.#ids.virtual]),
        user_id: this.#ids[random.pick(readers)],
      }),
    'the SQL of a dataset is saved': (random) =>
      this.#db
        .updateTable('dataset')
        .set({
          sql: random.pick(virtualSql),
          sql_by_fk: this.#ids[random.pick(['admin', 'admin', 'alpha', 'gamma'] as const)],
        })
        .where('id', '=', this.#ids.virtual)
        .execute(),
    'a metric of a dataset is changed': (random) =>
      this.#db
        .updateTable('dataset_metric')
        .set({ expression: random.pick(powers) })
        .where('metric_name', '=', 'power')
        .execute(),
    'a chart is changed': async (random) => {
      const id = this.#boards[0]!.charts[0]!
      const { params } = this.#rows.get('chart')!.find((chart) => chart['id'] === id) as { params: string }
      const metric = { expressionType: 'SQL', sqlExpression: random.pick(powers), label: 'n' }
      await this.#db
        .updateTable('chart')
        .set({ params: JSON.stringify({ ...JSON.parse(params), metric }) })
        .where('id', '=', id)
        .execute()
    },
    'filters of a dashboard are changed': (random) => {
      const { id, charts } = random.pick(this.#boards)
      const scope = { ...originFilter.scope, excluded: random.pick([[], charts.slice(0, 1), charts]) }
      return this.#db
        .updateTable('dashboard')
        .set({ json_metadata: JSON.stringify({ native_filter_configuration: [{ ...originFilter, scope }] }) })
        .where('id', '=', id)
        .execute()
    },
    'a chart leaves a dashboard or comes back': (random) => {
      const { id, charts } = random.pick(this.#boards)
      return this.#toggle('dashboard_chart', { dashboard_id: id, chart_id: charts[1] })
    },
    'timeouts are changed': (random) =>
      this.#db
        .updateTable('dataset')
        .set({ cache_timeout: random.pick([null, -1, 60]) })
        .execute(),
    'the connection is changed': () =>
      this.#db
        .updateTable('database')
        .set((is) => ({ version: is('version', '+', 1) }))
        .execute(),
    'data is loaded': () => {
      this.#version += 1
      return this.#db
        .updateTable('embedded_table')
        .set({ version: this.#version, file: `cars.${2 - (this.#version % 2)}.duckdb` })
        .execute()
    },
    'results are invalidated': () => this.#acting.deps.cache.invalidate(new Set([this.#cars.dataset])),
    'a user refreshes a dashboard': (random) => {
      const { path, body, encoding } = this.#chooseStream(random)
      return this.read(this.#acting.app, random.pick(readers), { path, body: { ...body, force: true }, encoding })
    },
    'time passes': async (random) => {
      this.#clock.at += random.pick([1000, 100_000])
    },
  }

  #chooseStream(random: Random): Read {
    const { id, charts } = random.pick(this.#boards)
    const asked = random.pick([charts, charts.slice(0, 1), [charts[0]!, ...charts.slice(2)]])
    return {
      path: `/api/v1/dashboard/${id}/data`,
      body: { charts: asked.map((chart) => ({ id: chart })), data_mask: random.pick(masks) },
      encoding: random.pick(['identity', 'zstd']),
    }
  }

  /** Chooses what is read next: mostly dashboards, otherwise the data of a chart. */
  chooseRead(random: Random): Read {
    if (random.int(5) > 0) return this.#chooseStream(random)
    const { id, charts } = random.pick(this.#boards)
    const data_mask = random.pick(masks)
    const encoding = random.pick(['identity', 'zstd'])
    const [slice_id] = charts
    const filters = Object.values(data_mask).flatMap(({ extraFormData }) =>
      'filters' in extraFormData ? extraFormData.filters : [],
    )
    const query = { columns: ['Origin'], metrics: ['power'], orderby: [['Origin', true]], filters }
    return {
      path: '/api/v1/chart/data',
      body: {
        datasource: { id: random.pick([this.#cars.dataset, this.#ids.virtual]), type: 'table' },
        queries: [query],
        form_data: { slice_id, dashboardId: id },
      },
      encoding,
    }
  }

  /** Users of the next reads: all of them, or few repeatedly where answers are shared less. */
  chooseReaders(random: Random): Reader[] {
    const first = random.int(readers.length)
    const rotated = [...readers.slice(first), ...readers.slice(0, first)]
    const [one, two] = rotated as [Reader, Reader]
    return this.#cars.server.deps.settings.flags['ALLOW_ADHOC_SUBQUERY'] ? [one, one, two, one, two] : rotated
  }

  /** Returns the answer of a server to a user, without the parts that depend on caches. */
  async read(app: App, reader: Reader, { path, body, encoding }: Read): Promise<unknown> {
    const response = await app.http.inject({
      method: 'POST',
      url: path,
      payload: body,
      headers: {
        authorization: `Bearer ${this.#tokens.get(reader)}`,
        accept: 'application/json',
        'accept-encoding': encoding,
      },
    })
    const bytes =
      response.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(response.rawPayload) : response.rawPayload
    if (response.statusCode !== 200) return [response.statusCode, String(bytes)]
    return path.endsWith('/chart/data') ? readJson(String(bytes)) : readStream(bytes)
  }
}

export interface Read {
  path: string
  body: object
  encoding: string
}

function readJson(text: string): unknown {
  const { result } = JSON.parse(text) as { result: Record<string, unknown>[] }
  return result.map(({ data, query, from_dttm, to_dttm, applied_filters, error }) => ({
    data,
    query,
    from_dttm,
    to_dttm,
    applied_filters,
    error,
  }))
}

function readStream(bytes: Buffer): unknown {
  const found: Record<string, string[]> = {}
  let chart = 'stream'
  for (const { head, frame } of createMessageReader().push(bytes)) {
    const query = head as unknown as QueryHead
    if (query.chart !== undefined) chart = String(query.chart)
    const type = head['type'] as string
    if (type === 'progress' || type === 'beat') continue
    const { applied_filters, rejected_filters, name } = query
    const error = (head['error'] as { code?: string } | undefined)?.code
    const texts = (found[type === 'done' ? 'stream' : chart] ??= [])
    texts.push(JSON.stringify([type, name, applied_filters, rejected_filters, error, frame], replaceArrays))
  }
  return found
}

const replaceArrays = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  return ArrayBuffer.isView(value) ? Array.from(value as Uint8Array, String) : value
}
