import { chartsBelow, layoutNode, rootId, type LayoutNodes } from '@parquetry/model'
import { Checkbox, useTranslate } from '@parquetry/ui'
import { useDashboardState } from '../state/context.ts'
import { useLayoutCharts } from './use-targets.ts'
import styles from './FilterConfig.module.css'

interface ScopeTreeProps {
  /** Charts in scope. */
  reached: readonly number[]
  /** Charts that cannot be in scope: the one that filters. */
  without?: readonly number[]
  onChange(charts: number[]): void
}

/** Tree of checkboxes for tabs and charts; a tab represents everything in it. */
export function ScopeTree({ reached, without = [], onChange }: ScopeTreeProps) {
  const t = useTranslate()
  const nodes = useDashboardState(({ history }) => history.present)
  const charts = useLayoutCharts()
  const inScope = new Set(reached)
  const below = (id: string) => chartsBelow(nodes, id).filter((chart) => !without.includes(chart))
  const setInScope = (ids: readonly number[], on: boolean): void =>
    onChange(on ? [...new Set([...reached, ...ids])] : reached.filter((id) => !ids.includes(id)))

  const box = (ids: readonly number[], label: string) => {
    const count = ids.filter((id) => inScope.has(id)).length
    return (
      <Checkbox
        checked={ids.length > 0 && count === ids.length}
        mixed={count > 0 && count < ids.length}
        onChange={(on) => setInScope(ids, on)}
        label={label}
      />
    )
  }
  const branch = (id: string) => (
    <ul className={styles.branch}>
      {listScopeItems(nodes, id).map((part) => (
        <li key={part.id}>
          {part.chart === undefined ? (
            <>
              {box(below(part.id), part.text || t('dashboard.tab', 'Tab'))}
              {branch(part.id)}
            </>
          ) : (
            !without.includes(part.chart) &&
            box([part.chart], part.text ?? charts.get(part.chart)?.slice_name ?? String(part.chart))
          )}
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {box(below(rootId), t('dashboard.allCharts', 'All charts'))}
      {branch(rootId)}
    </>
  )
}

interface ScopeItem {
  id: string
  /** Title of a tab, or the dashboard's own name for a chart. */
  text?: string | undefined
  chart?: number
}

/** Tabs and charts below a node without a tab in between. */
function listScopeItems(nodes: LayoutNodes, id: string): ScopeItem[] {
  return (layoutNode(nodes, id)?.children ?? []).flatMap((child): ScopeItem[] => {
    const node = layoutNode(nodes, child)
    if (!node) return []
    if (node.type === 'TAB') return chartsBelow(nodes, child).length > 0 ? [{ id: child, text: node.meta.text }] : []
    if (node.type === 'CHART')
      return node.meta.chartId === undefined
        ? []
        : [{ id: child, chart: node.meta.chartId, text: node.meta.sliceNameOverride || undefined }]
    return listScopeItems(nodes, child)
  })
}
