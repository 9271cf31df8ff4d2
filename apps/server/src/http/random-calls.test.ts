import { createZip } from '@parquetry/bundle'
import { createRandom, listSeeds, nameCase } from '@parquetry/model/testing/random'
import { type ApiDocument, listOperations, type NamedOperation } from '@parquetry/testing/fuzz/api-document'
import { RandomCalls } from '@parquetry/testing/fuzz/random-call'
import type { Response } from 'light-my-request'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
  const admin = cars.server.as('admin')
  for (const [resource, body] of Object.entries({
    chart: { slice_name: 'c', datasource_id: cars.dataset, datasource_type: 'table', viz_type: 'table' },
    dashboard: { dashboard_title: 'd', published: true },
    saved_query: { label: 's', sql: 'select 1', db_id: 1 },
  }))
    expect((await admin.post(`/api/v1/${resource}/`, body)).statusCode).toBe(201)
}, 60_000)
afterAll(() => cars.close())

const pack = (files: ReadonlyMap<string, Buffer>) => createZip(files, new Date(0))
const users = ['admin', 'admin', 'admin', 'gamma', 'gamma', 'nobody'] as const

/** Responses that last until the client leaves. */
const isEndless = ({ path }: NamedOperation): boolean => /\/(?:stream|ws)$/.test(path)

/** Test servers answer 500 when a body does not match its contract. */
const isWrong = ({ operation }: NamedOperation, { statusCode, headers }: Response): boolean =>
  (statusCode >= 500 && !(statusCode === 503 && headers['retry-after'])) || !operation.responses[statusCode]

it('random calls of the OpenAPI document answer with a documented status and never with a 5xx', async () => {
  const document = (await cars.server.as('admin').get('/api/v1/_openapi')).json<ApiDocument>()
  const operations = listOperations(document).filter((each) => !isEndless(each))
  const wrong: string[] = []
  // `npm run fuzz` sends many more.
  for (const seed of listSeeds(operations.length)) {
    const random = createRandom(seed)
    const named = operations[seed % operations.length]!
    const { method, path, headers, payload } = await new RandomCalls(document, random, pack).next(named)
    const response = await cars.server
      .as(random.pick(users))
      .send(method, path, { headers, ...(payload && { payload }) })
    if (isWrong(named, response))
      wrong.push(`${nameCase(seed)}: ${method} ${path}: ${response.statusCode} ${response.body.slice(0, 300)}`)
  }
  expect(wrong).toEqual([])
}, 60_000)
