import { createZip } from '@parquetry/bundle'
import type { Bench } from './bench.ts'
import type { Figure } from './figure.ts'
import { startHealthPoller } from './health-poller.ts'

/** Longest allowed wait of others, in milliseconds. */
const budget = 200

/** Longest allowed block of the server's event loop, in milliseconds; up to 10 of it are inaccuracy of the clock. */
const loopBudget = 50

/** Texts that are rejected immediately are sent again for this long, so that other requests run meanwhile. */
const minMs = 1000

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** Texts that are costly to parse; each is rejected or parsed elsewhere while another user sends requests. */
const inputs: Record<string, () => Promise<{ path: string; body: string | FormData }>> = {
  'an import of 40,000 keys': () => bundle(lines(40_000, (at) => `key ${at}: 1`)),
  'an import of 9 MB': () => bundle(`a: |\n${lines(600_000, (at) => `  line ${at}`)}`),
  'an import of very many values': () => bundle(`a:\n${lines(1_000_000, (at) => `- ${at}`)}`),
  'SQL of 10,000 lines to be formatted': () => {
    const sql = lines(10_000, (at) => `select a,b from t${at} where c=1;`)
    return Promise.resolve({ path: '/api/v1/sqllab/format_sql/', body: JSON.stringify({ sql }) })
  },
  'JSON of very many values': () =>
    Promise.resolve({ path: '/api/v1/chart/data', body: `{"queries":[${'[],'.repeat(300_000)}1]}` }),
}

async function bundle(text: string) {
  const files = { 'r/metadata.yaml': 'version: 1.0.0\ntype: SavedQuery\ntimestamp: x\n', 'r/queries/a.yaml': text }
  const zip = await createZip(
    new Map(Object.entries(files).map(([path, file]) => [path, Buffer.from(file)])),
    new Date(),
  )
  const body = new FormData()
  body.append('formData', new Blob([Uint8Array.from(zip)]), 'export.zip')
  return { path: '/api/v1/saved_query/import/', body }
}

/** Longest block of the server's event loop in milliseconds since the last call. */
async function readMaxLoopLag(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1]
  if (seconds === undefined) throw new Error('the server does not say how long its loop was held')
  return Number(seconds) * 1000
}

/**
 * The longest wait of another caller for the server's health, and the longest block of its event loop, while each text is parsed.
 */
export async function largeInputs({ product, client }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, make] of Object.entries(inputs)) {
    const { path, body } = await make()
    const other = startHealthPoller(product.url)
    await other.started
    const isForm = body instanceof FormData
    const headers = { ...client.headers, ...(!isForm && { 'Content-Type': 'application/json' }) }
    await readMaxLoopLag(product.url)
    const end = performance.now() + minMs
    do await (await fetch(product.url + path, { method: 'POST', headers, body })).text()
    while (performance.now() < end)
    const held = await readMaxLoopLag(product.url)
    const waits = await other.end()
    if (!waits.length) throw new Error(`nobody asked beside ${what}`)
    figures.push({
      name: `texts: the next answer beside ${what}`,
      unit: 'ms',
      value: Math.max(...waits),
      runs: waits.length,
      budget,
    })
    figures.push({
      name: `texts: the loop is held by ${what}`,
      unit: 'ms',
      value: held,
      runs: waits.length,
      budget: loopBudget,
    })
  }
  return figures
}
