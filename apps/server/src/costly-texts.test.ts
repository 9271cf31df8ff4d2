import { createZip } from '@parquetry/bundle'
import { measureEventLoop } from '@parquetry/testing/processor-time'
import type { Response } from 'light-my-request'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestLab, type TestLab } from './sqllab/testing.ts'
import type { Client } from './testing.ts'

let lab: TestLab
let ada: Client
beforeAll(async () => {
  lab = await startTestLab({ settings: { flags: { ENABLE_TEMPLATE_PROCESSING: true, KV_STORE: true } } })
  ada = lab.server.as('admin')
  await ada.get('/api/v1/me/')
})
afterAll(() => lab.close())

const form = async (field: string, file: Buffer, name: string, fields: Record<string, string> = {}) => {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields)) data.append(key, value)
  data.append(field, new Blob([Uint8Array.from(file)]), name)
  const request = new Request('http://test/', { method: 'POST', body: data })
  return {
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  }
}
const zip = (files: Record<string, string | Buffer>) =>
  createZip(new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])), new Date())
/** Creates an archive of one file that its directory lists many times. */
function manyEntries(packed: Buffer, count: number): Buffer {
  const end = Buffer.from(packed.subarray(-22))
  const [size, offset] = [end.readUInt32LE(12), end.readUInt32LE(16)]
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(count * size, 12)
  const entry = packed.subarray(offset, offset + size)
  return Buffer.concat([packed.subarray(0, offset), ...Array<Buffer>(count).fill(entry), end])
}
const metadata = 'version: 1.0.0\ntype: SavedQuery\ntimestamp: x\n'
const bundle = async (files: Record<string, string | Buffer>) =>
  form('formData', await zip({ 'r/metadata.yaml': metadata, ...files }), 'export.zip')
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index))

const importQueries = (sent: () => ReturnType<typeof bundle>) => async () => {
  const options = await sent()
  return () => ada.send('POST', '/api/v1/saved_query/import/', options)
}
const run = (sql: () => string) => () => {
  const text = sql()
  return () => lab.run(text)
}
const posting =
  (path: string, body: () => string, type = 'application/json') =>
  () => {
    const options = { payload: body(), headers: { 'content-type': type } }
    return () => ada.send('POST', path, options)
  }
const doubled = '{% for i in range(40) %}{% set ns.a = [ns.a, ns.a] %}{% endfor %}{{ ns.a == ns.a }}'
const workbook = () => {
  const rows = Buffer.from('<row><c><v>1</v></c></row>'.repeat(1_000_000))
  return zip({
    'xl/_rels/workbook.xml.rels': '<r><Relationship Id="a" Target="worksheets/a.xml"/></r>',
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="a"/></sheets></workbook>',
    'xl/worksheets/a.xml': `<worksheet><sheetData>${rows.toString()}`,
  })
}

/** Prepares an expensive request before the event loop is watched, and returns the function that sends it. */
type Costly = () => Promise<() => Promise<Response>> | (() => Promise<Response>)

/** Read in another process: the server responds to others meanwhile. */
const offloaded: [string, Costly, number, string][] = [
  [
    'YAML of 40,000 keys in one map',
    importQueries(() => bundle({ 'r/queries/a.yaml': lines(40_000, (index) => `key ${index}: 1`).join('\n') })),
    422,
    'Missing data for required field.',
  ],
  [
    'YAML of nine megabytes',
    importQueries(() =>
      bundle({
        'r/queries/a.yaml': Buffer.from(
          `a: |\n${lines(180_000, (index) => `  ${index} ${'ä'.repeat(20)}`).join('\n')}`,
        ),
      }),
    ),
    422,
    'Missing data for required field.',
  ],
  [
    'YAML of very many values',
    importQueries(() => bundle({ 'r/queries/a.yaml': `a:\n${lines(1_000_000, (index) => `- ${index}`).join('\n')}` })),
    422,
    'more than 100,000 values',
  ],
  [
    'an archive of 60,000 files',
    importQueries(async () => form('formData', manyEntries(await zip({ 'r/a.txt': '' }), 60_000), 'export.zip')),
    422,
    'more than 12,000 files',
  ],
  [
    'an archive that unpacks to a thousand times its size',
    importQueries(async () => {
      const zeros = Buffer.alloc(1 << 20)
      return bundle(Object.fromEntries(lines(40, (index) => `r/charts/${index}.yaml`).map((path) => [path, zeros])))
    }),
    422,
    'larger than allowed',
  ],
  [
    'SQL of 3,000 lines to be formatted',
    posting('/api/v1/sqllab/format_sql/', () =>
      JSON.stringify({ sql: lines(3000, (index) => `select a,b from t${index} where c=1;`).join('\n') }),
    ),
    200,
    'from t9\\n',
  ],
  ['SQL that names a table 30,000 times', run(() => `SELECT 1 FROM ${'c,'.repeat(30_000)}c`), 400, ''],
  [
    'a workbook of a million rows in little space',
    async () => {
      const sent = await form('file', await workbook(), 'a.xlsx', { type: 'excel' })
      return () => ada.send('POST', '/api/v1/database/upload_metadata/', sent)
    },
    200,
    '',
  ],
]

/** Rejected before it causes work. */
const refused: [string, Costly, number, string][] = [
  [
    'JSON of very many values',
    posting('/api/v1/chart/data', () => `{"queries":[${lines(60_000, (index) => `{"${index}":1}`).join(',')}]}`),
    413,
    'more than 100,000 values',
  ],
  [
    'a layout of very many values',
    posting('/api/v1/dashboard/', () =>
      JSON.stringify({ dashboard_title: 'x', position_json: `{"a":[${'[],'.repeat(1_000_000)}1]}` }),
    ),
    400,
    'too many values',
  ],
  [
    'a form of very many fields',
    posting('/kv/store/', () => 'a&'.repeat(500_000), 'application/x-www-form-urlencoded'),
    400,
    'at most 1,000 fields',
  ],
  [
    'a form of very many parts',
    importQueries(async () => ({
      payload: Buffer.from(
        `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(100_000)}--x--\r\n`,
      ),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })),
    400,
    'at most 1,000 fields',
  ],
  ['a template of blanks', run(() => `SELECT 1${' '.repeat(500_000)}x {{ 1 }}`), 400, ''],
  ['a template of tags', run(() => `SELECT ${'{{1}}'.repeat(100_000)}`), 400, 'malformed template'],
  ['a template of lists in lists', run(() => `SELECT {% set ns = namespace(a=[1]) %}${doubled}`), 400, 'malformed'],
  ['a template of raw blocks', run(() => `SELECT ${'{%raw%}'.repeat(60_000)}`), 400, 'malformed template'],
  ['SQL of quotes that nothing closes', run(() => `SELECT ${"$a$ '\\".repeat(10_000)}`), 400, ''],
]

/** Maximum time of blocking. Without limits each of these requests would block all others for seconds or hours. */
const mostHeldMs = 1500

async function measure(costly: Costly): Promise<{ answer: Response; order: string[]; heldMs: number }> {
  const send = await costly()
  const order: string[] = []
  const { result: answer, longestMs: heldMs } = await measureEventLoop(async () => {
    const sending = send().finally(() => order.push('costly'))
    const health = await lab.server.as('nobody').get('/health')
    order.push(`health ${health.statusCode}`)
    return sending
  })
  return { answer, order, heldMs }
}

it.each(offloaded)(
  'regression: %s: later requests are served first',
  async (_name, costly, status, sentence) => {
    const { answer, order, heldMs } = await measure(costly)
    expect([answer.statusCode, answer.body.slice(0, 1000)]).toEqual([status, expect.stringContaining(sentence)])
    expect(order).toEqual(['health 200', 'costly'])
    expect(heldMs).toBeLessThan(mostHeldMs)
  },
  120_000,
)

it.each(refused)(
  'regression: %s is rejected immediately',
  async (_name, costly, status, sentence) => {
    const { answer, heldMs } = await measure(costly)
    expect([answer.statusCode, answer.body.slice(-2000)]).toEqual([status, expect.stringContaining(sentence)])
    expect(heldMs).toBeLessThan(mostHeldMs)
  },
  120_000,
)

it('reports the loss of a reader process, and reads the next input', async () => {
  const send = await importQueries(() =>
    bundle({ 'r/queries/a.yaml': lines(40_000, (index) => `- {a: ${index}}`).join('\n') }),
  )()
  const sending = send()
  const isReading = () => lab.runners.stats().runners.find(({ kind, busy }) => kind === 'reader' && busy > 0)
  while (!isReading()) await new Promise((resolve) => setImmediate(resolve))
  process.kill(isReading()!.pid, 'SIGKILL')
  const response = await sending
  expect([response.statusCode, response.body]).toEqual([
    503,
    expect.stringContaining('The process that was reading this ended'),
  ])
  const next = await (await importQueries(() => bundle({ 'r/queries/a.yaml': 'uuid: x' }))())()
  expect(next.statusCode).toBe(422)
}, 60_000)
