import { layoutNode, rootId, type LayoutNode, type LayoutNodes } from '@parquetry/model'

/** Tabs node -> its open tab. */
export type OpenTabs = Readonly<Record<string, string>>

/** The open tab; the first by default (DASH-023), also if the chosen one was deleted. */
export function findOpenTab(nodes: LayoutNodes, tabs: LayoutNode, open: OpenTabs): string | undefined {
  const chosen = Object.hasOwn(open, tabs.id) ? open[tabs.id] : undefined
  return chosen !== undefined && tabs.children.includes(chosen)
    ? chosen
    : tabs.children.find((id) => layoutNode(nodes, id))
}

/** Visible chart nodes, in reading order: those below open tabs only. */
export function shownCharts(nodes: LayoutNodes, open: OpenTabs, from = rootId): LayoutNode[] {
  const node = layoutNode(nodes, from)
  if (!node) return []
  if (node.type === 'CHART') return [node]
  const only = node.type === 'TABS' ? findOpenTab(nodes, node, open) : undefined
  const children = node.type === 'TABS' ? (only === undefined ? [] : [only]) : node.children
  return children.flatMap((child) => shownCharts(nodes, open, child))
}

/** Open tabs that make a node visible, for a link to it or a dropped chart. */
export function revealNode(nodes: LayoutNodes, id: string, open: OpenTabs): OpenTabs {
  const path = [...(layoutNode(nodes, id)?.parents ?? []), id]
  const chosen = path.flatMap((each, index) => {
    const parent = path[index - 1]
    return parent !== undefined && layoutNode(nodes, each)?.type === 'TAB' ? [[parent, each] as const] : []
  })
  return chosen.every(([tabs, tab]) => open[tabs] === tab) ? open : { ...open, ...Object.fromEntries(chosen) }
}

/** True if a tab and all tabs that contain it are open. */
export const isTabShown = (nodes: LayoutNodes, id: string, open: OpenTabs): boolean =>
  [...(layoutNode(nodes, id)?.parents ?? []), id].every((each, index, path) => {
    const tabs = layoutNode(nodes, path[index - 1] ?? '')
    return tabs?.type !== 'TABS' || findOpenTab(nodes, tabs, open) === each
  })

/** All open tabs, as permalinks list them. */
export const activeTabs = (nodes: LayoutNodes, open: OpenTabs): string[] =>
  Object.values(nodes).flatMap((node) => {
    const tab = node.type === 'TABS' ? findOpenTab(nodes, node, open) : undefined
    return tab === undefined ? [] : [tab]
  })
