import { Menu as Base } from '@mantine/core'
import { useState, type ReactElement } from 'react'
import { KeyHint } from '../commands/KeyHint.tsx'
import { useLayer } from '../commands/layers.ts'
import type { Command } from '../commands/registry.ts'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { Link } from '../theme/navigation.tsx'
import styles from './floating.module.css'

export interface MenuAction {
  label: string
  icon?: IconName | undefined
  shortcut?: string | undefined
  onSelect?: (() => void) | undefined
  /** A link of its own: opens in a new tab when asked to. */
  href?: string | undefined
  /** With it the entry is one of a choice and shows a check. */
  checked?: boolean | undefined
  danger?: boolean | undefined
  disabledReason?: string | undefined
  /** A sub-menu; it opens on click and arrow. */
  items?: MenuItem[] | undefined
}

export type MenuItem = MenuAction | 'divider' | { heading: string } | { command: Command }

export interface MenuProps {
  items: MenuItem[]
  /** Name of the menu for screen readers. */
  label: string
  /** The button that opens it. */
  children: ReactElement
  align?: 'start' | 'end'
  side?: 'bottom' | 'top' | 'right'
  onOpenChange?: (open: boolean) => void
}

const classNames = {
  dropdown: `${styles.dropdown} ${styles.menu}`,
  item: styles.item ?? '',
  itemLabel: styles.itemLabel ?? '',
  itemSection: styles.itemSection ?? '',
  label: styles.heading ?? '',
  divider: styles.divider ?? '',
}
const fade = { transition: 'fade', duration: 120 } as const

export function Menu({ items, label, children, align = 'start', side = 'bottom', onOpenChange }: MenuProps) {
  const [open, setOpen] = useState(false)
  const change = (next: boolean): void => {
    setOpen(next)
    onOpenChange?.(next)
  }
  useLayer(open, () => change(false))
  return (
    <Base
      opened={open}
      onChange={change}
      position={`${side}-${align}`}
      offset={4}
      transitionProps={fade}
      classNames={classNames}
      zIndex="var(--z-popover)"
      returnFocus
    >
      <Base.Target>{children}</Base.Target>
      <Base.Dropdown aria-label={label} aria-labelledby={undefined}>
        <Items items={items} />
      </Base.Dropdown>
    </Base>
  )
}

/** The entries alone, for a context menu that somebody else places. */
export function Items({ items }: { items: MenuItem[] }) {
  return items.map((item, index) => {
    if (item === 'divider') return <Base.Divider key={index} />
    if ('heading' in item) return <Base.Label key={index}>{item.heading}</Base.Label>
    if ('command' in item) {
      const { command } = item
      return <Entry key={command.id} item={{ ...command, onSelect: () => command.run() }} />
    }
    return <Entry key={item.label} item={item} />
  })
}

function Entry({ item }: { item: MenuAction }) {
  const { label, icon, shortcut, onSelect, href, checked, danger, disabledReason, items } = item
  const left = icon && <Icon name={icon} />
  if (items) {
    return (
      <Base.Sub position="right-start" transitionProps={fade}>
        <Base.Sub.Target>
          <Base.Sub.Item leftSection={left} rightSection={<Icon name="chevron-right" />}>
            {label}
          </Base.Sub.Item>
        </Base.Sub.Target>
        <Base.Sub.Dropdown aria-label={label}>
          <Items items={items} />
        </Base.Sub.Dropdown>
      </Base.Sub>
    )
  }
  const shared = {
    className: danger ? styles.danger : undefined,
    leftSection: left,
    rightSection: checked ? <Icon name="check" /> : shortcut && <KeyHint shortcut={shortcut} />,
    'data-disabled': disabledReason !== undefined || undefined,
    'aria-description': disabledReason,
    title: disabledReason,
    ...(checked !== undefined && { role: 'menuitemradio', 'aria-checked': checked }),
  }
  return href && disabledReason === undefined ? (
    <Base.Item component={Link} href={href} {...shared}>
      {label}
    </Base.Item>
  ) : (
    <Base.Item onClick={() => disabledReason === undefined && onSelect?.()} {...shared}>
      {label}
    </Base.Item>
  )
}
