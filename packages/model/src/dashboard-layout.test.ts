import { describe, expect, it } from 'vitest'
import { chartsBelow, layoutNode, readLayout, withUnplacedCharts, writeLayout } from './dashboard-layout.ts'

const chart = (id: string, chartId: number) => ({
  id,
  type: 'CHART',
  children: [],
  meta: { chartId, width: 4, height: 50 },
})

const stored = {
  DASHBOARD_VERSION_KEY: 'v2',
  ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'], ours: 1 },
  GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1'], parents: ['ROOT_ID'] },
  'ROW-1': { id: 'ROW-1', type: 'ROW', children: ['CHART-1'], meta: { background: 'BACKGROUND_WHITE', mystery: [1] } },
  'CHART-1': chart('CHART-1', 7),
  HEADER_ID: { id: 'HEADER_ID', type: 'HEADER', meta: { text: 'Sales' } },
  'CHART-lost': chart('CHART-lost', 8),
}

describe('readLayout', () => {
  it('DASH-046, DASH-047, DASH-048: reads the stored tree and writes it back with every key', () => {
    const written = writeLayout(readLayout(JSON.stringify(stored)))
    expect(written).toMatchObject(stored)
    expect(Object.keys(written).toSorted()).toEqual(Object.keys(stored).toSorted())
  })

  it('returns the path of each node', () => {
    const { nodes } = readLayout(stored)
    expect(layoutNode(nodes, 'CHART-1')?.parents).toEqual(['ROOT_ID', 'GRID_ID', 'ROW-1'])
    expect(chartsBelow(nodes, 'ROOT_ID')).toEqual([7])
  })

  it('drops missing children, duplicates and cycles from the tree but keeps their entries', () => {
    const broken = {
      ROOT_ID: { type: 'ROOT', children: ['GRID_ID'] },
      GRID_ID: { type: 'GRID', children: ['ROW-1', 'ROW-1', 'ROW-none', 'constructor'] },
      'ROW-1': { type: 'ROW', children: ['GRID_ID', 'CHART-1'] },
      'CHART-1': chart('CHART-1', 7),
      note: 'mine',
    }
    const layout = readLayout(broken)
    expect(layout.nodes.GRID_ID?.children).toEqual(['ROW-1'])
    expect(layout.nodes['ROW-1']?.children).toEqual(['CHART-1'])
    expect(writeLayout(layout).note).toBe('mine')
  })

  it.each([null, '', 'no json', '[]', '{}', 5])('returns an empty grid for %j', (value) => {
    const { nodes } = readLayout(value)
    expect(nodes.ROOT_ID?.children).toEqual(['GRID_ID'])
    expect(nodes.GRID_ID?.children).toEqual([])
  })

  it('preserves the detached grid of a dashboard with top-level tabs', () => {
    const tabs = {
      ROOT_ID: { type: 'ROOT', children: ['TABS-1'] },
      'TABS-1': { type: 'TABS', children: ['TAB-1'] },
      'TAB-1': { type: 'TAB', children: [], meta: { text: 'One' } },
      GRID_ID: { id: 'GRID_ID', type: 'GRID', children: [] },
    }
    const layout = readLayout(tabs)
    expect(Object.keys(layout.nodes)).toEqual(['ROOT_ID', 'TABS-1', 'TAB-1'])
    expect(writeLayout(layout).GRID_ID).toEqual(tabs.GRID_ID)
  })

  it('truncates a tree that is deeper than any dashboard', () => {
    const deep = Object.fromEntries([
      ['ROOT_ID', { type: 'ROOT', children: ['n0'] }],
      ...Array.from({ length: 50_000 }, (_, i) => [`n${i}`, { type: 'ROW', children: [`n${i + 1}`] }]),
    ])
    expect(Object.keys(readLayout(deep).nodes).length).toBeLessThan(100)
  })

  it('hostile: invalid texts and sizes do not prevent a dashboard from opening', () => {
    const meta = { text: { a: 1 }, code: ['x'], sliceName: 7, width: -4, height: 1e9, own: { kept: true } }
    const { nodes } = readLayout({
      ROOT_ID: { type: 'ROOT', children: ['a', 'b'] },
      a: { type: 'MARKDOWN', meta },
      b: { type: 'CHART', meta: { width: '6', height: 'tall', headerSize: null, chartId: 3 } },
    })
    expect(nodes['a']?.meta).toEqual({ sliceName: '7', width: 1, height: 1000, own: { kept: true } })
    expect(nodes['b']?.meta).toEqual({ width: 6, chartId: 3 })
  })

  it('does not let an id change the prototype', () => {
    const layout = readLayout(
      '{"ROOT_ID":{"type":"ROOT","children":["__proto__"]},"__proto__":{"type":"ROW","polluted":1}}',
    )
    expect(layoutNode(layout.nodes, '__proto__')?.type).toBe('ROW')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(layoutNode(layout.nodes, 'toString')).toBeUndefined()
  })
})

describe('withUnplaced', () => {
  it('regression: charts missing from the layout are in every scope that covers the root', () => {
    expect(chartsBelow(withUnplacedCharts(readLayout(null).nodes, [7, 8]), 'ROOT_ID')).toEqual([7, 8])
    const { nodes } = readLayout(stored)
    expect(chartsBelow(withUnplacedCharts(nodes, [7, 9]), 'GRID_ID')).toEqual([7, 9])
    expect(withUnplacedCharts(nodes, [7])).toBe(nodes)
  })

  it('adds them to the first tab, where the page shows them', () => {
    const { nodes } = readLayout({
      ROOT_ID: { type: 'ROOT', children: ['TABS-1'] },
      'TABS-1': { type: 'TABS', children: ['TAB-1', 'TAB-2'] },
      'TAB-1': { type: 'TAB', children: [] },
      'TAB-2': { type: 'TAB', children: ['CHART-1'] },
      'CHART-1': chart('CHART-1', 7),
    })
    const placed = withUnplacedCharts(nodes, [7, 8])
    expect([chartsBelow(placed, 'TAB-1'), chartsBelow(placed, 'TAB-2')]).toEqual([[8], [7]])
  })
})
