import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Spinner } from '../feedback/Spinner.tsx'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { useTreeRowHeight } from '../theme/sizes.ts'
import { flattenTree, type FlatNode, type TreeNode } from './flatten-tree.ts'
import styles from './Tree.module.css'

export interface TreeProps<T> {
  nodes: readonly TreeNode<T>[]
  label: string
  expanded: ReadonlySet<string>
  onExpandedChange(id: string, open: boolean): void
  selected?: string | null
  /** Enter, double click, or a click on a node without children. */
  onPick(node: TreeNode<T>): void
  /** Buttons at the end of a row; for the mouse, so give the same in `onMenu`. */
  actions?: (node: TreeNode<T>) => ReactNode
  /** The menu key, Shift-F10 or a right click on a row. */
  onMenu?: (node: TreeNode<T>, at: DOMRect) => void
  iconOf?: (node: TreeNode<T>) => IconName | undefined
}

const typeAheadMs = 700

/** Rows of 24 or 28 px in view only, arrows, type-ahead; children may come later (`loading`). The tree itself has the focus. */
export function Tree<T>(props: TreeProps<T>) {
  const { nodes, label, expanded, onExpandedChange, selected, onPick, actions, onMenu, iconOf } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const height = useTreeRowHeight()
  const rows = useMemo(() => flattenTree(nodes, expanded), [nodes, expanded])
  const [activeId, setActiveId] = useState<string | null>(null)
  const active = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === (activeId ?? selected)),
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 10,
    getItemKey: (index) => rows[index]?.node.id ?? index,
  })
  useEffect(() => virtual.measure(), [height, virtual])

  const activate = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!row) return
    setActiveId(row.node.id)
    virtual.scrollToIndex(rows.indexOf(row))
  }
  const findTyped = (letter: string): void => {
    const now = performance.now()
    const { text, at } = typed.current
    typed.current = { text: now - at < typeAheadMs ? text + letter : letter, at: now }
    const wanted = typed.current.text.toLocaleLowerCase()
    const from = typed.current.text.length > 1 ? active : active + 1
    const order = [...rows.slice(from), ...rows.slice(0, from)]
    const hit = order.find(({ node }) => node.label.toLocaleLowerCase().startsWith(wanted))
    if (hit) activate(rows.indexOf(hit))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const row = rows[active]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const { node, parent } = row
    const open = expanded.has(node.id)
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    if (event.key === 'ArrowDown') activate(active + 1)
    else if (event.key === 'ArrowUp') activate(active - 1)
    else if (event.key === 'Home') activate(0)
    else if (event.key === 'End') activate(rows.length - 1)
    else if (event.key === forward && node.children) {
      if (open) activate(active + 1)
      else onExpandedChange(node.id, true)
    } else if (event.key === back) {
      if (open) onExpandedChange(node.id, false)
      else if (parent) activate(rows.findIndex((other) => other.node === parent))
    } else if (event.key === 'Enter') onPick(node)
    else if (event.key === ' ' && node.children) onExpandedChange(node.id, !open)
    else if (onMenu && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) {
      const element = document.getElementById(`${id}-${node.id}`)
      if (element) onMenu(node, element.getBoundingClientRect())
    } else if (event.key.length === 1 && event.key !== ' ') findTyped(event.key)
    else return
    event.preventDefault()
  }

  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      aria-activedescendant={rows[active] ? `${id}-${rows[active].node.id}` : undefined}
      tabIndex={0}
      className={styles.tree}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ position: 'relative', height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          return (
            row && (
              <Row
                key={row.node.id}
                domId={`${id}-${row.node.id}`}
                row={row}
                top={start}
                open={expanded.has(row.node.id)}
                active={index === active}
                selected={row.node.id === selected}
                icon={row.node.icon ?? iconOf?.(row.node)}
                actions={actions?.(row.node)}
                onToggle={() => onExpandedChange(row.node.id, !expanded.has(row.node.id))}
                onActivate={() => setActiveId(row.node.id)}
                onPick={() => onPick(row.node)}
                onMenu={onMenu && ((at) => onMenu(row.node, at))}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

interface RowProps<T> {
  domId: string
  row: FlatNode<T>
  top: number
  open: boolean
  active: boolean
  selected: boolean
  icon: IconName | undefined
  actions: ReactNode
  onToggle(): void
  onActivate(): void
  onPick(): void
  onMenu: ((at: DOMRect) => void) | undefined
}

const indentPx = 16

function Row<T>({ domId, row, top, open, active, selected, icon, actions, ...on }: RowProps<T>) {
  const { node, level, position, siblings } = row
  return (
    <div
      id={domId}
      role="treeitem"
      aria-level={level + 1}
      aria-setsize={siblings}
      aria-posinset={position + 1}
      aria-expanded={node.children ? open : undefined}
      aria-selected={selected}
      data-active={active || undefined}
      title={node.label}
      className={styles.row}
      style={{ top, paddingInlineStart: level * indentPx }}
      onClick={() => {
        on.onActivate()
        if (node.children) on.onToggle()
        else on.onPick()
      }}
      onDoubleClick={() => node.children && on.onPick()}
      onContextMenu={(event) => {
        if (!on.onMenu) return
        event.preventDefault()
        on.onActivate()
        on.onMenu(event.currentTarget.getBoundingClientRect())
      }}
    >
      <span className={styles.toggle}>
        {node.loading ? (
          <Spinner size={12} />
        ) : (
          node.children && <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} />
        )}
      </span>
      {icon && <Icon name={icon} className={styles.icon} />}
      <span className={styles.label}>{node.label}</span>
      {node.note && <span className={styles.note}>{node.note}</span>}
      {actions && (
        <span className={styles.actions} onClick={(event) => event.stopPropagation()}>
          {actions}
        </span>
      )}
    </div>
  )
}
