import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { Spinner } from '../feedback/Spinner.tsx'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { useTranslate } from '../theme/i18n.ts'
import { KeyHint } from './KeyHint.tsx'
import { useFocusScope } from '../overlays/use-focus.ts'
import { useOverlayLayer } from './layers.ts'
import styles from './CommandPalette.module.css'

export interface PaletteItem {
  id: string
  label: string
  icon: IconName
  /** Small text on the right: kind, owner, time. */
  note?: string
  shortcut?: string
  /** Opens the item; with Ctrl in a new tab if it has an address. */
  run(): void
  href?: string
}

export interface PaletteGroup {
  id: string
  label: string
  items: readonly PaletteItem[]
}

export interface CommandPaletteProps {
  text: string
  onText(text: string): void
  /** Already ranked; the first item is active. */
  groups: readonly PaletteGroup[]
  busy?: boolean
  onClose(): void
}

/** A single search field for everything: arrows move, Enter opens. The caller provides the results. */
export function CommandPalette({ text, onText, groups, busy, onClose }: CommandPaletteProps) {
  const t = useTranslate()
  const id = useId()
  const [active, setActive] = useState(0)
  const items = groups.flatMap((group) => group.items)
  const marked = Math.min(active, items.length - 1)
  useOverlayLayer(true, onClose, true)
  const box = useRef<HTMLDivElement>(null)
  useFocusScope(box, true, true)
  useEffect(() => {
    document.getElementById(`${id}-${marked}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, marked])

  const open = (item: PaletteItem | undefined, newTab: boolean): void => {
    if (!item) return
    onClose()
    if (newTab && item.href) window.open(item.href, '_blank', 'noopener')
    else item.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = items.length - 1
    const to = { ArrowDown: marked + 1, ArrowUp: marked - 1, Home: 0, End: last }[event.key]
    if (to !== undefined && (event.key.startsWith('Arrow') || text === '')) {
      event.preventDefault()
      setActive(to > last ? 0 : to < 0 ? last : to)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      open(items[marked], event.ctrlKey || event.metaKey)
    } else if (event.key === 'Tab') event.preventDefault()
  }

  const starts = groups.map((_, index) => groups.slice(0, index).reduce((sum, group) => sum + group.items.length, 0))
  return createPortal(
    <div
      className={styles.scrim}
      role="presentation"
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div
        ref={box}
        role="dialog"
        aria-modal="true"
        aria-label={t('ui.palette.label', 'Search and commands')}
        className={styles.palette}
      >
        <div className={styles.field}>
          <Icon name="search" />
          <input
            role="combobox"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={items.length > 0 ? `${id}-${marked}` : undefined}
            aria-label={t('ui.palette.field', 'Search everything')}
            placeholder={t('ui.palette.placeholder', 'Search or type a command')}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              onText(event.target.value)
              setActive(0)
            }}
            onKeyDown={onKeyDown}
          />
          {busy && <Spinner />}
          <KeyHint shortcut="Escape" />
        </div>
        <div id={`${id}-list`} role="listbox" aria-label={t('ui.palette.results', 'Results')} className={styles.list}>
          {groups.map((group, index) => (
            <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
              <div id={`${id}-${group.id}`} className={styles.heading} role="presentation">
                {group.label}
              </div>
              {group.items.map((item, within) => {
                const own = (starts[index] ?? 0) + within
                return (
                  <div
                    key={item.id}
                    id={`${id}-${own}`}
                    role="option"
                    aria-selected={own === marked}
                    className={styles.item}
                    onMouseMove={() => own !== marked && setActive(own)}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={(event) => open(item, event.ctrlKey || event.metaKey)}
                  >
                    <Icon name={item.icon} />
                    <span className={styles.label}>{item.label}</span>
                    {item.note && <span className={styles.note}>{item.note}</span>}
                    {item.shortcut && <KeyHint shortcut={item.shortcut} />}
                  </div>
                )
              })}
            </div>
          ))}
        </div>
        <p role="status" className={styles.empty}>
          {items.length === 0 && !busy ? t('ui.palette.nothing', 'No results') : null}
        </p>
        <p className={styles.foot} aria-hidden="true">
          {t('ui.palette.foot', '↑↓ move · Enter open · Ctrl+Enter new tab · > actions only')}
        </p>
      </div>
    </div>,
    document.body,
  )
}
