import { layoutGrid, layoutNode, type LayoutNode } from '@parquetry/model'
import { dropZone } from '@parquetry/ui/drag/index.ts'
import { useTranslate } from '@parquetry/ui'
import { memo, type CSSProperties, type ReactNode } from 'react'
import { boot } from '../../shared/boot.ts'
import { LazyEditChrome, LazyEmptyTabHint, LazyResizeHandles, TextBlock } from '../edit/lazy-edit-parts.tsx'
import { heightOf, innerWidth, widthOf } from '../layout/rules.ts'
import { useDashboardState } from '../state/context.ts'
import { useIsOutlined } from '../state/use-outlining.ts'
import { HeaderBlock } from './HeaderBlock.tsx'
import { showsHtml } from './flags.ts'
import { ChartHostSlot } from './ChartHostSlot.tsx'
import { TabsBlock } from './TabsBlock.tsx'
import styles from './Grid.module.css'

const html = showsHtml(boot.common.feature_flags)

const useNode = (id: string): LayoutNode | undefined =>
  useDashboardState(({ history }) => layoutNode(history.present, id))

/** One layout node with its descendants. It reads only its own entry, so that a change renders only what it affects. */
export const NodeView = memo(function NodeView({ id }: { id: string }) {
  const node = useNode(id)
  if (!node) return null
  switch (node.type) {
    case 'GRID':
    case 'TAB':
      return <Stack node={node} />
    case 'ROW':
      return <Row node={node} />
    case 'COLUMN':
      return <Column node={node} />
    case 'CHART':
      return <ChartTile node={node} />
    case 'HEADER':
      return <HeaderBlock node={node} />
    case 'DIVIDER':
      return <Divider node={node} />
    case 'MARKDOWN':
      return <TextTile node={node} />
    case 'TABS':
      return <TabsBlock node={node} />
    default:
      return <Unknown node={node} />
  }
})

export const ChildNodes = ({ node }: { node: LayoutNode }) => node.children.map((id) => <NodeView key={id} id={id} />)

function Stack({ node }: { node: LayoutNode }) {
  return (
    <div className={styles.stack} {...dropZone(node.id)}>
      <ChildNodes node={node} />
      {node.type === 'TAB' && node.children.length === 0 && <EmptyTab id={node.id} />}
    </div>
  )
}

function EmptyTab({ id }: { id: string }) {
  const t = useTranslate()
  const isEditing = useDashboardState((state) => state.isEditing)
  return isEditing ? (
    <LazyEmptyTabHint id={id} />
  ) : (
    <p className={styles.emptyTab}>{t('dashboard.emptyTab', 'This tab is empty.')}</p>
  )
}

const isWhite = (node: LayoutNode) => node.meta.background === 'BACKGROUND_WHITE' || undefined

function Row({ node }: { node: LayoutNode }) {
  const columns = useDashboardState(({ history }) => innerWidth(history.present, node.id))
  return (
    <section
      className={`${styles.row} grid-row`}
      data-white={isWhite(node)}
      style={{ '--columns': columns } as CSSProperties}
      {...dropZone(node.id)}
    >
      <LazyEditChrome node={node} />
      <ChildNodes node={node} />
    </section>
  )
}

function Column({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  return (
    <GridCell node={node}>
      <div className={`${styles.column} grid-column`} data-white={isWhite(node)} {...dropZone(node.id)}>
        <LazyEditChrome node={node} />
        <ChildNodes node={node} />
        {node.children.length === 0 && <p className={styles.hole}>{t('dashboard.emptyColumn', 'Empty column')}</p>}
      </div>
      <LazyResizeHandles id={node.id} edges="width" />
    </GridCell>
  )
}

/** Spans the columns of its width in a row, and the full width in a column. */
export function GridCell({ node, children }: { node: LayoutNode; children: ReactNode }) {
  const isInRow = useDashboardState(
    ({ history }) => layoutNode(history.present, node.parents.at(-1) ?? '')?.type === 'ROW',
  )
  const isPicked = useDashboardState(({ picked }) => picked === node.id)
  const width = widthOf(node)
  return (
    <div
      className={styles.cell}
      data-node={node.id}
      data-picked={isPicked || undefined}
      data-span={isInRow ? toCompactSpan(width) : undefined}
      style={isInRow ? ({ '--span': width } as CSSProperties) : undefined}
    >
      {children}
    </div>
  )
}

/** Width when the grid has 6 columns instead of 12: up to 6 spans half the row, more spans all of it. */
const toCompactSpan = (width: number): 'half' | 'whole' => (width <= layoutGrid.columns / 2 ? 'half' : 'whole')

function ChartTile({ node }: { node: LayoutNode }) {
  const isOutlined = useIsOutlined(node.meta.chartId)
  const isElsewhere = useDashboardState(({ fullSize }) => fullSize === node.id)
  return (
    <GridCell node={node}>
      <div
        className={`${styles.tile} dashboard-component dashboard-component-chart-holder`}
        data-test-chart-id={node.meta.chartId}
        data-outlined={isOutlined || undefined}
        style={{ '--units': heightOf(node) } as CSSProperties}
        {...dropZone(node.id)}
      >
        <ChartHostSlot id={node.id} takes={!isElsewhere} />
        <LazyEditChrome node={node} />
      </div>
      <LazyResizeHandles id={node.id} edges="both" />
    </GridCell>
  )
}

function TextTile({ node }: { node: LayoutNode }) {
  return (
    <GridCell node={node}>
      <div className={styles.text} style={{ '--units': heightOf(node) } as CSSProperties} {...dropZone(node.id)}>
        <TextBlock node={node} html={html} />
        <LazyEditChrome node={node} />
      </div>
      <LazyResizeHandles id={node.id} edges="both" />
    </GridCell>
  )
}

function Divider({ node }: { node: LayoutNode }) {
  return (
    <div className={styles.divider} data-node={node.id} {...dropZone(node.id)}>
      <LazyEditChrome node={node} />
      <hr />
    </div>
  )
}

/** Block from a later release or a plug-in: it stays in the layout, but only its type is shown. */
function Unknown({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  return (
    <div className={styles.hole} data-node={node.id} {...dropZone(node.id)}>
      <LazyEditChrome node={node} />
      {t('dashboard.unknownBlock', 'This block ({type}) can’t be shown here. It stays in the layout.', {
        type: node.type,
      })}
    </div>
  )
}
