import { setTimeout as delay } from 'node:timers/promises'
import type { Bench, Workload } from './bench.ts'
import { buildChartContext } from './chart-data.ts'
import { percentile95 } from './measure.ts'
import { listProcessTree, readCpuMs, readMemoryMb } from './processes.ts'
import { forms } from './twenty-charts.ts'

/** Fewer on a busy machine: the time grows with the number. */
const count = Number(process.env['PARQUETRY_BENCH_REPORTS'] ?? 500)
const limitMs = 20 * 60_000
const minuteMs = 60_000
/** Between two reads of a chart, with and without reports: a process that was idle answers later. */
const pauseMs = 50

interface Run {
  scheduled_dttm: string
  start_dttm: string
  end_dttm: string
  state: string
  error_message: string | null
}

/** Reports that are due in the same minute, to a folder: every second one a dashboard of 20 charts as PDF, the others a chart as image. */
export const reports: Workload = async (bench) => {
  const { client, product, datasets } = bench
  const body = await buildChartContext(forms.find(([name]) => name === 'Flights by day')![1], datasets.flights)
  const readCached = async () => (await client.send('POST', '/api/v1/chart/data', { body })).ms
  const usual = await repeat(readCached, 100)

  const due = new Date(Math.ceil((Date.now() + 30_000 + count * 40) / minuteMs) * minuteMs)
  const ids = await createReports(bench, due)
  const memory = () =>
    listProcessTree(product.pid)
      .map(readMemoryMb)
      .reduce((all, mb) => all + mb, 0)
  let most = 0
  const cpu = () =>
    listProcessTree(product.pid)
      .map(readCpuMs)
      .reduce((all, ms) => all + ms, 0)
  const watch = setInterval(() => (most = Math.max(most, memory())), 500)
  while (Date.now() < due.getTime() + 1000) await delay(200)
  const cpuBefore = cpu()
  const during: number[] = []
  while (Date.now() < due.getTime() + 2 * limitMs && !(await areSent(bench, ids))) {
    for (let n = 0; n < 20; n++) {
      during.push(await readCached())
      await delay(pauseMs)
    }
  }
  clearInterval(watch)
  const cpuOfAll = cpu() - cpuBefore
  const runs = await readRuns(bench, ids)
  const failed = runs.filter(({ state }) => state !== 'Success')
  if (failed.length > 0)
    throw new Error(`${failed.length} reports failed: ${failed[0]?.state} ${failed[0]?.error_message}`)
  const last = Math.max(...runs.map(({ end_dttm }) => Date.parse(`${end_dttm}Z`)))
  const isOrdered = runs
    .toSorted((a, b) => (a.start_dttm < b.start_dttm ? -1 : 1))
    .every(({ scheduled_dttm }, index, all) => index === 0 || all[index - 1]!.scheduled_dttm <= scheduled_dttm)
  if (!isOrdered) throw new Error('reports were not started in the order of their time')
  return [
    {
      name: `reports: ${count} due, half of them a minute later, then all sent after`,
      unit: 'ms',
      value: last - due.getTime() - minuteMs,
      runs: 1,
      budget: (limitMs * count) / 500,
    },
    // Two cores for twenty minutes; the charts of others are part of it.
    { name: 'reports: CPU time of one', unit: 'ms', value: cpuOfAll / count, runs: count, budget: (2 * limitMs) / 500 },
    { name: 'reports: memory of all processes', unit: 'MB', value: most, runs: 1, budget: 600 },
    {
      name: 'reports: cached chart of others, 95 of 100',
      unit: 'ms',
      value: percentile95(during),
      runs: during.length,
      floor: percentile95(usual),
      floorIs: 'the same without reports',
      budget: 2 * percentile95(usual),
    },
  ]
}

async function repeat(read: () => Promise<number>, times: number): Promise<number[]> {
  const found: number[] = []
  for (let n = 0; n < times; n++) {
    found.push(await read())
    await delay(pauseMs)
  }
  return found.slice(times / 10)
}

/** The second half is due a minute later. */
async function createReports({ client, dashboard }: Bench, due: Date): Promise<number[]> {
  const { result: charts } = await client.json<{ result: { id: number }[] }>(
    'GET',
    `/api/v1/dashboard/${dashboard.id}/charts`,
  )
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    const at = new Date(due.getTime() + (n < count / 2 ? 0 : minuteMs))
    const content =
      n % 2 === 0
        ? { dashboard: dashboard.id, report_format: 'PDF' }
        : { chart: charts[n % charts.length]!.id, report_format: 'PNG' }
    const { id } = await client.json<{ id: number }>('POST', '/api/v1/report/', {
      type: 'Report',
      name: `report ${n}`,
      crontab: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`,
      timezone: 'UTC',
      recipients: [{ type: 'Folder', recipient_config_json: { target: 'bench' } }],
      ...content,
    })
    ids.push(id)
  }
  return ids
}

const readLast = async ({ client }: Bench, id: number): Promise<Run | undefined> =>
  (await client.json<{ result: Run[] }>('GET', `/api/v1/report/${id}/log/`)).result.find(
    ({ state }) => state !== 'Working',
  )

/** The last one that is due is usually the last one that is sent. */
async function areSent(bench: Bench, ids: readonly number[]): Promise<boolean> {
  for (const id of ids.slice(-5).concat(ids)) if (!(await readLast(bench, id))) return false
  return true
}

const readRuns = async (bench: Bench, ids: readonly number[]): Promise<Run[]> => {
  const runs: Run[] = []
  for (const id of ids) {
    const run = await readLast(bench, id)
    if (run) runs.push(run)
  }
  return runs
}
