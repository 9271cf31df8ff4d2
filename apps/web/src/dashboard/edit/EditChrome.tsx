import type { LayoutNode } from '@parquetry/model'
import { Icon, IconButton, Menu, useTranslate } from '@parquetry/ui'
import { dragHandle } from '@parquetry/ui/drag/index.ts'
import type { KeyboardEvent, MouseEvent } from 'react'
import { heightOf, widthOf } from '../layout/rules.ts'
import { ChartNameField } from './ChartNameField.tsx'
import { useNodeNames } from './node-names.ts'
import { startRenaming, useIsRenaming } from './renaming.ts'
import { useEditItems } from './use-edit-items.ts'
import styles from './Edit.module.css'

/**
 * Handle and menu of a node while editing. A chart's handle covers its title, which is renamed by a click on it; others have a bar
 * at their edge.
 */
export function EditChrome({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  const name = useNodeNames().nameOf(node)
  const items = useEditItems(node)
  const isChart = node.type === 'CHART'
  const isRenaming = useIsRenaming(node.id)
  const size =
    node.type === 'CHART' || node.type === 'MARKDOWN'
      ? `${widthOf(node)} × ${heightOf(node)}`
      : node.type === 'COLUMN'
        ? t('dashboard.widthOf', '{width, number} of 12', { width: widthOf(node) })
        : null
  const moveHow = t(
    'dashboard.moveHow',
    'Press Space to pick up, arrow keys to move, Shift plus arrow keys to resize, Enter to drop, Escape to cancel.',
  )
  if (isRenaming) {
    return (
      <div className={styles.chrome} data-kind={node.type.toLowerCase()}>
        <ChartNameField node={node} />
      </div>
    )
  }
  return (
    <div className={styles.chrome} data-kind={node.type.toLowerCase()}>
      <button
        type="button"
        className={styles.handle}
        aria-label={t('dashboard.move', 'Move {name}', { name })}
        aria-description={
          isChart
            ? `${moveHow} ${t('dashboard.renameHow', 'Press Enter to rename the chart on this dashboard.')}`
            : moveHow
        }
        {...dragHandle(node.id)}
        {...(isChart && {
          onClick: ({ target }: MouseEvent) => isName(target) && startRenaming(node.id),
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            startRenaming(node.id)
          },
        })}
      >
        {/* The name is drawn transparent over the title; it is not part of the page's text. */}
        {isChart && (
          <span
            className={styles.name}
            data-name={name}
            title={t('dashboard.renameHint', 'Click to rename, drag to move')}
          />
        )}
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

const isName = (target: EventTarget): boolean => target instanceof Element && target.closest('[data-name]') !== null
