import { layoutNode, mainContainer, rootId, type LayoutNodes } from '@parquetry/model'
import { freeColumns, type DropTarget, type NewNode } from '../layout/rules.ts'
import { findOpenTab, isTabShown, type OpenTabs } from '../state/tabs.ts'

/**
 * Where a new item is added: at the end of the open content, in its last row if it fits. Content that ends with tabs ends inside
 * their open tab, except for more tabs.
 * @param into  the tab for which the Add panel was opened; ignored once it is no longer visible
 */
export function findAppendTarget(
  nodes: LayoutNodes,
  open: OpenTabs,
  into: string | null,
  newNode: NewNode,
): DropTarget {
  const wanted = into !== null && layoutNode(nodes, into) && isTabShown(nodes, into, open) ? into : undefined
  const top = layoutNode(nodes, layoutNode(nodes, rootId)?.children[0] ?? '')
  const shown = top?.type === 'TABS' ? findOpenTab(nodes, top, open) : undefined
  let container = layoutNode(nodes, wanted ?? shown ?? mainContainer(nodes))
  let last = layoutNode(nodes, container?.children.at(-1) ?? '')
  while (last?.type === 'TABS' && newNode.type !== 'TABS') {
    const tab = layoutNode(nodes, findOpenTab(nodes, last, open) ?? '')
    if (!tab) break
    container = tab
    last = layoutNode(nodes, tab.children.at(-1) ?? '')
  }
  const fits =
    last?.type === 'ROW' && newNode.meta.width !== undefined && freeColumns(nodes, last.id) >= newNode.meta.width
  const parent = fits ? last : container
  return { parent: parent?.id ?? rootId, index: parent?.children.length ?? 0 }
}
