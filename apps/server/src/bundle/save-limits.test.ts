import type { Bundle } from '@parquetry/bundle'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'
import { importBundle } from './import-bundle.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
type Files = Record<string, Record<string, unknown>>
const dataset = (more: object = {}) => ({
  table_name: 't',
  uuid: uuid(2),
  database_uuid: uuid(1),
  columns: [{ column_name: 'a' }],
  ...more,
})
const parents: Files = {
  'databases/d.yaml': { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) },
  'datasets/d/t.yaml': dataset(),
}
const chart = (more: object = {}) => ({
  slice_name: 'c',
  viz_type: 'table',
  uuid: uuid(3),
  dataset_uuid: uuid(2),
  params: {},
  ...more,
})
const dashboard = (more: object = {}) => ({ dashboard_title: 'b', uuid: uuid(4), position: {}, metadata: {}, ...more })
const query = (more: object = {}) => ({ label: 'q', sql: 'select 1', uuid: uuid(5), database_uuid: uuid(1), ...more })
const letters = (n: number) => 'x'.repeat(n)
const mib = 2 ** 20

interface Case {
  type: Bundle['metadata']['type']
  path: string
  /** At the limit. */
  accepted?: Record<string, unknown>
  /** Beyond the limit. */
  refused: Record<string, unknown>
  reason: unknown
}

const board = { type: 'Dashboard', path: 'dashboards/x.yaml' } as const
const slice = { type: 'Slice', path: 'charts/x.yaml' } as const
const table = { type: 'SqlaTable', path: 'datasets/d/t.yaml' } as const
const saved = { type: 'SavedQuery', path: 'queries/x.yaml' } as const
const template = { type: 'CssTemplate', path: 'css_templates/x.yaml' } as const
const style = (css: string) => ({ template_name: 't', uuid: uuid(6), css })
const large = expect.stringMatching(/^It is larger than \d MB/) as unknown
const long = [expect.stringMatching(/Longer than maximum length \d+\./)]
const tooLarge = [expect.stringMatching(/^Your dashboard is too large/)]

const cases: Case[] = [
  {
    ...board,
    accepted: dashboard({ metadata: { a: letters(1_000_000) } }),
    refused: dashboard({ metadata: { a: letters(mib) } }),
    reason: { metadata: tooLarge },
  },
  {
    ...board,
    refused: dashboard({ position: { a: { id: 'a', meta: { text: letters(mib) } } } }),
    reason: { position: tooLarge },
  },
  {
    ...board,
    refused: dashboard({ css: letters(8 * mib) }),
    reason: large,
  },
  {
    ...board,
    accepted: dashboard({ slug: letters(255) }),
    refused: dashboard({ slug: letters(256) }),
    reason: { slug: long },
  },
  {
    ...slice,
    accepted: chart({ params: { a: letters(1_000_000) } }),
    refused: chart({ params: { a: letters(mib) } }),
    reason: large,
  },
  {
    ...slice,
    accepted: chart({ viz_type: letters(250) }),
    refused: chart({ viz_type: letters(251) }),
    reason: { viz_type: long },
  },
  { ...table, refused: dataset({ sql: letters(8 * mib) }), reason: large },
  {
    ...table,
    accepted: dataset({ fetch_values_predicate: letters(1000) }),
    refused: dataset({ fetch_values_predicate: letters(1001) }),
    reason: { fetch_values_predicate: long },
  },
  {
    ...table,
    accepted: dataset({ metrics: [{ metric_name: 'n', expression: '1', d3format: '' }] }),
    refused: dataset({ metrics: [{ metric_name: 'n', expression: '1', d3format: letters(129) }] }),
    reason: { metrics: [expect.stringMatching(/^d3format of item 1: Longer/)] },
  },
  { ...saved, refused: query({ sql: letters(4 * mib) }), reason: large },
  {
    ...saved,
    accepted: query({ schema: letters(128) }),
    refused: query({ schema: letters(129) }),
    reason: { schema: long },
  },
  { ...template, refused: style(letters(mib)), reason: large },
]

describe('limits of what can be imported', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  const load = (type: Bundle['metadata']['type'], files: Files) => {
    const metadata = { version: '1.0.0', type, timestamp: '2026-01-02T03:04:05+00:00' }
    const bundle = { metadata, files: new Map(Object.entries(files)) }
    return importBundle(server.deps.db, bundle, { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: true })
  }

  it.each(cases)('regression: $path that could not be saved afterwards is refused with $reason', async (each) => {
    const { type, path, accepted, refused, reason } = each
    const files = (document: Record<string, unknown>) => ({ ...parents, [path]: document })
    await expect(load(type, files(refused))).rejects.toMatchObject({ status: 422, details: { [path]: reason } })
    if (accepted) await load(type, files(accepted))
  })

  it('regression: a dashboard with more charts than can be saved is refused', async () => {
    const charts = Array.from({ length: 2001 }, (_, index) => `${uuid(1).slice(0, -6)}${100_000 + index}`)
    const place = (id: string, index: number) => [
      `CHART-${index}`,
      { type: 'CHART', id: `CHART-${index}`, children: [], meta: { uuid: id, chartId: index + 1 } },
    ]
    const files = (count: number): Files => ({
      ...parents,
      ...Object.fromEntries(charts.map((id, index) => [`charts/${index}.yaml`, chart({ uuid: id })])),
      'dashboards/x.yaml': dashboard({ position: Object.fromEntries(charts.slice(0, count).map(place)) }),
    })
    const details = { 'dashboards/x.yaml': { position: ['A dashboard can show up to 2,000 charts.'] } }
    await expect(load('Dashboard', files(2001))).rejects.toMatchObject({ status: 422, details })
    await load('Dashboard', files(2000))
  })
})
