import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeArchive } from '@parquetry/bundle'
import { startProduct } from '../../apps/web/journeys/product.ts'
import type { Workload } from './bench.ts'
import { createSignedInClient } from './client.ts'
import type { Figure } from './figure.ts'
import { listProcessTree, readMemoryMb } from './processes.ts'

/** As many objects as one import may have. */
const objects = 10_000
const datasets = 99
const charts = objects - datasets - 1

const uuid = (kind: number, at: number): string => `${kind}0000000-0000-4000-8000-${String(at).padStart(12, '0')}`

/**
 * A bundle of one database, its datasets and their charts.
 * @param extraBytes  added to each chart
 */
export async function packObjects(extraBytes = 0): Promise<Buffer> {
  const files = new Map<string, Record<string, unknown>>([
    ['databases/d.yaml', { database_name: 'bench', sqlalchemy_uri: 'duckdb://', uuid: uuid(1, 0), version: '1.0.0' }],
  ])
  for (let at = 0; at < datasets; at += 1)
    files.set(`datasets/bench/t${at}.yaml`, {
      table_name: `t${at}`,
      uuid: uuid(2, at),
      database_uuid: uuid(1, 0),
      columns: Array.from({ length: 10 }, (_, column) => ({ column_name: `c${column}`, type: 'VARCHAR' })),
      metrics: [{ metric_name: 'count', expression: 'count(*)' }],
      version: '1.0.0',
    })
  for (let at = 0; at < charts; at += 1) {
    const text = Array.from({ length: Math.ceil(extraBytes / 64) }, (_, line) =>
      `${at} ${line} `.padEnd(63, 'abcdef'),
    ).join('\n')
    files.set(`charts/c${at}.yaml`, {
      slice_name: `Chart ${at}`,
      viz_type: 'table',
      uuid: uuid(3, at),
      dataset_uuid: uuid(2, at % datasets),
      params: {
        viz_type: 'table',
        query_mode: 'aggregate',
        groupby: ['c1', 'c2'],
        metrics: ['count'],
        adhoc_filters: [
          { clause: 'WHERE', expressionType: 'SIMPLE', subject: 'c3', operator: '==', comparator: String(at) },
        ],
        row_limit: 1000,
        ...(extraBytes > 0 && { handlebarsTemplate: text }),
      },
      version: '1.0.0',
    })
  }
  const metadata = { version: '1.0.0', type: 'assets', timestamp: '2026-01-01T00:00:00+00:00' } as const
  return writeArchive({ metadata, files }, 'bench')
}

const sampleMs = 200
const readTreeMb = (pid: number): number => listProcessTree(pid).reduce((all, each) => all + readMemoryMb(each), 0)

/** Duration of work of a server in milliseconds, and how much more memory its processes used meanwhile. */
export async function measureWork(pid: number, work: () => Promise<void>): Promise<{ ms: number; mb: number }> {
  const before = readTreeMb(pid)
  let most = before
  const sampler = setInterval(() => (most = Math.max(most, readTreeMb(pid))), sampleMs)
  const begun = performance.now()
  try {
    await work()
  } finally {
    clearInterval(sampler)
  }
  return { ms: performance.now() - begun, mb: most - before }
}

/** Imports an archive. @throws Error for any other answer than 200 */
export async function importAssets(url: string, headers: Record<string, string>, archive: Buffer): Promise<void> {
  const body = new FormData()
  body.append('bundle', new Blob([Uint8Array.from(archive)]), 'bundle.zip')
  const response = await fetch(`${url}/api/v1/assets/import/`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`the import was answered ${response.status}: ${await response.text()}`)
}

/** Exports everything and returns the size of the archive. */
export async function exportAssets(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${url}/api/v1/assets/export/`, { headers })
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
  if (!response.ok) throw new Error(`the export was answered ${response.status}`)
  return bytes
}

/** The largest import into a server of its own, and the export of what it brought. Memory is measured on Linux only. */
export const bundles: Workload = async () => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-bundles-'))
  const product = await startProduct({ home, env: { PARQUETRY_EXAMPLES: '0', PARQUETRY_LOG: 'warn' } })
  try {
    const { headers } = await createSignedInClient(product.url, 'admin')
    const archive = await packObjects()
    const imported = await measureWork(product.pid, () => importAssets(product.url, headers, archive))
    const exported = await measureWork(product.pid, async () => void (await exportAssets(product.url, headers)))
    const figure = (name: string, unit: Figure['unit'], value: number, budget: number): Figure => ({
      name: `bundles: ${name}`,
      unit,
      value,
      runs: 1,
      budget,
    })
    return [
      figure('import of 10,000 objects', 'ms', imported.ms, 180_000),
      figure('import of 10,000 objects, more memory', 'MB', imported.mb, 300),
      figure('export of 10,000 objects', 'ms', exported.ms, 180_000),
      figure('export of 10,000 objects, more memory', 'MB', exported.mb, 300),
    ]
  } finally {
    await product.stop()
    rmSync(home, { recursive: true, force: true })
  }
}
