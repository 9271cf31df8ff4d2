import { AppError } from '@parquetry/model/errors'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { toFrames, type FixtureColumn } from '../testing/frames.ts'
import { type TimeBounds, legacyData, legacyQuery, legacyType, legacyTypes } from './index.ts'

/** Rows of a query and the `data` they become; `source` documents where the expectation comes from. */
interface Fixture {
  source: string
  form: ChartForm & { viz_type: string }
  bounds?: TimeBounds
  columns: FixtureColumn[]
  data: unknown
  colnames?: string[]
}

const folder = fileURLToPath(new URL('fixtures/', import.meta.url))
const fixtures = readdirSync(folder).map(
  (file) => [file.slice(0, -'.json'.length), JSON.parse(readFileSync(folder + file, 'utf8')) as Fixture] as const,
)
const unbounded: TimeBounds = { from: null, to: null }
const buildFrame = (columns: FixtureColumn[]) => toFrames({ rows: columns })['rows']!
const buildAnswer = async (form: ChartForm, columns: FixtureColumn[], bounds = unbounded) => {
  const { json, colnames } = await legacyData(buildFrame(columns), form, bounds)
  return { data: JSON.parse(json) as unknown, colnames }
}

/** `$any` in a recorded response matches any value; fractions match to nine decimals. */
function matcher(value: unknown): unknown {
  if (value === '$any') return expect.anything()
  if (typeof value === 'number' && !Number.isInteger(value)) return expect.closeTo(value, 9)
  if (Array.isArray(value)) return value.map(matcher)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, matcher(each)]))
  return value
}

describe('API-057: `data` of the legacy endpoint', () => {
  it.each(fixtures.filter(([, { form }]) => legacyType(form.viz_type)))(
    '%s',
    async (_, { form, bounds, columns, data, colnames }) => {
      const result = await buildAnswer(form, columns, bounds)
      expect(result.data).toEqual(matcher(data))
      expect(result.colnames).toEqual(colnames ?? result.colnames)
    },
  )

  it('has a fixture for every type, each with its source', () => {
    const covered = new Set(fixtures.map(([, { form }]) => form.viz_type))
    expect(legacyTypes.filter((type) => !covered.has(type))).toEqual([])
    expect(fixtures.filter(([, { source }]) => !source)).toEqual([])
  })

  it('finds countries by each kind of code, and leaves unknown ones without a country', async () => {
    const { form, columns } = Object.fromEntries(fixtures)['world_map']!
    const findCountries = async (kind: string, values: string[]) => {
      const rows = columns.map((column) => (column.name === 'country' ? { ...column, values } : column))
      const { data } = await buildAnswer({ ...form, country_fieldtype: kind }, rows)
      return (data as { country: string; name?: string }[]).map(({ country, name }) => `${country} ${name ?? ''}`)
    }
    const five = ['Thailand', 'XXX', 'nobody', '', 'Palau']
    expect(await findCountries('name', five)).toEqual(['THA Thailand', 'XXX ', 'XXX ', 'XXX ', 'PLW Palau'])
    expect((await findCountries('cca2', ['TH', 'de', 'TH', 'TH', 'TH'])).slice(0, 2)).toEqual([
      'THA Thailand',
      'DEU Germany',
    ])
    expect((await findCountries('cioc', ['GER', 'DEU', 'TH', 'TH', 'TH'])).slice(0, 2)).toEqual(['DEU Germany', 'XXX '])
  })
})

describe('queries of legacy forms', () => {
  const query = (form: ChartForm, bounds = unbounded) => legacyQuery(legacyType(form['viz_type'])!, form, bounds)

  it('a time series ranks by its first metric, ascending unless `order_desc` is set', () => {
    const form = { viz_type: 'line', metrics: ['a', 'b'], groupby: ['g'], limit: 7, granularity_sqla: 'at' }
    expect(query(form)).toMatchObject({
      columns: ['g'],
      metrics: ['a', 'b'],
      is_timeseries: true,
      granularity: 'at',
      series_limit: 7,
      orderby: [['a', true]],
    })
    expect(query({ ...form, order_desc: true, timeseries_limit_metric: 'b' }).orderby).toEqual([['b', false]])
  })

  it('queries raw rows, without the columns that other settings name', () => {
    expect(query({ viz_type: 'histogram', all_columns_x: ['n'], groupby: ['g'], metrics: ['x'] })).toMatchObject({
      columns: ['n', 'g'],
      metrics: null,
    })
    expect(query({ viz_type: 'table', all_columns: ['n'], order_by_cols: ['["n", false]'] })).toMatchObject({
      columns: ['n'],
      orderby: [['n', false]],
    })
  })

  it.each([
    [{ viz_type: 'dist_bar', groupby: ['g'] }, 'Pick at least one metric'],
    [{ viz_type: 'dist_bar', groupby: ['g'], columns: ['g'], metrics: ['n'] }, 'not both'],
    [{ viz_type: 'table', all_columns: ['a'], metrics: ['n'] }, 'not both'],
    [{ viz_type: 'cal_heatmap', metrics: ['n'] }, 'Please provide both time bounds (Since and Until)'],
    [{ viz_type: 'line', metrics: ['n'], time_compare: ['1 week'] }, 'An enclosed time range'],
    [{ viz_type: 'bubble', x: 'n', y: 'n', size: 'n', entity: 'e' }, 'different labels'],
    [{ viz_type: 'sankey', groupby: ['a'], metric: 'n' }, 'two columns'],
    [{ viz_type: 'deck_scatter' }, 'contain the location'],
  ])('rejects %j with a message', (form, sentence) => {
    expect(() => query(form)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    expect(() => query(form)).toThrow(sentence)
  })

  it('rejects flows that form a loop, and names the two nodes that close it', async () => {
    const links = (from: string[], to: string[]) => [
      { name: 'a', values: from },
      { name: 'b', values: to },
      { name: 'n', values: from.map(() => 1) },
    ]
    const form = { viz_type: 'sankey', groupby: ['a', 'b'], metric: 'n' }
    await expect(buildAnswer(form, links(['x', 'y', 'z'], ['y', 'z', 'x']))).rejects.toThrow('from z to x')
    const chain = Array.from({ length: 20_000 }, (_, index) => String(index))
    expect((await buildAnswer(form, links(chain.slice(1), chain.slice(0, -1)))).data).toHaveLength(19_999)
  })
})

describe('unusual rows', () => {
  it('a result without rows is null', async () => {
    for (const type of legacyTypes) expect((await buildAnswer({ viz_type: type }, [])).data).toBeNull()
  })

  it('integers beyond 2^53 keep their digits', async () => {
    const frame = {
      rows: 1,
      columns: [
        { kind: 'bigint', name: 'id', type: null, validity: null, data: new BigInt64Array([9007199254740993n]) },
      ],
    }
    const { json } = await legacyData(frame as never, { viz_type: 'table', all_columns: ['id'] }, unbounded)
    expect(json).toBe('{"records":[{"id":9007199254740993}],"columns":["id"]}')
  })

  it('treats markup and JavaScript property names as plain names', async () => {
    const names = ['<script>alert(1)</script>', '__proto__', 'constructor']
    const columns = [
      { name: 'g', values: names },
      { name: '__proto__', values: [1, 2, 3] },
    ]
    const { json } = await legacyData(
      buildFrame(columns),
      { viz_type: 'table', groupby: ['g'], metrics: ['__proto__'] },
      unbounded,
    )
    expect(json).toContain('{"g":"constructor","__proto__":3}')
    const pivot = { viz_type: 'pivot_table', groupby: ['g'], metrics: ['__proto__'] }
    expect((await legacyData(buildFrame(columns), pivot, unbounded)).json).not.toContain('<script')
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  it('rejects a type that the legacy endpoint does not support', async () => {
    await expect(legacyData(buildFrame([]), { viz_type: 'pie' }, unbounded)).rejects.toThrow(AppError)
  })
})
