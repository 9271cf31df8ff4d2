import type { LayoutNode, LayoutNodes } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'
import { spotOf } from '../layout/step.ts'

/** What a node is called: a chart by its name on this dashboard. */
export function nodeName(t: Translate, node: LayoutNode): string {
  const { text, sliceName, sliceNameOverride } = node.meta
  switch (node.type) {
    case 'CHART':
      return sliceNameOverride || sliceName || t('dashboard.chart', 'Chart')
    case 'HEADER':
      return text || t('dashboard.header', 'Header')
    case 'ROW':
      return t('dashboard.row', 'Row')
    case 'COLUMN':
      return t('dashboard.column', 'Column')
    case 'DIVIDER':
      return t('dashboard.divider', 'Divider')
    case 'MARKDOWN':
      return t('dashboard.text', 'Text')
    case 'TABS':
      return t('dashboard.tabs', 'Tabs')
    case 'TAB':
      return text || t('dashboard.tabTitle', 'Tab title')
    default:
      return node.type
  }
}

/** Said after a move: "Revenue, row 2, column 5, width 4, height 50". */
export function spotText(t: Translate, nodes: LayoutNodes, node: LayoutNode): string {
  const spot = spotOf(nodes, node.id)
  const name = nodeName(t, node)
  if (!spot) return name
  const { row, column, width, height } = spot
  if (width === null) return t('dashboard.spotRow', '{name}, row {row, number}', { name, row })
  if (height === null) {
    return t('dashboard.spotColumn', '{name}, row {row, number}, column {column, number}, width {width, number}', {
      name,
      row,
      column,
      width,
    })
  }
  return t(
    'dashboard.spot',
    '{name}, row {row, number}, column {column, number}, width {width, number}, height {height, number}',
    { name, row, column, width, height },
  )
}
