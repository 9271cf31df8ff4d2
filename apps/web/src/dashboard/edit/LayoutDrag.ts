import { layoutNode, type LayoutNode, type LayoutNodes } from '@parquetry/model'
import { toast, useTranslate } from '@parquetry/ui'
import { useDrag, type DragEvents, type DragKey, type DragPoint } from '@parquetry/ui/drag/index.ts'
import { useMemo, useRef, type RefObject } from 'react'
import { add, fitWidth, move, resize } from '../layout/commands.ts'
import { resolveDrop, type Rect, type ResolvedDrop, type Hit } from '../layout/drop.ts'
import { heightOf, widthOf, type NewNode } from '../layout/rules.ts'
import { moveByStep, type Direction } from '../layout/step.ts'
import { useDashboard } from '../state/context.ts'
import { openDragOverlay, type DragOverlay } from './drag-overlay.ts'
import { useNodeNames } from './node-names.ts'
import { createNodeFromHandle } from './new-nodes.ts'
import { refusalText } from './texts.ts'
import { useEdit } from './use-edit.ts'

const openTabAfterMs = 500
const cardOffsetPx = 14
const labelPrefix = 'label:'

interface LayoutDragProps {
  root: RefObject<HTMLElement | null>
  scroller: RefObject<HTMLElement | null>
}

/** Drag and keyboard control of the layout below `root`. Dragging renders nothing: its marks are drawn over the page. */
export function LayoutDrag({ root, scroller }: LayoutDragProps) {
  const t = useTranslate()
  const { store, data, announce } = useDashboard()
  const edit = useEdit()
  const names = useNodeNames()
  const dragged = useRef<string | NewNode | null>(null)
  const marks = useRef<{ drawn: DragOverlay; text: string } | null>(null)
  const hovered = useRef<{ tab: string; since: number } | null>(null)

  const events = useMemo<DragEvents>(() => {
    const nodes = (): LayoutNodes => store.getState().history.present
    const nameOf = (id: string) => {
      const node = layoutNode(nodes(), id)
      return node ? names.nameOf(node) : id
    }
    const hide = () => {
      dragged.current = null
      hovered.current = null
      marks.current?.drawn.end()
      marks.current = null
    }
    const dropOf = (point: DragPoint): ResolvedDrop | undefined =>
      dragged.current === null
        ? undefined
        : resolveDrop(nodes(), dragged.current, toHits(point), toPointer(point, root), boxIn(root))

    const openTab = (tab: string | undefined) => {
      if (tab === undefined) return (hovered.current = null)
      if (hovered.current?.tab !== tab) return (hovered.current = { tab, since: performance.now() })
      if (performance.now() - hovered.current.since < openTabAfterMs) return null
      const tabs = layoutNode(nodes(), tab)?.parents.at(-1)
      if (tabs !== undefined && store.getState().openTabs[tabs] !== tab) {
        store.getState().actions.openTabs((open) => ({ ...open, [tabs]: tab }))
      }
      return null
    }

    const keyboard = keyboardEvents({
      nodes,
      say: (id) => announce(names.describePosition(nodes(), layoutNode(nodes(), id)!)),
      sayPicked: (id) => announce(t('dashboard.picked', '{name} picked up', { name: nameOf(id) })),
      sayNoRoom: () => announce(t('dashboard.noRoomThere', 'Not enough space there.')),
      sayBack: (id) =>
        announce(t('dashboard.putBack', '{name} returned to its original position', { name: nameOf(id) })),
      store,
      edit,
    })

    return {
      ...keyboard,
      start(handle) {
        const newNode = createNodeFromHandle(handle, (id) => data.chart(id), t('dashboard.newHeader', 'New header'))
        dragged.current = newNode ?? handle
        const text = newNode
          ? (newNode.meta.sliceName ?? newNode.meta.text ?? names.nameOf(toLayoutNode(newNode)))
          : nameOf(handle)
        marks.current = { drawn: openDragOverlay(), text }
      },
      over(_, point) {
        const drop = dropOf(point)
        marks.current?.drawn.show({
          line: drop && { ...drop.line, isRefused: drop.refusal !== undefined },
          card: { x: point.x + cardOffsetPx, y: point.y + cardOffsetPx, text: marks.current.text },
        })
        openTab(drop?.openTab)
      },
      drop(_, point) {
        const item = dragged.current
        const drop = dropOf(point)
        hide()
        if (item === null || !drop) return
        if (drop.refusal) return toast(refusalText(t, drop.refusal), { kind: 'warning' })
        const id = typeof item === 'string' ? item : item.id
        const land = (before: LayoutNodes) =>
          typeof item === 'string'
            ? move(before, item, drop.target)
            : add(before, fitWidth(before, item, drop.target), drop.target)
        if (edit(land, id)) announce(names.describePosition(nodes(), layoutNode(nodes(), id)!))
      },
      cancel(id) {
        hide()
        keyboard.cancel(id)
      },
    }
  }, [store, data, announce, edit, names, t, root])

  useDrag(root, scroller, events)
  return null
}

interface KeyboardParts {
  nodes(): LayoutNodes
  say(id: string): void
  sayPicked(id: string): void
  sayNoRoom(): void
  sayBack(id: string): void
  store: ReturnType<typeof useDashboard>['store']
  edit: ReturnType<typeof useEdit>
}

const directions: readonly DragKey[] = ['left', 'right', 'up', 'down']

/** Each pick-up is one undo step, whatever the number of arrow keys: moves are previews until the drop. */
function keyboardEvents({ nodes, say, sayPicked, sayNoRoom, sayBack, store, edit }: KeyboardParts) {
  let before: LayoutNodes | null = null
  return {
    pickUp(id: string) {
      before = nodes()
      store.getState().actions.pick(id)
      sayPicked(id)
    },
    key(id: string, key: DragKey) {
      const node = layoutNode(nodes(), id)
      if (!node) return
      const next = directions.includes(key)
        ? moveByStep(nodes(), id, key as Direction)
        : resize(nodes(), id, computeNextSize(node, key))
      if (next === nodes()) return sayNoRoom()
      store.getState().actions.preview(next)
      say(id)
    },
    putDown(id: string) {
      const after = nodes()
      if (before) store.getState().actions.preview(before)
      before = null
      store.getState().actions.pick(null)
      edit(() => after, id)
      say(id)
    },
    cancel(id: string) {
      if (store.getState().picked === null) return
      if (before) store.getState().actions.preview(before)
      before = null
      store.getState().actions.pick(null)
      sayBack(id)
    },
  }
}

function computeNextSize(
  node: NonNullable<ReturnType<typeof layoutNode>>,
  key: DragKey,
): { width?: number; height?: number } {
  if (key === 'narrower' || key === 'wider') return { width: widthOf(node) + (key === 'wider' ? 1 : -1) }
  return { height: heightOf(node) + (key === 'higher' ? 1 : -1) }
}

const toLayoutNode = ({ id, type, meta }: NewNode): LayoutNode => ({ id, type, meta, children: [], parents: [] })

const measureRect = (element: Element): Rect => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x, y, width, height }
}

const toHits = ({ zones }: DragPoint): Hit[] =>
  zones.map(({ id, element }) =>
    id.startsWith(labelPrefix)
      ? { id: id.slice(labelPrefix.length), box: measureRect(element), isLabel: true }
      : { id, box: measureRect(element) },
  )

const toPointer = ({ x, y }: DragPoint, root: RefObject<HTMLElement | null>) => ({
  x,
  y,
  isRtl: root.current !== null && getComputedStyle(root.current).direction === 'rtl',
})

const boxIn = (root: RefObject<HTMLElement | null>) => (id: string) => {
  const element = root.current?.querySelector(`[data-drop-zone="${CSS.escape(id)}"]`)
  return element ? measureRect(element) : undefined
}
