import type { LayoutNode } from '@parquetry/model'
import { Icon, IconButton, Menu, useText, type MenuItem } from '@parquetry/ui'
import { dragHandle } from '@parquetry/ui/drag/index.ts'
import { remove, setMeta } from '../layout/commands.ts'
import { heightOf, widthOf } from '../layout/rules.ts'
import { useBoard, useDashboard } from '../state/context.ts'
import { openPlaceForm } from './place-form.ts'
import { useNames } from './names.ts'
import { useEdit } from './use-edit.ts'
import styles from './Edit.module.css'

/** Handle and menu of a node while editing. A chart's handle covers its title; others have a bar at their edge. */
export function EditChrome({ node }: { node: LayoutNode }) {
  const isEditing = useBoard((state) => state.isEditing)
  return isEditing ? <Chrome node={node} /> : null
}

function Chrome({ node }: { node: LayoutNode }) {
  const t = useText()
  const name = useNames().nameOf(node)
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
          'Space picks it up, arrows move it, Shift and arrows resize it, Enter puts it down, Escape puts it back.',
        )}
        {...dragHandle(node.id)}
      >
        <Icon name="drag" />
        {!isChart && size && <span className={styles.size}>{size}</span>}
      </button>
      {!isChart && (
        <Menu items={items} label={t('dashboard.blockMenu', 'Actions for {name}', { name })} align="end">
          <IconButton icon="more" label={t('dashboard.blockMore', 'More actions for {name}', { name })} />
        </Menu>
      )}
    </div>
  )
}

/** What can be done with a node by menu, so that dragging is never needed. */
export function useEditItems(node: LayoutNode | undefined): MenuItem[] {
  const t = useText()
  const edit = useEdit()
  const names = useNames()
  const { announce } = useDashboard()
  if (!node) return []
  const { id, type } = node
  const form = (field: 'place' | 'width' | 'height') => () => openPlaceForm({ id, field })
  const items: MenuItem[] = [{ label: t('dashboard.moveTo', 'Move to…'), icon: 'arrow-right', onSelect: form('place') }]
  if (['CHART', 'MARKDOWN', 'COLUMN'].includes(type)) {
    items.push({ label: t('dashboard.setWidth', 'Width…'), onSelect: form('width') })
  }
  if (['CHART', 'MARKDOWN'].includes(type)) {
    items.push({ label: t('dashboard.setHeight', 'Height…'), onSelect: form('height') })
  }
  if (type === 'HEADER') items.push('divider', ...headerSizes(t, node, edit))
  if (['ROW', 'COLUMN', 'HEADER'].includes(type)) {
    const isWhite = node.meta.background === 'BACKGROUND_WHITE'
    items.push({
      label: t('dashboard.whiteGround', 'Solid background'),
      checked: isWhite,
      onSelect: () =>
        edit((nodes) => setMeta(nodes, id, { background: isWhite ? 'BACKGROUND_TRANSPARENT' : 'BACKGROUND_WHITE' })),
    })
  }
  items.push('divider', {
    label: t('dashboard.remove', 'Remove'),
    icon: 'trash',
    shortcut: 'Delete',
    danger: true,
    onSelect: () => {
      edit((nodes) => remove(nodes, id))
      announce(t('dashboard.removed', '{name} removed', { name: names.nameOf(node) }))
    },
  })
  return items
}

const headerSizes = (
  t: ReturnType<typeof useText>,
  { id, meta }: LayoutNode,
  edit: ReturnType<typeof useEdit>,
): MenuItem[] =>
  [
    ['SMALL_HEADER', t('dashboard.small', 'Small')] as const,
    ['MEDIUM_HEADER', t('dashboard.medium', 'Medium')] as const,
    ['LARGE_HEADER', t('dashboard.large', 'Large')] as const,
  ].map(([headerSize, label]) => ({
    label,
    checked: (meta.headerSize ?? 'MEDIUM_HEADER') === headerSize,
    onSelect: () => void edit((nodes) => setMeta(nodes, id, { headerSize })),
  }))
