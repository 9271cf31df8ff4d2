import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitForExamples } from '../../../apps/web/journeys/product.ts'
import { postgres } from '../../services/postgres.ts'
import type { Workload } from '../bench.ts'
import { type Client, createClient, createSignedInClient } from '../client.ts'
import type { Figure } from '../figure.ts'
import { startHealthPoller } from '../health-poller.ts'
import { median, percentile95 } from '../measure.ts'
import { listProcessTree, readCpuMs, readMemoryMb } from '../processes.ts'
import { type BenchDashboard, createDashboard } from '../twenty-charts.ts'
import { type MeasuredServer, startServer } from './server.ts'
import { createUsers, dataBody, freshBodies, knownBodies } from './set-up.ts'
import { type Action, runViewers, type ViewersPlan } from './viewers.ts'

const userCount = 200
/** Upper limit of the viewers of mix 2, whose number depends on the machine. */
const maxViewers = 1200
const refreshingViewers = 1000
const thinkMs: [number, number] = [5000, 10_000]
const meanThinkSeconds = 7.5
const lateMs = 15_000
const freshShare = 0.2
const refreshSeconds = 60
/** Seconds to measure the capacity of the engine, and the cost of a cached dashboard. */
const shortSeconds = 12

interface Target {
  store: string
  server: MeasuredServer
  client: Client
  board: BenchDashboard
  flights: number
  cookies: string[]
  known: string[]
  fresh: string[]
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const say = (text: string): void => void process.stderr.write(`users: ${text}\n`)
const readTreeMb = (pid: number): number => listProcessTree(pid).reduce((all, each) => all + readMemoryMb(each), 0)

async function open(store: string, home: string, url?: string): Promise<Target> {
  const config = join(home, 'config.json')
  writeFileSync(config, '{}')
  const env = {
    PARQUETRY_HOME: home,
    PARQUETRY_CONFIG: config,
    ...(url !== undefined && { PARQUETRY_METADATA_URL: url }),
  }
  const server = await startServer(env)
  await waitForExamples(server.url)
  const client = await createSignedInClient(server.url, 'admin')
  const { result } = await client.json<{ result: { id: number; table_name: string }[] }>('GET', '/api/v1/dataset/')
  const flights = result.find(({ table_name }) => table_name === 'flights')?.id ?? -1
  const board = await createDashboard(client, flights)
  say(`${store}: creating ${userCount} users`)
  const cookies = await createUsers(server, client, { count: userCount, flights })
  return {
    store,
    server,
    client,
    board,
    flights,
    cookies,
    known: knownBodies(board),
    fresh: freshBodies(board),
  }
}

const planOf = ({ server, board, cookies, known }: Target, seconds: number): ViewersPlan => ({
  url: server.url,
  path: `/api/v1/dashboard/${board.id}/data`,
  cookies,
  viewers: userCount,
  seconds,
  thinkMs,
  lateMs,
  seed: 1,
  known,
  fresh: [],
  freshShare: 0,
})

/** Runs viewers and asks for the health of the server meanwhile; prints what happened. */
async function observe(what: string, { server }: Target, plan: ViewersPlan) {
  const health = startHealthPoller(server.url)
  await health.started
  const before = readCpuMs(server.pid)
  const treeBefore = listProcessTree(server.pid).reduce((all, pid) => all + readCpuMs(pid), 0)
  const result = await runViewers(plan)
  const waits = await health.end()
  const serverMs = readCpuMs(server.pid) - before
  const runnersMs = listProcessTree(server.pid).reduce((all, pid) => all + readCpuMs(pid), 0) - treeBefore - serverMs
  const { actions, seconds, cpuMs } = result
  const percent = (ms: number): string => `${((ms / seconds / 10) | 0).toString()} %`
  say(
    `${what}: ${plan.viewers} viewers, ${(actions.length / seconds).toFixed(1)} actions/s; CPU of a core: server ` +
      `${percent(serverMs)}, runners ${percent(runnersMs)}, viewers ${percent(cpuMs)}; ${describeOutcomes(actions)}`,
  )
  return { ...result, waits, serverMs }
}

function describeOutcomes(actions: readonly Action[]): string {
  const count = (outcome: string): number => actions.filter((action) => action.outcome === outcome).length
  const error = actions.find(({ outcome }) => outcome === 'failed')?.error
  return `${count('answered')} answered, ${count('refused')} refused, ${count('late')} late, ${count('failed')} failed${error === undefined ? '' : `: ${error}`}`
}

const countLost = (actions: readonly Action[]): number =>
  actions.filter(({ outcome }) => outcome === 'late' || outcome === 'failed').length
const chartTimes = (actions: readonly Action[]): number[] => actions.flatMap(({ charts }) => charts)
const isFresh = ({ kind }: Action): boolean => kind === 'fresh'
const p95 = (values: readonly number[]): number => (values.length === 0 ? NaN : percentile95(values))

/** Asks everything once with each kind of rights, so that it has been asked before, and again, so that answers are stored. */
async function askEverything({ server, board, cookies, known }: Target): Promise<void> {
  for (let round = 0; round < 3; round += 1)
    for (const cookie of [cookies[0], cookies[5], cookies[8]])
      for (const body of known) {
        const client = createClient(server.url, { Cookie: cookie! })
        const { status } = await client.send('POST', `/api/v1/dashboard/${board.id}/data`, {
          body: JSON.parse(body) as object,
          headers: {
            accept: 'application/vnd.parquetry.frames',
            'accept-encoding': 'gzip, deflate, br, zstd',
            'sec-fetch-site': 'same-origin',
            connection: 'close',
          },
        })
        if (status !== 200) throw new Error(`the dashboard cannot be opened: ${status}`)
      }
}

/** Mix 1: every dashboard was asked before. */
async function mix1(
  target: Target,
  seconds: number,
  floor?: { charts: number },
): Promise<{ figures: Figure[]; charts: number }> {
  const { actions, waits } = await observe(`mix 1, ${target.store}`, target, planOf(target, seconds))
  const times = chartTimes(actions)
  const charts = p95(times)
  const name = `mix 1, ${userCount} users, ${target.store}`
  const chartFloor = floor && { floor: floor.charts, floorIs: 'SQLite', budget: 1.3 * floor.charts }
  return {
    charts,
    figures: [
      { name: `${name}: chart p95`, unit: 'ms', value: charts, runs: times.length, budget: 500, ...chartFloor },
      { name: `${name}: health p95`, unit: 'ms', value: p95(waits), runs: waits.length, budget: 50 },
      { name: `${name}: late or failed`, unit: 'requests', value: countLost(actions), runs: actions.length, budget: 0 },
    ],
  }
}

/** CPU time of the main process for one cached dashboard. */
async function cpuPerDashboard(target: Target): Promise<Figure> {
  const plan = { ...planOf(target, shortSeconds), viewers: 30, thinkMs: [1000, 2000] as [number, number] }
  const { actions, serverMs } = await observe(`cost of a dashboard, ${target.store}`, target, plan)
  const name = `cached dashboard, ${target.store}: CPU of the server`
  return { name, unit: 'ms', value: serverMs / Math.max(1, actions.length), runs: actions.length }
}

/** Dashboards with a filter that was never asked, a second, that one engine answers alone. */
async function measureCapacity(target: Target): Promise<number> {
  const plan = { ...planOf(target, shortSeconds), viewers: 3, thinkMs: [0, 1] as [number, number], freshShare: 1 }
  const { actions, seconds } = await observe('capacity', target, { ...plan, fresh: target.fresh.splice(0, 500) })
  return actions.filter(({ outcome }) => outcome === 'answered').length / seconds
}

async function mix2(target: Target, seconds: number, charts1: number): Promise<Figure[]> {
  const capacity = await measureCapacity(target)
  const figures: Figure[] = [
    { name: 'mix 2: C, new dashboards of one engine alone', unit: '/s', value: capacity, runs: 1 },
  ]
  for (const share of [0.8, 1.5]) {
    const viewers = Math.min(maxViewers, Math.round((share * capacity * meanThinkSeconds) / freshShare))
    const plan = { ...planOf(target, seconds), viewers, freshShare, seed: share * 10 }
    const fresh = target.fresh.splice(0, Math.ceil(((viewers * seconds) / meanThinkSeconds) * freshShare * 2))
    const { actions, waits } = await observe(`mix 2 at ${share} C`, target, { ...plan, fresh })
    const name = `mix 2 at ${share} C, ${viewers} users`
    const cached = chartTimes(actions.filter((action) => !isFresh(action)))
    const fast = actions.filter((action) => isFresh(action) || action.outcome === 'refused').map(({ ms }) => ms)
    const times = chartTimes(actions)
    const lost = { name: `${name}: late or failed`, unit: 'requests', value: countLost(actions), budget: 0 } as const
    if (share < 1)
      figures.push({ name: `${name}: chart p95`, unit: 'ms', value: p95(times), runs: times.length, budget: 1000 })
    else
      figures.push(
        { name: `${name}: cached chart p95`, unit: 'ms', value: p95(cached), runs: cached.length, budget: 2 * charts1 },
        {
          name: `${name}: slowest new answer or refusal`,
          unit: 'ms',
          value: Math.max(0, ...fast),
          runs: fast.length,
          budget: 5000,
        },
        {
          name: `${name}: refused`,
          unit: 'requests',
          value: actions.filter(({ outcome }) => outcome === 'refused').length,
          runs: actions.length,
        },
      )
    figures.push(
      { name: `${name}: health p95`, unit: 'ms', value: p95(waits), runs: waits.length, budget: 50 },
      { ...lost, runs: actions.length },
    )
  }
  return figures
}

/** Mix 3: many viewers of one dashboard that refreshes every minute, for at least two minutes. */
async function mix3(target: Target, seconds: number): Promise<Figure[]> {
  const { client, board } = target
  const { status } = await client.send('POST', `/api/v1/dashboard/${board.id}/data`, {
    body: { charts: [], refresh_interval: refreshSeconds },
  })
  // Versions before `refresh_interval` force a request for each chart.
  const isShared = status === 200
  const [size, age] = isShared ? [4, { refresh_interval: refreshSeconds }] : [1, { force: true }]
  const groups = Array.from({ length: board.charts.length / size }, (_, at) =>
    board.charts.slice(at * size, (at + 1) * size),
  )
  const bodies = groups.map((charts) => dataBody({ ...board, charts }, [], age))
  const everyMs = refreshSeconds * 1000
  const refresh = { bodies, spacingMs: 5000 / (bodies.length - 1), everyMs }
  const minutes = Math.max(1, (2 * seconds) / 60)
  const plan = { ...planOf(target, minutes * 60), viewers: refreshingViewers, refresh }
  const started = Math.floor(Date.now() / everyMs)
  const { actions, waits, queries, seconds: took } = await observe('mix 3', target, plan)
  const intervals = Math.floor(Date.now() / everyMs) - started + 1
  // One viewer in five has a row-level security rule and thus other queries.
  const perChart = queries / board.charts.length / intervals / 2
  const times = chartTimes(actions)
  const name = `mix 3, ${refreshingViewers} viewers`
  say(`mix 3: ${queries} queries in ${intervals} intervals, ${took.toFixed(0)} s, two kinds of rights`)
  return [
    {
      name: `${name}: queries per chart, rights and minute`,
      unit: 'requests',
      value: perChart,
      runs: queries,
      budget: 1,
    },
    { name: `${name}: chart p95`, unit: 'ms', value: p95(times), runs: times.length, budget: 500 },
    { name: `${name}: health p95`, unit: 'ms', value: p95(waits), runs: waits.length, budget: 50 },
    { name: `${name}: late or failed`, unit: 'requests', value: countLost(actions), runs: actions.length, budget: 0 },
  ]
}

/** People behind one address: each connection sends a request, stays idle, and sends another. */
async function officeFigure({ server }: Target): Promise<Figure> {
  const people = 250
  const { hostname, port, host } = new URL(server.url)
  const ask = `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const sockets = Array.from({ length: people }, () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: '127.2.0.1' })
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')))
    socket.on('error', () => undefined)
    return { socket, count: () => text.split('HTTP/1.1 200').length - 1 }
  })
  for (const { socket } of sockets) socket.write(ask)
  await sleep(2500)
  for (const { socket } of sockets) socket.write(ask)
  await sleep(2500)
  const value = sockets.filter(({ count }) => count() < 2).length
  for (const { socket } of sockets) socket.destroy()
  return { name: `${people} people behind one address: not answered`, unit: 'requests', value, runs: people, budget: 0 }
}

const listPaths = ['dashboard', 'chart', 'dataset'].map(
  (name) => `/api/v1/${name}/?q=(order_column:changed_on_delta_humanized,order_direction:desc,page_size:25)`,
)

/** The same work on both stores in turns. */
async function compareStores(sqlite: Target, other: Target, runs: number): Promise<Figure[]> {
  const frames = { accept: 'application/vnd.parquetry.frames' }
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now()
    await work()
    return performance.now() - begun
  }
  const chartsOf = ({ client, flights }: Target) =>
    Array.from({ length: 20 }, (_, index) => ({
      datasource: { id: flights, type: 'table' },
      queries: [{ columns: ['origin'], metrics: ['count'], row_limit: 10 + index }],
    })).map((body) => client.send('POST', '/api/v1/chart/data', { body, headers: frames }))
  const works: [string, (target: Target) => Promise<unknown>][] = [
    ['cached charts, 20 at once', (target) => Promise.all(chartsOf(target))],
    [
      'a cached dashboard',
      ({ client, board, known }) =>
        client.send('POST', `/api/v1/dashboard/${board.id}/data`, {
          body: JSON.parse(known[0]!) as object,
          headers: frames,
        }),
    ],
    ['lists', ({ client }) => Promise.all(listPaths.map((path) => client.send('GET', path)))],
  ]
  const figures: Figure[] = []
  for (const [what, work] of works) {
    const times = { sqlite: [] as number[], other: [] as number[] }
    for (let turn = -3; turn < runs; turn += 1) {
      const [a, b] = [await timed(() => work(sqlite)), await timed(() => work(other))]
      if (turn < 0) continue
      times.sqlite.push(a)
      times.other.push(b)
    }
    const floor = median(times.sqlite)
    const name = `PostgreSQL store: ${what}`
    figures.push({ name, unit: 'ms', value: median(times.other), runs, floor, floorIs: 'SQLite', budget: 1.3 * floor })
  }
  return figures
}

/**
 * Many users at once: mixes 1 to 3 on SQLite, mix 1 on PostgreSQL as well. `--seconds` is the length of a mix, 60 at most. Chart
 * p95 is over all charts of all actions, from the request to the end of the chart in the response. Documents, pictures and
 * scripts of the page are not requested. Linux only.
 */
export const users: Workload = async ({ runs, seconds: requested }) => {
  if (listProcessTree(process.pid).length === 0) return []
  const seconds = Math.min(60, requested)
  const homes = ['sqlite', 'postgres'].map((name) => mkdtempSync(join(tmpdir(), `parquetry-users-${name}-`)))
  const programs = postgres.find()
  if (programs === undefined) say('PostgreSQL is missing: its rows are left out')
  const service = programs === undefined ? undefined : await postgres.start(programs)
  const targets: Target[] = []
  // PostgreSQL runs in the background, so it would outlive an interrupted benchmark.
  const onSignal = (): void => {
    service?.stop()
    process.exit(1)
  }
  process.once('SIGTERM', onSignal).once('SIGINT', onSignal)
  try {
    const sqlite = await open('SQLite', homes[0]!)
    targets.push(sqlite)
    await sleep(8000)
    const idle = readTreeMb(sqlite.server.pid)
    await askEverything(sqlite)
    const first = await mix1(sqlite, seconds)
    const figures: Figure[] = [
      { name: 'memory of all processes: idle, examples just loaded', unit: 'MB', value: idle, runs: 1, budget: 150 },
      ...first.figures,
      await cpuPerDashboard(sqlite),
    ]
    if (service) {
      const other = await open('PostgreSQL', homes[1]!, service.url)
      targets.push(other)
      await askEverything(other)
      figures.push(...(await mix1(other, seconds, first)).figures, await cpuPerDashboard(other))
      figures.push(...(await compareStores(sqlite, other, runs)))
      await other.server.stop()
      targets.pop()
    }
    figures.push(
      ...(await mix2(sqlite, seconds, first.charts)),
      ...(await mix3(sqlite, seconds)),
      await officeFigure(sqlite),
    )
    await sleep(10_000)
    const after = readTreeMb(sqlite.server.pid)
    figures.push({ name: 'memory of all processes: after the mixes', unit: 'MB', value: after, runs: 1, budget: 350 })
    return figures
  } finally {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal)
    for (const { server } of targets) await server.stop()
    service?.stop()
    for (const home of homes) rmSync(home, { recursive: true, force: true })
  }
}
