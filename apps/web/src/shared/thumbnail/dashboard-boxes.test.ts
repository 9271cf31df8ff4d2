import { expect, it } from 'vitest'
import { dashboardBoxes } from './dashboard-boxes.ts'

const layout = (nodes: Record<string, object>) => JSON.stringify(nodes)
const node = (type: string, children: string[], meta: object = {}) => ({ type, children, meta })

it('draws a dashboard from its layout: rows of twelve columns below each other, the first tab, cut off at the bottom', () => {
  const position_json = layout({
    ROOT_ID: node('ROOT', ['TABS-1']),
    'TABS-1': node('TABS', ['TAB-1', 'TAB-2']),
    'TAB-1': node('TAB', ['ROW-1', 'ROW-2', 'ROW-3', 'ROW-4']),
    'TAB-2': node('TAB', ['ROW-5']),
    'ROW-1': node('ROW', ['CHART-1', 'CHART-2']),
    'ROW-2': node('ROW', ['CHART-3']),
    'ROW-3': node('ROW', ['CHART-4']),
    'ROW-4': node('ROW', ['CHART-5']),
    'ROW-5': node('ROW', ['CHART-6']),
    'CHART-1': node('CHART', [], { chartId: 1, width: 4, height: 20 }),
    'CHART-2': node('CHART', [], { chartId: 2, width: 8, height: 30 }),
    'CHART-3': node('CHART', [], { chartId: 3, width: 12, height: 50 }),
    'CHART-4': node('CHART', [], { chartId: 4, width: 12, height: 50 }),
    'CHART-5': node('CHART', [], { chartId: 5, width: 12, height: 50 }),
    'CHART-6': node('CHART', [], { chartId: 6, width: 12, height: 50 }),
  })
  const boxes = dashboardBoxes(position_json, [1, 2, 3, 4, 5, 6])
  expect(
    boxes.map(({ chartId, x, y, width, height }) => [chartId, x, y, width, height].map((n) => n && Math.round(n))),
  ).toEqual([
    [1, 8, 13, 46, 18],
    [2, 57, 13, 95, 27],
    [3, 8, 43, 144, 45],
    [4, 8, 91, 144, 45],
  ])
})

it('draws charts that the layout does not place, and ignores an unreadable layout', () => {
  expect(dashboardBoxes(null, [7]).map(({ chartId }) => chartId)).toEqual([7])
  expect(dashboardBoxes('{"ROOT_ID": 5}', [])).toEqual([])
})
