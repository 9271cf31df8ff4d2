import { layoutGrid, layoutNode, rootId, subtree, type LayoutNode, type LayoutNodes } from '@parquetry/model'
import { Button, Dialog, Field, NumberInput, Select, useTranslate, type Translate } from '@parquetry/ui'
import { useState } from 'react'
import { move, resize } from '../layout/commands.ts'
import { checkDrop, heightOf, minWidth, freeColumns, widthOf } from '../layout/rules.ts'
import { useActions, useDashboardState, useDashboard } from '../state/context.ts'
import { revealNode } from '../state/tabs.ts'
import { useNodeNames, type NodeNames } from './node-names.ts'
import { closeMoveResizeForm, useMoveResizeForm } from './move-resize-form.ts'
import { refusalText } from './texts.ts'
import { useEdit } from './use-edit.ts'

/** Dialogs for "Move to…", "Width…" and "Height…". */
export function MoveResizeDialog() {
  const form = useMoveResizeForm()
  const node = useDashboardState(({ history }) => (form ? layoutNode(history.present, form.id) : undefined))
  if (!form || !node) return null
  return form.field === 'place' ? (
    <MoveForm key={node.id} node={node} />
  ) : (
    <SizeForm key={`${node.id} ${form.field}`} node={node} field={form.field} />
  )
}

function SizeForm({ node, field }: { node: LayoutNode; field: 'width' | 'height' }) {
  const t = useTranslate()
  const edit = useEdit()
  const names = useNodeNames()
  const { announce, store } = useDashboard()
  const nodes = useDashboardState(({ history }) => history.present)
  const [value, setValue] = useState<number | null>(field === 'width' ? widthOf(node) : heightOf(node))
  const min = field === 'width' ? (minWidth(nodes, node.id) ?? 1) : layoutGrid.minUnits
  const max = field === 'width' ? freeColumns(nodes, node.parents.at(-1) ?? '', node.id) : layoutGrid.maxUnits
  const submit = () => {
    if (value === null) return
    closeMoveResizeForm()
    edit((before) => resize(before, node.id, { [field]: value }))
    announce(
      names.describePosition(
        store.getState().history.present,
        layoutNode(store.getState().history.present, node.id) ?? node,
      ),
    )
  }
  const label =
    field === 'width'
      ? t('dashboard.widthColumns', 'Width in columns')
      : t('dashboard.heightUnits', 'Height in units of 8 px')
  return (
    <Dialog
      open
      title={names.nameOf(node)}
      onClose={closeMoveResizeForm}
      onSubmit={submit}
      footer={<Footer action={t('dashboard.resize', 'Resize')} />}
    >
      <Field
        label={label}
        help={t('dashboard.between', 'Enter a number from {least, number} to {most, number}.', {
          least: min,
          most: max,
        })}
      >
        <NumberInput value={value} onChange={setValue} min={min} max={max} integer data-autofocus />
      </Field>
    </Dialog>
  )
}

interface Target {
  value: string
  label: string
}

function MoveForm({ node }: { node: LayoutNode }) {
  const t = useTranslate()
  const edit = useEdit()
  const names = useNodeNames()
  const { openTabs } = useActions()
  const { announce, store } = useDashboard()
  const nodes = useDashboardState(({ history }) => history.present)
  const targets = listMoveTargets(t, names, nodes, node)
  const [parent, setParent] = useState(targets[0]?.value ?? '')
  const [position, setPosition] = useState<number | null>(1)
  const max = (layoutNode(nodes, parent)?.children.filter((id) => id !== node.id).length ?? 0) + 1
  const target = { parent, index: indexAt(nodes, parent, node.id, (position ?? 1) - 1) }
  const refusal = checkDrop(nodes, node.id, target)
  const submit = () => {
    if (refusal || position === null) return
    closeMoveResizeForm()
    edit((before) => move(before, node.id, target), node.id)
    const after = store.getState().history.present
    openTabs((open) => revealNode(after, node.id, open))
    announce(names.describePosition(after, layoutNode(after, node.id) ?? node))
  }
  return (
    <Dialog
      open
      title={t('dashboard.moveTitle', 'Move {name}', { name: names.nameOf(node) })}
      onClose={closeMoveResizeForm}
      onSubmit={submit}
      footer={<Footer action={t('dashboard.moveAction', 'Move')} />}
    >
      <Field label={t('dashboard.into', 'Destination')} error={refusal && refusalText(t, refusal)}>
        <Select value={parent} onChange={(value) => value && setParent(value)} options={targets} data-autofocus />
      </Field>
      <Field
        label={t('dashboard.position', 'Position')}
        help={t('dashboard.between', 'Enter a number from {least, number} to {most, number}.', { least: 1, most: max })}
      >
        <NumberInput value={position} onChange={setPosition} min={1} max={max} integer />
      </Field>
    </Dialog>
  )
}

/** Converts a position to an index, which counts the node itself if it is already in this parent. */
function indexAt(nodes: LayoutNodes, parent: string, id: string, position: number): number {
  const children = layoutNode(nodes, parent)?.children ?? []
  const own = children.indexOf(id)
  return own >= 0 && own <= position ? position + 1 : position
}

/**
 * Parents that accept this kind of node, in reading order. Those without enough space are included and show an error when chosen.
 */
function listMoveTargets(t: Translate, names: NodeNames, nodes: LayoutNodes, node: LayoutNode): Target[] {
  let row = 0
  return subtree(nodes, rootId).flatMap((id) => {
    const target = layoutNode(nodes, id)
    if (target?.type === 'ROW') row++
    if (!target || checkDrop(nodes, node.id, { parent: id, index: 0 }) === 'wrong-place') return []
    return [{ value: id, label: targetLabel(t, names, nodes, target, row) }]
  })
}

function targetLabel(t: Translate, names: NodeNames, nodes: LayoutNodes, target: LayoutNode, row: number): string {
  const children = target.children.flatMap((id) => {
    const child = layoutNode(nodes, id)
    return child ? [names.nameOf(child)] : []
  })

  const inside = children.slice(0, 3).join(', ')
  if (target.type === 'ROW') return t('dashboard.targetRow', 'Row {row, number}: {inside}', { row, inside })
  if (target.type === 'COLUMN')
    return t('dashboard.targetColumn', 'Column in row {row, number}: {inside}', { row, inside })
  if (target.type === 'TAB') return t('dashboard.targetTab', 'Tab {name}, new row', { name: names.nameOf(target) })
  return t('dashboard.targetGrid', 'New row')
}

function Footer({ action }: { action: string }) {
  const t = useTranslate()
  return (
    <>
      <Button onClick={closeMoveResizeForm}>{t('dashboard.cancel', 'Cancel')}</Button>
      <Button type="submit" variant="primary">
        {action}
      </Button>
    </>
  )
}
