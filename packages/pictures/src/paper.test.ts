import { buildFrame, encodeMessage } from '@parquetry/frame'
import type { LayoutNode, Picture } from '@parquetry/model'
import { readPdfText } from '@parquetry/testing/pdf-text'
import { expect, it } from 'vitest'
import { drawPicture } from './index.ts'

const node = (id: string, type: string, children: string[], meta: LayoutNode['meta'] = {}): LayoutNode => ({
  id,
  type,
  children,
  parents: [],
  meta,
})
const names = Array.from({ length: 5 }, (_, index) => `column ${index}`)
const frame = (rows: number) =>
  buildFrame(
    Object.fromEntries(names.map((name, at) => [name, Array.from({ length: rows }, (_, row) => `cell ${row}.${at}`)])),
  )
const answer = (chart: number, rows: number, cached_dttm: string | null = null): Uint8Array[] => [
  encodeMessage({ type: 'frame', chart, query: 0, name: 'rows', header: { columns: [] }, cached_dttm }),
  encodeMessage({ type: 'frame' }, frame(rows)),
]
const table = (id: number, title: string) => ({
  id,
  viz_type: 'table',
  form: { viz_type: 'table', query_mode: 'raw', all_columns: names },
  title,
  dataset: {},
})
const chart = (id: number) => node(`C${id}`, 'CHART', [], { chartId: id, width: 6, height: 40 })
const tabs = [
  node('ROOT_ID', 'ROOT', ['TABS']),
  node('TABS', 'TABS', ['T1', 'T2']),
  node('T1', 'TAB', ['C1'], { text: 'Sales' }),
  node('T2', 'TAB', ['C2', 'C3'], { text: 'Costs' }),
  chart(1),
  chart(2),
  chart(3),
]
const filter = { name: 'Region', value: Array.from({ length: 60 }, (_, index) => `place ${index}`).join(', ') }

async function draw(orientation: 'portrait' | 'landscape', nodes = tabs, messages: Uint8Array[] = []) {
  const picture: Picture = {
    format: 'pdf',
    theme: 'light',
    themeVariables: {},
    locale: 'en',
    messages: {},
    timeZone: 'Europe/Berlin',
    title: 'Monthly figures',
    at: Date.UTC(2026, 10, 23, 6),
    fonts: null,
    metadata: {},
    isAnalogous: false,
    charts: [table(1, 'Orders'), table(2, 'Rent'), table(3, 'Wages')],
    page: {
      nodes: Object.fromEntries(nodes.map((each) => [each.id, each])),
      tabs: null,
      orientation,
      filters: [filter],
      images: {},
    },
  }
  return Buffer.from(await drawPicture(picture, Buffer.concat(messages)))
}
const reason = `The database said: ${'the column is not there, '.repeat(12)}ask the owner of the chart.`
const results = () => [
  ...answer(1, 120, '2026-11-23T05:30:00'),
  ...answer(2, 3),
  encodeMessage({ type: 'error', chart: 3, error: { message: reason } }),
]

it('REPORT: a PDF with tabs begins with contents that link to tabs, charts and tables', async () => {
  const pdf = await draw('landscape', tabs, results())
  const pages = readPdfText(pdf)
  expect(pages[0]).toContain('Contents')
  const contents = pages[0]!
    .split('\n')
    .filter((line) => /^(Sales|Orders|Costs|Rent|Wages|Orders: all rows|\d+$)/.test(line))
  expect(contents).toEqual([
    'Sales',
    '2',
    'Orders',
    '2',
    'Costs',
    '3',
    'Rent',
    '3',
    'Wages',
    '3',
    'Orders: all rows',
    '4',
  ])
  expect(pages[1]).toMatch(/^Sales\n/)
  expect(pages[2]).toMatch(/^Costs\n/)
  const file = pdf.toString('latin1')
  expect(file.match(/\/Subtype \/Link/g)).toHaveLength(6)
  expect(file.match(/\/Dest \[\d+ 0 R \/XYZ/g)).toHaveLength(6)
})

it('REPORT: each page has filters, times, zone and its number, and the first one all filters', async () => {
  const pages = readPdfText(await draw('portrait', tabs, results()))
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Page ${index + 1} of ${pages.length}`)
    expect(page).toContain('Region: place 0')
    expect(page).toContain('As of Nov 23, 2026, 7:00 AM, Europe/Berlin · data from Nov 23, 2026, 6:30 AM or later')
  }
  expect(pages[0]!.replaceAll('\n', ' ')).toContain('place 59')
})

it('REPORT: rows for which a chart has no room follow on pages of their own', async () => {
  const pages = readPdfText(await draw('landscape', tabs, results()))
  expect(pages[1]).toContain('of 120 rows · all rows at the end')
  const rest = pages.slice(3).join('\n')
  for (let row = 0; row < 120; row++) expect(rest).toContain(`cell ${row}.4\n`)
  expect(rest).not.toContain('of 120 rows')
  const long = readPdfText(await draw('landscape', tabs, answer(1, 600))).join('\n')
  expect(long).toContain('cell 499.4\n')
  expect(long).not.toContain('cell 500.0')
  expect(long).toContain('500 of 600 rows')
}, 30_000)

it('REPORT: a chart that failed has its whole reason', async () => {
  const text = readPdfText(await draw('landscape', tabs, results()))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
  expect(text).toContain(reason)
})

it('REPORT: pages are landscape or portrait', async () => {
  const size = async (orientation: 'portrait' | 'landscape') =>
    /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/
      .exec((await draw(orientation)).toString('latin1'))!
      .slice(1)
      .map(Number)
  const [landscape, portrait] = [await size('landscape'), await size('portrait')]
  expect(landscape[0]).toBeCloseTo(841.89, 1)
  expect(portrait[0]).toBeCloseTo(595.28, 1)
  expect(portrait[1]).toBeGreaterThan(840)
})
