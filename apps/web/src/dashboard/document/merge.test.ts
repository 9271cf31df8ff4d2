import { checkCases } from '@parquetry/model/testing/random'
import { chartsBelow, headerId, layoutNode, readLayout, rootId, writeLayout, type LayoutNodes } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { add, remove, setMeta } from '../layout/commands.ts'
import { findLayoutFaults, randomLayout } from '../layout/random-layout.ts'
import { dashboardDifferences, mergeDashboards } from './merge.ts'
import { readDashboard, type DashboardDocument } from './read-dashboard.ts'

const positions = {
  ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
  GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1', 'ROW-2'] },
  HEADER_ID: { id: 'HEADER_ID', type: 'HEADER', meta: { text: 'Sales' } },
  'ROW-1': { id: 'ROW-1', type: 'ROW', children: ['CHART-1', 'CHART-2'], meta: {} },
  'CHART-1': { id: 'CHART-1', type: 'CHART', meta: { chartId: 1, width: 4, height: 50, sliceName: 'One' } },
  'CHART-2': { id: 'CHART-2', type: 'CHART', meta: { chartId: 2, width: 4, height: 50, sliceName: 'Two' } },
  'ROW-2': { id: 'ROW-2', type: 'ROW', children: ['TEXT-1'], meta: {} },
  'TEXT-1': { id: 'TEXT-1', type: 'MARKDOWN', meta: { code: 'x', width: 4, height: 20 } },
}
const filter = (id: string, name = id) => ({ id, type: 'NATIVE_FILTER', name })
const metadata = {
  native_filter_configuration: [filter('A'), filter('B')],
  label_colors: { fr: '#111' },
  color_scheme: 'x',
}
const base = readDashboard(
  {
    id: 1,
    dashboard_title: 'Sales',
    position_json: JSON.stringify(positions),
    json_metadata: JSON.stringify(metadata),
    css: '',
  },
  [],
)
const edited = (
  change: (nodes: LayoutNodes) => LayoutNodes,
  more: Partial<DashboardDocument> = {},
): DashboardDocument => ({
  ...base,
  ...more,
  layout: { ...base.layout, nodes: change(base.layout.nodes) },
})
const same = (nodes: LayoutNodes) => nodes

describe('concurrent changes to one dashboard', () => {
  it('changes to different tiles, filters, colors and fields do not collide', () => {
    const mine = edited((nodes) => setMeta(nodes, 'CHART-1', { width: 6 }), {
      metadata: {
        ...metadata,
        native_filter_configuration: [filter('A', 'mine'), filter('B')],
        label_colors: { fr: '#222' },
      },
    })
    const theirs = edited((nodes) => setMeta(remove(nodes, 'TEXT-1'), headerId, { text: 'Sales 2026' }), {
      metadata: {
        ...metadata,
        native_filter_configuration: [filter('A'), filter('C')],
        label_colors: { fr: '#111', de: '#333' },
      },
      result: { ...base.result, css: 'b {}', dashboard_title: 'Sales 2026' },
    })
    const { merged, collisions } = mergeDashboards(base, mine, theirs)
    const { nodes } = merged.layout
    expect(collisions).toEqual([])
    expect(layoutNode(nodes, 'CHART-1')?.meta.width).toBe(6)
    expect([layoutNode(nodes, 'TEXT-1'), layoutNode(nodes, 'ROW-2')]).toEqual([undefined, undefined])
    expect(layoutNode(nodes, headerId)?.meta.text).toBe('Sales 2026')
    expect(merged.metadata).toEqual({
      ...metadata,
      native_filter_configuration: [filter('A', 'mine'), filter('C')],
      label_colors: { fr: '#222', de: '#333' },
    })
    expect(merged.result.css).toBe('b {}')
  })

  it('my change wins a collision, which is reported', () => {
    const mine = edited((nodes) => setMeta(nodes, 'CHART-1', { width: 6 }), {
      metadata: { ...metadata, color_scheme: 'mine' },
    })
    const theirs = edited((nodes) => remove(nodes, 'CHART-1'), { metadata: { ...metadata, color_scheme: 'theirs' } })
    const { merged, collisions } = mergeDashboards(base, mine, theirs)
    expect(layoutNode(merged.layout.nodes, 'CHART-1')?.meta.width).toBe(6)
    expect(merged.metadata.color_scheme).toBe('mine')
    expect(collisions).toEqual([
      { of: 'node', how: 'changed', what: 'CHART', name: 'One', chart: 1 },
      { of: 'setting', how: 'changed', what: 'color_scheme' },
    ])
  })

  it('moves items that no longer fit a row filled by both users into a row below', () => {
    const put = (id: string, chartId: number) => (nodes: LayoutNodes) =>
      add(nodes, { id, type: 'CHART', meta: { chartId, width: 4, height: 50 } }, { parent: 'ROW-1', index: 2 })
    const { merged, collisions } = mergeDashboards(base, edited(put('CHART-3', 3)), edited(put('CHART-4', 4)))
    expect(new Set(chartsBelow(merged.layout.nodes, rootId))).toEqual(new Set([1, 2, 3, 4]))
    expect([collisions, findLayoutFaults(merged.layout.nodes)]).toEqual([[], []])
  })

  it('200 random pairs of changes give a valid tree without losing either change', () =>
    checkCases(200, ({ int: chance }, seed) => {
      const start: DashboardDocument = {
        ...base,
        layout: readLayout(writeLayout({ nodes: randomLayout(chance), rest: {} })),
      }
      const change = (who: string): DashboardDocument => {
        let { nodes } = start.layout
        for (let n = 1 + chance(4); n > 0; n--) {
          const leaves = Object.values(nodes).filter(({ type }) => type === 'CHART' || type === 'MARKDOWN')
          const leaf = leaves[chance(leaves.length)]
          if (!leaf) continue
          nodes = chance(2) ? remove(nodes, leaf.id) : setMeta(nodes, leaf.id, { note: `${who} ${n}` })
        }
        return { ...start, layout: { ...start.layout, nodes } }
      }
      const [mine, theirs] = [change('mine'), change('theirs')]
      const { merged, collisions } = mergeDashboards(start, mine, theirs)
      const { nodes } = merged.layout
      expect([seed, findLayoutFaults(nodes)]).toEqual([seed, []])
      const collided = collisions.length
      for (const { id, type, meta } of Object.values(start.layout.nodes)) {
        if (type !== 'CHART' && type !== 'MARKDOWN') continue
        const states = [mine, theirs].map(({ layout }) => layoutNode(layout.nodes, id)?.meta)
        const own = states.find((state) => JSON.stringify(state) !== JSON.stringify(meta))
        const isOne = states.filter((state) => JSON.stringify(state) !== JSON.stringify(meta)).length === 1
        if (isOne) expect([seed, id, layoutNode(nodes, id)?.meta]).toEqual([seed, id, own])
        else if (collided === 0) expect([seed, id, layoutNode(nodes, id)?.meta]).toEqual([seed, id, states[0]])
      }
    }))

  it('adopts all changes when only one side changed', () => {
    const mine = edited((nodes) => setMeta(nodes, 'CHART-1', { width: 6 }))
    expect(mergeDashboards(base, mine, base).merged.layout).toEqual(mine.layout)
    expect(mergeDashboards(base, base, mine).merged.layout).toEqual(mine.layout)
    expect(dashboardDifferences(base, edited(same))).toEqual([])
    expect(dashboardDifferences(base, mine)).toMatchObject([{ how: 'changed', name: 'One' }])
  })
})
