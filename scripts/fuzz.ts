// `npm run fuzz [-- --calls 20000 --seed 7]` sends random calls of the OpenAPI document to a fresh installation, as an
// administrator, as a user with the role Gamma and without signing in. It prints answers with a 5xx, with a status that is not
// documented, or with a body that does not match its schema; the exit code is then 1.
//   --calls  number of calls; the operations of the document take turns
//   --seed   number that determines the calls; the same seed sends the same calls
//   --only   sends only calls whose method and path contain this text
import { createZip } from '@parquetry/bundle'
import { createRandom } from '@parquetry/model/testing/random'
import { type ApiDocument, listOperations, type NamedOperation } from '@parquetry/testing/fuzz/api-document'
import { type FuzzCall, RandomCalls } from '@parquetry/testing/fuzz/random-call'
import { parseArgs } from 'node:util'
import { addUser, createApiClient, startProduct } from '../apps/web/journeys/product.ts'
import { createAnswerCheck } from './fuzz/check-answer.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const calls = Number(values.calls)
const seed = Number(values.seed)
const concurrency = 4
const timeoutMs = 30_000
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const pack = (files: ReadonlyMap<string, Buffer>) => createZip(files, new Date(0))

const product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0', PARQUETRY_LOG: 'error' } })
/** Number of times that each problem was found, by its text. The first one of each is printed at once. */
const problems = new Map<string, number>()
const statuses = new Map<number, number>()
const succeeded = new Set<NamedOperation>()
/** Set once the document is known. */
let operationCount = 0
try {
  await sendCalls()
} finally {
  await product.stop()
}
print(
  `\n${[...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join('  ')}`,
)
for (const [problem, count] of [...problems].toSorted(([a], [b]) => (a < b ? -1 : 1))) print(`${count} × ${problem}`)
print(
  `\nfuzz: ${calls} calls with the seed ${seed}, ${problems.size} problems. ${succeeded.size} of ${operationCount} kinds of calls succeeded.`,
)
process.exitCode = problems.size > 0 ? 1 : 0

async function sendCalls(): Promise<void> {
  addUser(product, 'gamma', 'Gamma')
  const tokens = [await signIn('admin'), await signIn('gamma'), undefined]
  await createObjects()
  const headers = { authorization: `Bearer ${tokens[0]}` }
  const document = (await (await fetch(`${product.url}/api/v1/_openapi`, { headers })).json()) as ApiDocument
  const operations = listOperations(document).filter(({ method, path }) => `${method} ${path}`.includes(values.only))
  operationCount = operations.length
  const check = createAnswerCheck(document)
  let next = 0
  const work = async () => {
    for (let index = next++; index < calls; index = next++) {
      const random = createRandom(seed * 1_000_003 + index)
      const named = operations[index % operations.length]!
      const call = await new RandomCalls(document, random, pack).next(named)
      const token = tokens[random.pick([0, 0, 0, 1, 1, 2])]
      await sendCall(index, named, call, token, check)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  for (const [index, username] of ['admin', 'gamma'].entries()) {
    const me = await fetch(`${product.url}/api/v1/me/`, { headers: { authorization: `Bearer ${tokens[index]}` } })
    if (me.status !== 200) report(`${username} lost the session`, 'calls after that tested nothing')
  }
}

async function signIn(username: string): Promise<string> {
  const response = await fetch(`${product.url}/api/v1/security/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: username, provider: 'db' }),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Creates an object of most kinds. Random calls name it by the ID 1. */
async function createObjects(): Promise<void> {
  const { post } = await createApiClient(product.url, 'admin')
  const create = async (path: string, body: object) => {
    const { status, body: answer } = await post(`/api/v1/${path}/`, body)
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
    return (answer as { id: number }).id
  }
  const database = await create('database', { database_name: 'fuzz', sqlalchemy_uri: 'duckdb://' })
  const dataset = await create('dataset', { database, table_name: 'v', sql: 'select 1 as a' })
  await create('chart', {
    slice_name: 'c',
    datasource_id: dataset,
    datasource_type: 'table',
    viz_type: 'table',
    params: '{}',
  })
  await create('dashboard', { dashboard_title: 'd', published: true })
  await create('saved_query', { label: 'q', sql: 'select 1', db_id: database })
  await create('theme', { theme_name: 't', json_data: '{}' })
  await create('tag', { name: 't' })
  await create('annotation_layer', { name: 'l' })
}

async function sendCall(
  index: number,
  named: NamedOperation,
  call: FuzzCall,
  token: string | undefined,
  check: ReturnType<typeof createAnswerCheck>,
  isRepeated = false,
): Promise<void> {
  const { method, path, headers, payload } = call
  const name = `${method} ${named.path}`
  const body = payload?.toString('latin1').slice(0, 500) ?? ''
  const describe = (answer: string) =>
    `call ${index}: ${method} ${path.slice(0, 300)}\n  body ${JSON.stringify(body)}\n  ${answer}`
  const startedAt = performance.now()
  try {
    const response = await fetch(product.url + path, {
      method,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(payload && { body: new Uint8Array(payload) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const isEndless = response.headers.get('content-type')?.includes('event-stream') ?? false
    const text = isEndless ? '' : await response.text()
    if (isEndless) await response.body?.cancel()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (response.ok) succeeded.add(named)
    const problem = check(named, { status: response.status, headers: response.headers, text })
    if (problem) report(`${name}: ${problem}`, describe(`${response.status} ${text.slice(0, 500)}`))
  } catch (error) {
    const { name: kind, cause } = error as Error
    // The server ends calls that read data when another call changes the rights of their user.
    if (kind !== 'TimeoutError' && !isRepeated) return sendCall(index, named, call, token, check, true)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    report(`${name}: no answer (${kind})`, describe(`after ${seconds} s: ${String(cause)}`))
  }
}

function report(problem: string, example: string): void {
  const count = problems.get(problem) ?? 0
  problems.set(problem, count + 1)
  if (count === 0) print(`\n${problem}\n  ${example}`)
}
