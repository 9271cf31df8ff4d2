import type { LayoutNode, LayoutNodes } from '@parquetry/model'
import { useTranslate, type Translate } from '@parquetry/ui'
import { useMemo } from 'react'
import { findGridPosition } from '../layout/step.ts'
import { useDashboard } from '../state/context.ts'

export interface NodeNames {
  /** Display name of a node. */
  nameOf(node: LayoutNode): string
  /** Announced after a move: "Revenue, row 2, column 5, width 4, height 50". */
  describePosition(nodes: LayoutNodes, node: LayoutNode): string
}

export function useNodeNames(): NodeNames {
  const t = useTranslate()
  const { data } = useDashboard()
  return useMemo(() => {
    const chartName: ChartNameLookup = (id) => data.chart(id)?.slice_name
    return {
      nameOf: (node) => nodeName(t, node, chartName),
      describePosition: (nodes, node) => positionText(t, nodes, node, chartName),
    }
  }, [t, data])
}

/** Returns chart names by id; names in the layout may be missing or outdated. */
type ChartNameLookup = (chartId: number) => string | undefined

function nodeName(t: Translate, node: LayoutNode, chartName: ChartNameLookup): string {
  const { text, chartId, sliceName, sliceNameOverride } = node.meta
  switch (node.type) {
    case 'CHART':
      return (
        sliceNameOverride || (chartId !== undefined && chartName(chartId)) || sliceName || t('dashboard.chart', 'Chart')
      )
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

function positionText(t: Translate, nodes: LayoutNodes, node: LayoutNode, chartName: ChartNameLookup): string {
  const position = findGridPosition(nodes, node.id)
  const name = nodeName(t, node, chartName)
  if (!position) return name
  const { row, column, width, height } = position
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
