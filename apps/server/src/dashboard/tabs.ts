import {
  layoutNode,
  readNativeFilters,
  readLayout,
  rootId,
  type LayoutNodes,
  type NativeFilter,
} from '@parquetry/model'
import type { DashboardRow } from './dashboard-resource.ts'
import { parseMetadata } from '../chart/stored-dashboard.ts'

type Tab = {
  value: string
  title: string
  parents: string[]
  children: Tab[]
}

/** Tabs of a dashboard, as a tree and by id, and its filters: all of them, and those in scope of each tab. */
export function describeTabs({ position_json, json_metadata }: DashboardRow): {
  all_tabs: Record<string, string>
  tab_tree: Tab[]
  native_filters: Record<string, NativeFilter[]>
} {
  const { nodes } = readLayout(position_json)
  const tree = buildTabTree(nodes, rootId, [])
  const all = flattenTabs(tree)
  const filters = readNativeFilters({ nodes, metadata: parseMetadata(json_metadata) })
  const scopes = filters.map((filter) => ({ filter, tabs: tabsInScope(filter).filter((id) => Object.hasOwn(all, id)) }))
  return {
    all_tabs: all,
    tab_tree: tree,
    native_filters: Object.fromEntries([
      ['all', filters],
      ...Object.keys(all).map((id) => [id, scopes.filter(({ tabs }) => tabs.includes(id)).map(({ filter }) => filter)]),
    ]) as Record<string, NativeFilter[]>,
  }
}

const tabsInScope = ({ tabsInScope: tabs }: NativeFilter): string[] =>
  Array.isArray(tabs) ? tabs.filter((id): id is string => typeof id === 'string') : []

function buildTabTree(nodes: LayoutNodes, id: string, parents: string[]): Tab[] {
  const node = layoutNode(nodes, id)
  if (!node) return []
  const path = [...parents, id]
  const children = node.children.flatMap((child) => buildTabTree(nodes, child, path))
  if (node.type !== 'TAB') return children
  const { text, defaultText } = node.meta as { text?: string; defaultText?: string }
  return [{ value: id, title: text || defaultText || '', parents, children }]
}

const flattenTabs = (tree: readonly Tab[]): Record<string, string> =>
  Object.fromEntries(
    tree.flatMap(({ value, title, children }) => [[value, title], ...Object.entries(flattenTabs(children))]),
  )
