import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { KeyHint } from '../commands/KeyHint.tsx'
import { useOverlayLayer } from '../commands/layers.ts'
import { Icon } from '../icons/Icon.tsx'
import { Link } from '../theme/navigation.tsx'
import type { MenuAction, MenuItem } from './Menu.tsx'
import type { Placement } from './compute-position.ts'
import { Tooltip } from './Tooltip.tsx'
import { useFloating } from './use-floating.ts'
import { useFocusScope } from './use-focus.ts'
import { usePressOutside } from './use-press-outside.ts'
import styles from './floating.module.css'

export interface MenuListProps {
  items: readonly MenuItem[]
  label: string
  anchor: () => Element | null | undefined
  placement: Placement
  /** The first entry is active immediately, for menus opened by keyboard. */
  focusFirst: boolean
  /** Closes the whole menu; `back` closes only this level and is undefined at the top. */
  onClose(): void
  back?: () => void
}

const typeAheadMs = 700

const listEntries = (menu: HTMLElement): HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>(':scope > [role^=menuitem]'),
]

/** Menu entries next to their anchor. For a context menu, use an anchor at the pointer. */
export function MenuList({ items, label, anchor, placement, focusFirst, onClose, back }: MenuListProps) {
  const menu = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const style = useFloating(anchor, menu, { placement, gap: 4 })
  const leave = back ?? onClose
  useOverlayLayer(true, leave)
  const outside = usePressOutside(true, anchor, onClose)
  useFocusScope(menu, true)
  useLayoutEffect(() => {
    if (focusFirst && menu.current) listEntries(menu.current)[0]?.focus()
  }, [focusFirst])

  const findTyped = (letter: string, entries: HTMLElement[], index: number): HTMLElement | undefined => {
    const now = performance.now()
    const { text, at: before } = typed.current
    typed.current = { text: now - before < typeAheadMs ? text + letter : letter, at: now }
    const wanted = typed.current.text.toLocaleLowerCase()
    const from = typed.current.text.length > 1 ? index : index + 1
    return [...entries.slice(from), ...entries.slice(0, from)].find((entry) =>
      entry.textContent.trim().toLocaleLowerCase().startsWith(wanted),
    )
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // React also bubbles the keys of sub-menus to here.
    event.stopPropagation()
    const entries = listEntries(event.currentTarget)
    const index = entries.findIndex((entry) => entry === document.activeElement)
    const { length } = entries
    const to = {
      ArrowDown: (index + 1) % length,
      ArrowUp: (index <= 0 ? length : index) - 1,
      Home: 0,
      End: length - 1,
    }[event.key]
    if (to !== undefined) entries[to]?.focus()
    else if (event.key === 'ArrowLeft' && back) back()
    else if (event.key === 'Tab') onClose()
    else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey)
      findTyped(event.key, entries, index)?.focus()
    else return
    event.preventDefault()
  }
  return createPortal(
    <div
      {...outside}
      ref={menu}
      role="menu"
      aria-label={label}
      aria-orientation="vertical"
      tabIndex={-1}
      className={`${styles.dropdown} ${styles.menu}`}
      style={style}
      onKeyDown={onKeyDown}
    >
      {items.map((item, index) => {
        if (item === 'divider') return <hr key={index} className={styles.divider} />
        if ('heading' in item) {
          return (
            <div key={index} role="presentation" className={styles.heading}>
              {item.heading}
            </div>
          )
        }
        if ('command' in item) {
          const { command } = item
          return <Entry key={command.id} item={{ ...command, onSelect: () => command.run() }} onClose={onClose} />
        }
        return <Entry key={item.label} item={item} onClose={onClose} />
      })}
    </div>,
    document.body,
  )
}

function Entry({ item, onClose }: { item: MenuAction; onClose(): void }) {
  const { label, icon, shortcut, onSelect, href, checked, danger, disabledReason, items } = item
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const off = disabledReason !== undefined
  const shared = {
    role: checked === undefined ? 'menuitem' : 'menuitemradio',
    ...(checked !== undefined && { 'aria-checked': checked }),
    tabIndex: -1,
    className: `${styles.item} ${danger ? styles.danger : ''}`,
    'aria-disabled': off || undefined,
    'aria-description': disabledReason,
    // Hovering makes an entry active.
    onPointerMove: (event: React.PointerEvent<HTMLElement>) => {
      if (event.currentTarget !== document.activeElement) event.currentTarget.focus({ preventScroll: true })
    },
  }
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      <span className={styles.itemLabel}>{label}</span>
      {(items || checked || shortcut) && (
        <span className={styles.itemSection}>
          {items ? (
            <Icon name="chevron-right" />
          ) : checked ? (
            <Icon name="check" />
          ) : (
            <KeyHint shortcut={shortcut ?? ''} />
          )}
        </span>
      )}
    </>
  )
  if (items) {
    return (
      <>
        <button
          {...shared}
          ref={button}
          type="button"
          aria-haspopup="menu"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowRight') return
            event.preventDefault()
            event.stopPropagation()
            setOpen(true)
          }}
        >
          {inside}
        </button>
        {open && (
          <MenuList
            items={items}
            label={label}
            anchor={() => button.current}
            placement="right-start"
            focusFirst
            onClose={onClose}
            back={() => setOpen(false)}
          />
        )}
      </>
    )
  }
  if (href && !off) {
    return (
      <Link {...shared} href={href} onClick={onClose}>
        {inside}
      </Link>
    )
  }
  const entry = (
    <button
      {...shared}
      type="button"
      onClick={() => {
        if (off) return
        onClose()
        onSelect?.()
      }}
    >
      {inside}
    </button>
  )
  return off ? <Tooltip text={disabledReason}>{entry}</Tooltip> : entry
}
