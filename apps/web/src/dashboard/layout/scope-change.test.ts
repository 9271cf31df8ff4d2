import { readLayout } from '@parquetry/model'
import { expect, it } from 'vitest'
import { move } from './commands.ts'
import { changesScope } from './scope-change.ts'

const { nodes } = readLayout({
  ROOT_ID: { type: 'ROOT', children: ['TABS-1'] },
  'TABS-1': { type: 'TABS', children: ['TAB-1', 'TAB-2'] },
  'TAB-1': { type: 'TAB', children: ['ROW-1'] },
  'TAB-2': { type: 'TAB', children: [] },
  'ROW-1': { type: 'ROW', children: ['a', 'b'] },
  a: { type: 'CHART', children: [], meta: { chartId: 1, width: 4 } },
  b: { type: 'CHART', children: [], meta: { chartId: 2, width: 4 } },
})
const scoped = (rootPath: string[]) => ({
  native_filter_configuration: [{ id: 'NATIVE_FILTER-a', scope: { rootPath, excluded: [] } }],
})

it('DASH-032: a move to another tab leaves the scope of a filter on the first tab', () => {
  const moved = move(nodes, 'a', { parent: 'TAB-2', index: 0 })
  expect(changesScope(nodes, moved, 'a', scoped(['TAB-1']))).toBe(true)
  expect(changesScope(nodes, moved, 'a', scoped(['ROOT_ID']))).toBe(false)
  expect(changesScope(nodes, move(nodes, 'a', { parent: 'ROW-1', index: 2 }), 'a', scoped(['TAB-1']))).toBe(false)
})
