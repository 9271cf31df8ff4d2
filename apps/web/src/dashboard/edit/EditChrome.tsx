import type { LayoutNode } from '@parquetry/model'
import { Icon, IconButton, Menu, useTranslate } from '@parquetry/ui'
import { dragHandle } from '@parquetry/ui/drag/index.ts'
import { heightOf, widthOf } from '../layout/rules.ts'
import { useNodeNames } from './node-names.ts'
import { useEditItems } from './use-edit-items.ts'
import styles from './Edit.module.css'

/** Handle and menu of a node while editing. A chart's handle covers its title; others have a bar at their edge. */
export function EditChrome({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  const name = useNodeNames().nameOf(node)
  const items = useEditItems(node)
  const isChart = node.type === 'CHART'
  const size =
    node.type === 'CHART' || node.type === 'MARKDOWN'
      ? `${widthOf(node)} × ${heightOf(node)}`
      : node.type === 'COLUMN'
        ? t('dashboard.widthOf', '{width, number} of 12', { width: widthOf(node) })
        : null
  return (
    <div className={styles.chrome} data-kind={node.type.toLowerCase()}>
      <button
        type="button"
        className={styles.handle}
        aria-label={t('dashboard.move', 'Move {name}', { name })}
        aria-description={t(
          'dashboard.moveHow',
          'Press Space to pick up, arrow keys to move, Shift plus arrow keys to resize, Enter to drop, Escape to cancel.',
        )}
        {...dragHandle(node.id)}
      >
        <Icon name="drag" />
      </button>
      {!isChart && size && (
        <span className={styles.size} aria-hidden="true">
          {size}
        </span>
      )}
      {!isChart && (
        <Menu items={items} label={t('dashboard.blockMenu', 'Actions for {name}', { name })} align="end">
          <IconButton icon="more" label={t('dashboard.blockMore', 'More actions for {name}', { name })} />
        </Menu>
      )}
    </div>
  )
}
