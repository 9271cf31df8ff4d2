import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from './testing.ts'

let cars: CarsServer
beforeAll(async () => {
  cars = await startCarsServer()
}, 60_000)
afterAll(() => cars?.close())

describe('API-076: GET /api/v1/time_range/', () => {
  const get = async (q: string) => {
    const response = await cars.server.as('admin').get(`/api/v1/time_range/?q=${encodeURIComponent(q)}`)
    return [response.statusCode, response.json<{ result?: unknown; message?: string }>()] as const
  }
  it('answers one range with an object, and a list with a list', async () => {
    const range = { since: '2026-01-01T00:00:00', until: '2026-04-01T00:00:00', timeRange: '2026-Q1' }
    expect(await get(`'2026-Q1'`)).toEqual([200, { result: range }])
    expect(await get(`!((timeRange:'2026-Q1'),(timeRange:' : 2026-01-01',shift:'28 days ago'))`)).toEqual([
      200,
      {
        result: [
          { ...range, shift: null },
          { since: '', until: '2025-12-04T00:00:00', timeRange: ' : 2026-01-01', shift: '28 days ago' },
        ],
      },
    ])
    expect(await get('!()')).toEqual([200, { result: [] }])
  })
  it.each([`'foo'`, `!((timeRange:foo))`])('refuses %s by name', async (q) => {
    expect(await get(q)).toEqual([400, { message: 'Unexpected time range: Cannot parse time string [foo]' }])
  })
  it.each([`!('Last week')`, '(timeRange:foo)', '5', `!((timeRange:5))`, `!((timeRange:foo,shift:!(1)))`])(
    'refuses %s, which is no range and no list of them',
    async (q) => expect((await get(q))[0]).toBe(400),
  )
  it('refuses a list that is too long', async () => {
    expect((await get(`!(${Array.from({ length: 101 }, () => '(timeRange:today)').join(',')})`))[0]).toBe(400)
  })
})

describe('a range of a chart that is not understood', () => {
  const ask = (query: object) =>
    cars.server.as('admin').post('/api/v1/chart/data', {
      datasource: { id: cars.dataset, type: 'table' },
      queries: [{ metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }], ...query }],
    })
  it('is refused by name, in the query and in a filter', async () => {
    for (const query of [
      { time_range: 'foo', granularity: 'Year' },
      { filters: [{ col: 'Year', op: 'TEMPORAL_RANGE', val: 'foo' }] },
    ]) {
      const response = await ask(query)
      expect([response.statusCode, response.body]).toEqual([400, expect.stringContaining('[foo]')])
    }
  })
  it('a filter without a range restricts nothing', async () => {
    const counts = await Promise.all(
      [[], [{ col: 'Year', op: 'TEMPORAL_RANGE', val: '' }], [{ col: 'Year', op: 'TEMPORAL_RANGE', val: null }]].map(
        async (filters) => (await ask({ filters })).json<{ result: { data: unknown }[] }>().result?.[0]?.data,
      ),
    )
    expect(counts[0]).toEqual([{ n: expect.any(Number) }])
    expect(counts[1]).toEqual(counts[0])
    expect(counts[2]).toEqual(counts[0])
  })
})
