import type { LayoutNode } from '@parquetry/model'
import { useTranslate, type MenuItem } from '@parquetry/ui'
import { remove, renameChart, setMeta } from '../layout/commands.ts'
import { useDashboard } from '../state/context.ts'
import { openMoveResizeForm } from './move-resize-form.ts'
import { useNodeNames } from './node-names.ts'
import { startRenaming } from './renaming.ts'
import { useEdit } from './use-edit.ts'

/** Menu items for a node, so that dragging is never required. */
export function useEditItems(node: LayoutNode | undefined): MenuItem[] {
  const t = useTranslate()
  const edit = useEdit()
  const names = useNodeNames()
  const { announce, data } = useDashboard()
  if (!node) return []
  const { id, type } = node
  const form = (field: 'place' | 'width' | 'height') => () => openMoveResizeForm({ id, field })
  const items: MenuItem[] = [{ label: t('dashboard.moveTo', 'Move to…'), icon: 'arrow-right', onSelect: form('place') }]
  if (['CHART', 'MARKDOWN', 'COLUMN'].includes(type)) {
    items.push({ label: t('dashboard.setWidth', 'Width…'), onSelect: form('width') })
  }
  if (['CHART', 'MARKDOWN'].includes(type)) {
    items.push({ label: t('dashboard.setHeight', 'Height…'), onSelect: form('height') })
  }
  if (type === 'CHART') {
    const own = data.chart(node.meta.chartId ?? -1)?.slice_name
    items.push('divider', {
      label: t('dashboard.rename', 'Rename on this dashboard'),
      icon: 'edit',
      onSelect: () => startRenaming(id),
    })
    if (node.meta.sliceNameOverride && own) {
      items.push({
        label: t('dashboard.ownName', 'Restore the name “{name}”', { name: own }),
        icon: 'undo',
        onSelect: () => edit((nodes) => renameChart(nodes, id, null)),
      })
    }
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
  t: ReturnType<typeof useTranslate>,
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
