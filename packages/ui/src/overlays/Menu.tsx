import {
  cloneElement,
  useCallback,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
} from 'react'
import type { Command } from '../commands/registry.ts'
import type { IconName } from '../icons/paths.ts'
import { MenuList } from './MenuList.tsx'
import styles from './floating.module.css'

export interface MenuAction {
  label: string
  icon?: IconName | undefined
  shortcut?: string | undefined
  onSelect?: (() => void) | undefined
  /** Makes the entry a link, which can be opened in a new tab. */
  href?: string | undefined
  /** Makes the entry an option of a choice, with a check mark when true. */
  checked?: boolean | undefined
  danger?: boolean | undefined
  disabledReason?: string | undefined
  /** A sub-menu, opened by click or arrow key. */
  items?: MenuItem[] | undefined
}

export type MenuItem = MenuAction | 'divider' | { heading: string } | { command: Command }

interface TriggerProps {
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  onClick?: (event: MouseEvent<HTMLElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
}

export interface MenuProps {
  /** A function is called when the menu opens. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
  /** Name of the menu for screen readers. */
  label: string
  /** The button that opens it. */
  children: ReactElement
  align?: 'start' | 'end'
  side?: 'bottom' | 'top' | 'right'
  onOpenChange?: (open: boolean) => void
}

/** A button with a menu: arrows, Home, End and typed letters move, Enter chooses, Esc and Tab close. */
export function Menu({ items, label, children, align = 'start', side = 'bottom', onOpenChange }: MenuProps) {
  const [open, setOpen] = useState<'keys' | 'pointer' | null>(null)
  const holder = useRef<HTMLSpanElement>(null)
  const anchor = useCallback(() => holder.current?.firstElementChild, [])
  const change = (next: 'keys' | 'pointer' | null): void => {
    setOpen(next)
    onOpenChange?.(next !== null)
  }
  const button = children as ReactElement<TriggerProps>
  return (
    <>
      <span ref={holder} className={styles.anchor}>
        {cloneElement(button, {
          'aria-haspopup': 'menu',
          'aria-expanded': open !== null,
          onClick: (event: MouseEvent<HTMLElement>) => {
            button.props.onClick?.(event)
            // Enter and Space trigger a click without a pointer.
            change(open === null ? (event.detail === 0 ? 'keys' : 'pointer') : null)
          },
          onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
            button.props.onKeyDown?.(event)
            if (event.key !== 'ArrowDown' || open !== null) return
            event.preventDefault()
            change('keys')
          },
        })}
      </span>
      {open !== null && (
        <MenuList
          items={typeof items === 'function' ? items() : items}
          label={label}
          anchor={anchor}
          placement={`${side}-${align}`}
          focusFirst={open === 'keys'}
          onClose={() => change(null)}
        />
      )}
    </>
  )
}
