import { layoutGrid, layoutNode } from '@parquetry/model'
import { followPointer } from '@parquetry/ui/drag/index.ts'
import { useTranslate } from '@parquetry/ui'
import type { PointerEvent } from 'react'
import { resize } from '../layout/commands.ts'
import { hasOwnWidth, heightOf, widthOf } from '../layout/rules.ts'
import { useDashboardState, useDashboard } from '../state/context.ts'
import { openDragOverlay, type DragOverlay } from './drag-overlay.ts'
import { useNodeNames } from './node-names.ts'
import { useEdit } from './use-edit.ts'
import styles from './Edit.module.css'

type Edge = 'width' | 'height' | 'corner'

/**
 * Edges for resizing. A dashed box shows the size, and the layout changes once, on release. Keyboard: Shift and arrow keys on the
 * handle.
 */
export function ResizeHandles({ id, edges }: { id: string; edges: 'width' | 'both' }) {
  const t = useTranslate()
  const ownWidth = useDashboardState(({ history }) => hasOwnWidth(history.present, id))
  const edit = useEdit()
  const names = useNodeNames()
  const { announce, store } = useDashboard()

  const pull = (edge: Edge) => (event: PointerEvent<HTMLElement>) => {
    const nodes = store.getState().history.present
    const node = layoutNode(nodes, id)
    const cell = event.currentTarget.parentElement
    if (!node || !cell) return
    const rect = cell.getBoundingClientRect()
    const isRtl = getComputedStyle(cell).direction === 'rtl'
    const column = (rect.width + layoutGrid.gutterPx) / widthOf(node)
    const from = { x: event.clientX, y: event.clientY }
    const sizeAt = (x: number, y: number) => ({
      ...(edge !== 'height' &&
        ownWidth && { width: widthOf(node) + Math.round(((x - from.x) * (isRtl ? -1 : 1)) / column) }),
      ...(edge !== 'width' && { height: heightOf(node) + Math.round((y - from.y) / layoutGrid.unitPx) }),
    })
    let marks: DragOverlay | null = null
    const show = (x: number, y: number) => {
      const next = layoutNode(resize(nodes, id, sizeAt(x, y)), id) ?? node
      const at = cell.getBoundingClientRect()
      const width = widthOf(next) * column - layoutGrid.gutterPx
      const height = edges === 'both' ? heightOf(next) * layoutGrid.unitPx : at.height
      const text =
        edges === 'both'
          ? `${widthOf(next)} × ${heightOf(next)}`
          : t('dashboard.widthOf', '{width, number} of 12', { width: widthOf(next) })
      marks?.show({ ghost: { x: isRtl ? at.right - width : at.x, y: at.y, width, height, text } })
    }
    followPointer(event.nativeEvent, event.currentTarget, {
      start: ({ clientX, clientY }) => {
        marks = openDragOverlay()
        show(clientX, clientY)
      },
      move: ({ clientX, clientY }) => show(clientX, clientY),
      end: ({ clientX, clientY }) => {
        marks?.end()
        edit((before) => resize(before, id, sizeAt(clientX, clientY)))
        const after = store.getState().history.present
        announce(names.describePosition(after, layoutNode(after, id) ?? node))
      },
      cancel: () => marks?.end(),
    })
  }
  return (
    <>
      {ownWidth && <span className={styles.grip} data-edge="width" aria-hidden="true" onPointerDown={pull('width')} />}
      {edges === 'both' && (
        <span className={styles.grip} data-edge="height" aria-hidden="true" onPointerDown={pull('height')} />
      )}
      {edges === 'both' && (
        <span className={styles.grip} data-edge="corner" aria-hidden="true" onPointerDown={pull('corner')} />
      )}
    </>
  )
}
