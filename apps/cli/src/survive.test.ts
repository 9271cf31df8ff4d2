import { writeArchive } from '@parquetry/bundle'
import { mkdirSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { admin, listChildProcesses, Program, type ProgramRun, signIn, filterRunning } from './testing.ts'

let program: Program
beforeEach(() => {
  program = new Program()
})
afterEach(() => program.dispose())

type Server = ProgramRun & { url: string }
type Send = (method: string, path: string, body?: object) => Promise<{ status: number; body: Record<string, unknown> }>

async function caller({ url }: Server): Promise<Send> {
  const { access_token } = (await (await signIn(url)).json()) as { access_token: string }
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}

interface Saved {
  id: number
  /** Changes that the server confirmed. */
  acknowledged: number
  /** Changes that were sent; the last one may have been cut off. */
  sent: number
}

const titleOf = (change: number): string => `change ${change}`

/** Creates a dashboard and changes it until the server stops responding. */
async function saveUntilGone(send: Send, saved: Saved[]): Promise<void> {
  const made = await send('POST', '/api/v1/dashboard/', { dashboard_title: titleOf(0) })
  const mine: Saved = { id: made.body['id'] as number, acknowledged: 0, sent: 0 }
  saved.push(mine)
  for (;;) {
    mine.sent += 1
    const body = { dashboard_title: titleOf(mine.sent), css: `.n${mine.sent} {}` }
    const answer = await send('PUT', `/api/v1/dashboard/${mine.id}`, body).catch(() => undefined)
    if (!answer) return
    expect(answer.status).toBe(200)
    mine.acknowledged = mine.sent
  }
}

it('loses no acknowledged save, and keeps none partially, when the server is killed while saving', async () => {
  const saved: Saved[] = []
  let server = await program.startServer(admin)
  for (let round = 0; round < 3; round++) {
    const send = await caller(server)
    const before = saved.length
    const saving = Array.from({ length: 4 }, () => saveUntilGone(send, saved))
    await expect
      .poll(() => saved.slice(before).filter(({ acknowledged }) => acknowledged > 5).length, { timeout: 60_000 })
      .toBe(4)
    server.child.kill('SIGKILL')
    await Promise.all(saving)
    server = await program.startServer(admin)
  }
  const send = await caller(server)
  for (const { id, acknowledged, sent } of saved) {
    const { result } = (await send('GET', `/api/v1/dashboard/${id}`)).body as { result: Record<string, string> }
    const kept = Number(/\d+/.exec(result['dashboard_title'] ?? '')?.[0])
    expect(kept).toBeGreaterThanOrEqual(acknowledged)
    expect(kept).toBeLessThanOrEqual(sent)
    expect(result['css']).toBe(`.n${kept} {}`)
  }
}, 120_000)

it('leaves no process behind when the server is killed during a query, and marks the query as failed', async () => {
  const files = join(program.home, 'files')
  mkdirSync(files)
  writeFileSync(join(files, 'numbers.csv'), `n\n${Array.from({ length: 20_000 }, (_, n) => n).join('\n')}\n`)
  const env = { ...admin, PARQUETRY_FILES: files }
  const server = await program.startServer(env)
  const send = await caller(server)
  const sqlalchemy_uri = `duckdb:///${join(files, 'numbers.csv')}`
  const database = await send('POST', '/api/v1/database/', { database_name: 'numbers', sqlalchemy_uri })
  const run = (client_id: string, sql: string) =>
    send('POST', '/api/v1/sqllab/execute/', { database_id: database.body['id'], client_id, sql })
  expect((await run('quick', 'select count(*) as n from numbers')).body['data']).toEqual([{ n: 20_000 }])
  const endless = run(
    'endless',
    'select count(*) from numbers a, numbers b, numbers c, numbers d where a.n + b.n * c.n = d.n',
  ).catch(() => 'cut')
  await expect
    .poll(async () => {
      const { result } = (await send('GET', '/api/v1/query/?q=(columns:!(client_id,status))')).body
      return result
    })
    .toContainEqual({ client_id: 'endless', status: 'running' })
  const runners = listChildProcesses(server.child.pid ?? -1)
  expect(runners.length).toBeGreaterThan(0)

  server.child.kill('SIGKILL')
  expect(await endless).toBe('cut')
  await expect.poll(() => filterRunning(runners), { timeout: 60_000 }).toEqual([])

  const sendAgain = await caller(await program.startServer(env))
  const { result } = (await sendAgain('GET', '/api/v1/query/?q=(columns:!(client_id,error_message,status))')).body
  expect(result).toContainEqual({
    client_id: 'endless',
    error_message: 'The server ended while this query was running. Run the query again.',
    status: 'failed',
  })
}, 120_000)

it('leaves nothing of an import during which the server is killed', async () => {
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  const charts = 100
  const files: [string, Record<string, unknown>][] = [
    ['databases/d.yaml', { database_name: 'bundled', sqlalchemy_uri: 'duckdb://', uuid: uuid(1), version: '1.0.0' }],
    ['datasets/d/t.yaml', { table_name: 't', uuid: uuid(2), database_uuid: uuid(1), columns: [], metrics: [] }],
    ...Array.from({ length: charts }, (_, n): [string, Record<string, unknown>] => [
      `charts/c_${n}.yaml`,
      { slice_name: `c${n}`, viz_type: 'table', uuid: uuid(100 + n), dataset_uuid: uuid(2), params: {} },
    ]),
  ]
  const metadata = { version: '1.0.0', type: 'Slice', timestamp: '2026-01-01T00:00:00+00:00' } as const
  const archive = await writeArchive({ metadata, files: new Map(files) }, 'r')
  const importBundle = async (url: string) => {
    const { access_token } = (await (await signIn(url)).json()) as { access_token: string }
    const form = new FormData()
    form.set('formData', new Blob([new Uint8Array(archive)]), 'bundle.zip')
    const headers = { authorization: `Bearer ${access_token}` }
    return fetch(`${url}/api/v1/chart/import/`, { method: 'POST', headers, body: form })
  }
  const server = await program.startServer(admin)
  const store = new DatabaseSync(join(program.home, 'parquetry.sqlite'), { timeout: 0 })
  // The last chart is never written, so that the server is killed with all others in its transaction.
  store.exec(`create trigger endless before insert on chart when new.slice_name = 'c${charts - 1}' begin
    select (with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n);
  end`)
  const isLocked = (): boolean => {
    try {
      store.exec('begin immediate; rollback')
      return false
    } catch {
      return true
    }
  }
  const responds = () =>
    fetch(`${server.url}/health`, { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      () => false,
    )
  const importing = importBundle(server.url).catch(() => 'cut')
  await expect.poll(async () => isLocked() && !(await responds()) && isLocked(), { timeout: 60_000 }).toBe(true)
  server.child.kill('SIGKILL')
  expect(await importing).toBe('cut')
  await server.code
  store.exec('drop trigger endless')
  store.close()

  const again = await program.startServer(admin)
  const send = await caller(again)
  const counts = await Promise.all(
    ['chart', 'dataset'].map(async (kind) => (await send('GET', `/api/v1/${kind}/`)).body['count']),
  )
  expect(counts).toEqual([0, 0])
  expect(await readdir(join(program.home, 'uploads')).catch(() => [])).toEqual([])
  expect((await importBundle(again.url)).status).toBe(200)
  expect((await send('GET', '/api/v1/chart/')).body['count']).toBe(charts)
}, 120_000)
