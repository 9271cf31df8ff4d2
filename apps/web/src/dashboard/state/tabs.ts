import { layoutNode, rootId, type LayoutNode, type LayoutNodes } from '@parquetry/model'

/** Tabs node -> the open one of its tabs. */
export type OpenTabs = Readonly<Record<string, string>>

/** The tab that is open; the first by default (DASH-023), also when the chosen one is gone. */
export function findOpenTab(nodes: LayoutNodes, tabs: LayoutNode, open: OpenTabs): string | undefined {
  const chosen = Object.hasOwn(open, tabs.id) ? open[tabs.id] : undefined
  return chosen !== undefined && tabs.children.includes(chosen)
    ? chosen
    : tabs.children.find((id) => layoutNode(nodes, id))
}

/** Chart nodes that are shown: those below open tabs only, in reading order. */
export function shownCharts(nodes: LayoutNodes, open: OpenTabs, from = rootId): LayoutNode[] {
  const node = layoutNode(nodes, from)
  if (!node) return []
  if (node.type === 'CHART') return [node]
  const only = node.type === 'TABS' ? findOpenTab(nodes, node, open) : undefined
  const children = node.type === 'TABS' ? (only === undefined ? [] : [only]) : node.children
  return children.flatMap((child) => shownCharts(nodes, open, child))
}

/** The open tabs that make a node visible: what a link to it or a dropped chart needs. */
export function revealNode(nodes: LayoutNodes, id: string, open: OpenTabs): OpenTabs {
  const path = [...(layoutNode(nodes, id)?.parents ?? []), id]
  const chosen = path.flatMap((each, at) => {
    const parent = path[at - 1]
    return parent !== undefined && layoutNode(nodes, each)?.type === 'TAB' ? [[parent, each] as const] : []
  })
  return chosen.every(([tabs, tab]) => open[tabs] === tab) ? open : { ...open, ...Object.fromEntries(chosen) }
}

/** Whether a tab is open, and all that it lies in. */
export const isTabShown = (nodes: LayoutNodes, id: string, open: OpenTabs): boolean =>
  [...(layoutNode(nodes, id)?.parents ?? []), id].every((each, at, path) => {
    const tabs = layoutNode(nodes, path[at - 1] ?? '')
    return tabs?.type !== 'TABS' || findOpenTab(nodes, tabs, open) === each
  })

/** Every open tab, as permalinks name them. */
export const activeTabs = (nodes: LayoutNodes, open: OpenTabs): string[] =>
  Object.values(nodes).flatMap((node) => {
    const tab = node.type === 'TABS' ? findOpenTab(nodes, node, open) : undefined
    return tab === undefined ? [] : [tab]
  })
