import { randomBytes } from 'node:crypto'
import { readReference, type RecordedCase } from './reference.ts'
import { type DecodedResponse, diffCase } from './replay-compare.ts'

export interface ReplayRequest {
  method: string
  path: string
  json?: unknown
  form?: Record<string, string>
}
export interface ReplayResponse {
  status: number
  contentType: string
  body: Buffer
}

/** Sends a request as a user, with a bearer token or with the session cookie and its CSRF token; `''` is anonymous. */
export type SendRequest = (user: string, by: 'bearer' | 'session', request: ReplayRequest) => Promise<ReplayResponse>

type Ids = Record<'dataset' | 'database' | 'chart' | 'dashboard' | 'saved' | 'new', Map<string, number | string>>

interface Setup {
  databases: { database_name: string }[]
  datasets: {
    table_name: string
    sql?: string
    columns?: Record<string, object>
    calculated?: object[]
    metrics?: object[]
    properties?: object
  }[]
  charts: { slice_name: string; params: unknown; query_context?: unknown }[]
  dashboards: {
    dashboard_title: string
    json_metadata: unknown
    certified_by?: string
    certification_details?: string
  }[]
}

const roles = {
  Admin: 'admin',
  Alpha: 'alpha',
  Gamma: 'gamma',
  'Gamma + sql_lab': 'sqllab',
  Public: 'publicuser',
  anonymous: '',
} as Record<string, string>

const writableColumnFields =
  'id column_name type groupby filterable is_active is_dttm expression verbose_name description python_date_format extra advanced_data_type'.split(
    ' ',
  )

function decode({ contentType, body }: ReplayResponse): unknown {
  const text = body.toString()
  if (contentType.includes('json')) return parseJson(text)
  if (contentType.includes('zip')) return { $zip: true }
  if (contentType.includes('html'))
    return { $html: /<title>([\s\S]*?)<\/title>/.exec(text)?.[1]?.trim() ?? text.slice(0, 120) }
  return { $text: text }
}

/** Parses JSON that may contain NaN and Infinity, which parsers reject. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/\b(NaN|-?Infinity)\b(?=[,\]}])/g, '{"$nonfinite":"$1"}'))
  } catch {
    return { $text: text }
  }
}

/** Replays recorded cases against a server, with the names of one run. */
export class Replay {
  readonly #send: SendRequest
  readonly #ids: Ids = {
    dataset: new Map(),
    database: new Map(),
    chart: new Map(),
    dashboard: new Map(),
    saved: new Map(),
    new: new Map(),
  }

  constructor(send: SendRequest) {
    this.#send = send
  }

  /** @returns the differences; empty when the response matches the recorded one */
  async run(recorded: RecordedCase): Promise<string[]> {
    const { method, path, body, form, auth, as = 'admin' } = recorded.request
    const by = auth === 'session' ? 'session' : 'bearer'
    if (recorded.statuses) return this.#runForRoles(recorded.statuses, { method, path: this.#fill(path) as string }, by)
    const filled = form && (this.#fill(form) as Record<string, unknown>)
    const received = await this.#send(as, by, {
      method,
      path: this.#fill(path) as string,
      ...(body !== undefined && { json: this.#fill(body) }),
      ...(filled && {
        form: Object.fromEntries(
          Object.entries(filled).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        ),
      }),
    })
    const actual: DecodedResponse = { status: received.status, body: decode(received) }
    for (const [name, at] of Object.entries(recorded.save ?? {})) {
      const value = at
        .split('.')
        .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], actual.body)
      if (typeof value === 'number' || typeof value === 'string') this.#ids.saved.set(name, value)
    }
    return diffCase(recorded, actual)
  }

  async #runForRoles(
    statuses: Record<string, number | string>,
    request: ReplayRequest,
    by: 'bearer' | 'session',
  ): Promise<string[]> {
    const wrong: string[] = []
    for (const [role, want] of Object.entries(statuses)) {
      const { status } = await this.#send(roles[role] ?? '', by, request)
      if (status !== Number(String(want).split(' ')[0])) wrong.push(`${role}: ${want} != ${status}`)
    }
    return wrong
  }

  /** Creates the objects of the cases: databases at `uri`, datasets, charts, a dashboard. */
  async setUp(uri: string): Promise<void> {
    const setup = readReference<unknown>('setup.json') as unknown as Setup
    const { database, dataset, chart, dashboard } = this.#ids
    for (const each of setup.databases)
      database.set(each.database_name, await this.#create('database', { ...each, sqlalchemy_uri: uri }))
    for (const { table_name, sql, columns = {}, calculated = [], metrics = [], properties } of setup.datasets) {
      const id = await this.#create('dataset', {
        database: database.get('lab'),
        schema: 'public',
        table_name,
        ...(sql && { sql }),
      })
      const { result } = (await this.#call('GET', `/api/v1/dataset/${id}`)) as { result: DatasetAnswer }
      await this.#call('PUT', `/api/v1/dataset/${id}`, {
        columns: [
          ...result.columns.map((column) => ({
            ...pickFields(column, writableColumnFields),
            ...columns[String(column['column_name'])],
          })),
          ...calculated,
        ],
        metrics: [
          ...result.metrics.map((metric) =>
            pickFields(metric, ['id', 'metric_name', 'expression', 'metric_type', 'verbose_name']),
          ),
          ...metrics,
        ],
        ...properties,
      })
      dataset.set(table_name, id)
    }
    for (const each of setup.charts) {
      const { params, query_context, ...rest } = this.#fill(each) as Setup['charts'][number]
      const texts = {
        params: JSON.stringify(params),
        ...(query_context !== undefined && { query_context: JSON.stringify(query_context) }),
      }
      chart.set(each.slice_name, await this.#create('chart', { ...rest, ...texts }))
    }
    for (const each of setup.dashboards) {
      const { json_metadata, certified_by, certification_details, ...rest } = this.#fill(
        each,
      ) as Setup['dashboards'][number]
      const id = await this.#create('dashboard', rest)
      const metadata = { json_metadata: JSON.stringify(json_metadata), certified_by, certification_details }
      await this.#call('PUT', `/api/v1/dashboard/${id}`, metadata)
      dashboard.set(each.dashboard_title, id)
    }
  }

  async #create(kind: string, json: object): Promise<number> {
    return ((await this.#call('POST', `/api/v1/${kind}/`, json)) as { id: number }).id
  }

  async #call(method: string, path: string, json?: object): Promise<unknown> {
    const { status, body } = await this.#send('admin', 'bearer', { method, path, ...(json && { json }) })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${body.toString().slice(0, 500)}`)
    return JSON.parse(body.toString())
  }

  #lookUp(kind: keyof Ids, name: string): number | string {
    const ids = this.#ids[kind]
    if (kind === 'new' && !ids.has(name)) ids.set(name, `r${randomBytes(8).toString('hex').slice(0, 10)}`)
    const id = ids.get(name)
    if (id === undefined) throw new Error(`there is no ${kind} "${name}" in this run`)
    return id
  }

  /** Replaces `{"$dataset": "cars"}` and `${dataset:cars}` by the ids of this run. */
  #fill(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#fill(item))
    if (typeof value === 'string')
      return value.replaceAll(
        /\$\{(dataset|database|chart|dashboard|saved|new):([^}]+)\}/g,
        (_, kind: keyof Ids, name: string) => String(this.#lookUp(kind, name)),
      )
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const [only] = entries
    const kind = entries.length === 1 && only ? only[0].slice(1) : ''
    if (only && only[0].startsWith('$') && kind in this.#ids) return this.#lookUp(kind as keyof Ids, String(only[1]))
    return Object.fromEntries(entries.map(([key, item]) => [this.#fill(key), this.#fill(item)]))
  }
}

/** Part of `GET /api/v1/dataset/{id}` that is sent back with changes. */
interface DatasetAnswer {
  columns: Record<string, unknown>[]
  metrics: Record<string, unknown>[]
}

const pickFields = (fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
