import { readLayout } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { findAppendTarget } from './append-target.ts'
import { createBlock } from './new-nodes.ts'

const chart = (width: number) => ({ type: 'CHART', children: [], meta: { chartId: width, width, height: 50 } })
const { nodes } = readLayout({
  ROOT_ID: { type: 'ROOT', children: ['GRID_ID'] },
  GRID_ID: { type: 'GRID', children: ['ROW-1', 'TABS-1'] },
  'ROW-1': { type: 'ROW', children: ['a'] },
  a: chart(4),
  'TABS-1': { type: 'TABS', children: ['TAB-1', 'TAB-2', 'TAB-3'] },
  'TAB-1': { type: 'TAB', children: ['ROW-2'] },
  'ROW-2': { type: 'ROW', children: ['b'] },
  b: chart(5),
  'TAB-2': { type: 'TAB', children: ['ROW-3'] },
  'ROW-3': { type: 'ROW', children: ['c'] },
  c: chart(12),
  'TAB-3': { type: 'TAB', children: [] },
})
const text = createBlock('MARKDOWN', 'new', '')

describe('an item added to content that ends with tabs', () => {
  it('regression: lands inside the open tab, which may have content', () => {
    expect(findAppendTarget(nodes, {}, null, text)).toEqual({ parent: 'ROW-2', index: 1 })
    expect(findAppendTarget(nodes, { 'TABS-1': 'TAB-2' }, null, text)).toEqual({ parent: 'TAB-2', index: 1 })
    expect(findAppendTarget(nodes, { 'TABS-1': 'TAB-3' }, null, text)).toEqual({ parent: 'TAB-3', index: 0 })
    expect(findAppendTarget(nodes, {}, null, createBlock('DIVIDER', 'new', ''))).toEqual({ parent: 'TAB-1', index: 1 })
  })
  it('lands inside the tab that it was requested for, as long as that tab is open', () => {
    expect(findAppendTarget(nodes, { 'TABS-1': 'TAB-3' }, 'TAB-3', text)).toEqual({ parent: 'TAB-3', index: 0 })
    expect(findAppendTarget(nodes, { 'TABS-1': 'TAB-2' }, 'TAB-3', text)).toEqual({ parent: 'TAB-2', index: 1 })
  })
  it('lands below the tabs if it consists of tabs itself', () => {
    expect(findAppendTarget(nodes, {}, null, createBlock('TABS', 'new', ''))).toEqual({ parent: 'GRID_ID', index: 2 })
  })
})
