import { readExceptions, readInventory, readReference, type InventoryRow } from '@parquetry/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from './chart/testing.ts'
import { undocumentedErrors } from './http/check-answers.testing.ts'
import { createObjects, fillPath, type PathValues } from './inventory.testing.ts'
import { defaultFlags } from './settings/config.ts'

let cars: CarsServer
/** Parameters of most calls. */
let objects: PathValues
/** Parameters of calls that delete several objects, which come last. */
let others: PathValues

beforeAll(async () => {
  // Other test files run in this process, too.
  undocumentedErrors.clear()
  const flags = Object.fromEntries(Object.keys(defaultFlags).map((flag) => [flag, true]))
  cars = await startCarsServer({ settings: { flags } })
  objects = await createObjects(cars, 'one')
  others = await createObjects(cars, 'two')
}, 60_000)
afterAll(() => cars.close())

const rows = readInventory()
const isBulkDelete = ({ method, path }: InventoryRow): boolean => method === 'DELETE' && path.endsWith('/')

/** Deletions last, and parts of an object before the object. */
const order = ({ method, path }: InventoryRow): number => (method === 'DELETE' ? 1000 - path.length : 0)

/** Query strings without which a call looks for nothing. */
const queryOf = (row: InventoryRow): string => {
  const values = isBulkDelete(row) ? others : objects
  const id = values[`${row.path}{pk}`] ?? values[`${row.path}{annotation_id}`]
  if (isBulkDelete(row) && id !== undefined) return `?q=!(${id})`
  if (/\/(?:export|favorite_status)\/$/.test(row.path))
    return `?q=!(${objects[row.path.replace(/[^/]+\/$/, '{pk}')] ?? 1})`
  return ''
}

const bodies: Readonly<Record<string, object>> = {
  'POST /api/v1/tag/{object_type}/{object_id}/': { properties: { tags: ['one'] } },
}
const forms: Readonly<Record<string, Record<string, string>>> = {
  'POST /superset/stop_query/': { client_id: 'c-one' },
}

interface Outcome {
  row: InventoryRow
  status: number
  body: string
}

/** A call that is not there has no address, or none for its method. Every object that the calls name exists. */
const isMissing = ({ status }: Outcome): boolean => status === 404 || status === 405

/** The address of a screenshot, which a change of rights ends: it is started just before it is read. */
async function startScreenshot(path: string): Promise<string> {
  const [object = ''] = path.split('/screenshot/')
  const admin = cars.server.as('admin')
  const response = object.includes('/chart/')
    ? await admin.get(`${object}/cache_screenshot/`)
    : await admin.post(`${object}/cache_dashboard_screenshot/`, {})
  return new URL(response.json<{ image_url: string }>().image_url).pathname
}

async function send(row: InventoryRow): Promise<Outcome> {
  const filled = `${fillPath(row.path, isBulkDelete(row) ? others : objects)}${queryOf(row)}`
  const path = row.path.includes('/screenshot/') ? await startScreenshot(filled) : filled
  const form = forms[row.route]
  const options = form
    ? {
        payload: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }
    : row.method === 'POST' || row.method === 'PUT'
      ? { payload: bodies[row.route] ?? {} }
      : {}
  const { statusCode: status, body } = await cars.server.as('admin').send(row.method, path, options)
  return { row, status, body }
}

const summarize = ({ row, status, body }: Outcome): string => `${status} ${row.route} ${body.slice(0, 200)}`

it('every documented call answers, unless the list of exceptions says that it is not there', async () => {
  const outcomes: Outcome[] = []
  for (const row of rows.toSorted((a, b) => order(a) - order(b))) outcomes.push(await send(row))
  const absent = outcomes.filter(({ row }) => row.state === 'later' || row.state === 'not there')
  const present = outcomes.filter(({ row }) => row.state === 'same' || row.state === 'different')
  expect(present.filter(isMissing).map(summarize)).toEqual([])
  expect(absent.filter((one) => !isMissing(one)).map(summarize)).toEqual([])
  expect(outcomes.filter(({ status }) => status >= 500).map(summarize)).toEqual([])
  const withoutError = absent.filter(({ row, body }) => row.path.startsWith('/api/') && !body.startsWith('{"'))
  expect(withoutError.map(summarize)).toEqual([])
}, 60_000)

it('no documented call answers an error whose status is not in the OpenAPI document', () => {
  expect([...undocumentedErrors].toSorted()).toEqual([])
})

it('the exceptions are documented calls, each listed once with a reason', () => {
  const routes = new Set(readReference<{ route: string }>('inventory.json').map(({ route }) => route))
  const listed = readExceptions().flatMap((exception) => exception.routes)
  expect(listed.filter((route) => !routes.has(route))).toEqual([])
  expect(listed.filter((route, index) => listed.indexOf(route) !== index)).toEqual([])
  for (const { reason } of readExceptions()) expect(reason).toMatch(/^[A-Z].{10,}\.$/)
})

it('at most 15 documented calls are not there on purpose', () => {
  expect(rows.filter(({ state }) => state === 'not there').length).toBeLessThanOrEqual(15)
})
