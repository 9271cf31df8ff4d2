import { Icon, IconButton, Menu, useTranslate, type MenuItem } from '@parquetry/ui'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { isLive } from '../queries.ts'
import type { Query, QueryEditor } from '../state.ts'
import { hasUnsavedSql } from '../tabs.ts'
import styles from './TabBar.module.css'

export interface TabBarProps {
  tabs: readonly QueryEditor[]
  activeId: string
  queries: Readonly<Record<string, Query>>
  onActivate(id: string): void
  onNew(): void
  onClose(id: string): void
  onMove(id: string, to: number): void
  onRename(id: string): void
  /** Menu items for the active tab. */
  menu: MenuItem[]
}

const dragPx = 6

/**
 * The tabs of SQL Lab. A dot marks text that differs from the saved query, an arrow a running query. Dragging or Alt-Shift-PageUp
 * and PageDown move a tab; Delete closes it.
 */
export function TabBar({ tabs, activeId, queries, onActivate, onNew, onClose, onMove, onRename, menu }: TabBarProps) {
  const t = useTranslate()
  const list = useRef<HTMLDivElement>(null)
  const drag = useRef<{ id: string; from: number; isMoving: boolean } | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)

  useEffect(() => {
    list.current?.querySelector(`[data-tab="${activeId}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [activeId])

  const onKeyDown = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(({ id }) => id === activeId)
    if (event.key === 'Delete') return onClose(activeId)
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const isRtl = document.dir === 'rtl'
    const to = {
      [isRtl ? 'ArrowLeft' : 'ArrowRight']: index + 1,
      [isRtl ? 'ArrowRight' : 'ArrowLeft']: index - 1,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    onActivate(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }

  const indexAtPoint = (x: number, id: string): number => {
    const others = [...(list.current?.querySelectorAll<HTMLElement>('[data-tab]') ?? [])].filter(
      (element) => element.dataset['tab'] !== id,
    )
    const isRtl = document.dir === 'rtl'
    return others.filter((element) => {
      const { left, width } = element.getBoundingClientRect()
      return isRtl ? left + width / 2 > x : left + width / 2 < x
    }).length
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const now = drag.current
    if (!now || (!now.isMoving && Math.abs(event.clientX - now.from) < dragPx)) return
    if (!now.isMoving) {
      now.isMoving = true
      setDragged(now.id)
      event.currentTarget.setPointerCapture(event.pointerId)
    }
    const to = indexAtPoint(event.clientX, now.id)
    if (to !== tabs.findIndex(({ id }) => id === now.id)) onMove(now.id, to)
  }
  const onPointerEnd = (): void => {
    drag.current = null
    setDragged(null)
  }

  const running = new Set(
    Object.values(queries).flatMap((query) => (isLive(query) && !query.isDataPreview ? query.sqlEditorId : [])),
  )
  return (
    <div className={styles.bar}>
      <div
        ref={list}
        role="tablist"
        aria-label={t('sqllab.tabs', 'Query tabs')}
        className={styles.tabs}
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            data-dragged={dragged === tab.id || undefined}
            aria-selected={tab.id === activeId}
            tabIndex={tab.id === activeId ? 0 : -1}
            title={tab.name}
            className={styles.tab}
            onClick={() => onActivate(tab.id)}
            onDoubleClick={() => onRename(tab.id)}
            onAuxClick={(event) => event.button === 1 && onClose(tab.id)}
            onPointerDown={(event) => {
              if (event.button === 0) drag.current = { id: tab.id, from: event.clientX, isMoving: false }
            }}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerEnd}
            onPointerCancel={onPointerEnd}
          >
            {running.has(tab.id) && (
              <>
                <Icon name="play" size={12} filled />
                <span className="visually-hidden">{t('sqllab.tabs.running', 'running:')} </span>
              </>
            )}
            <span className={styles.name}>{tab.name}</span>
            <span className={styles.dot} aria-hidden>
              {hasUnsavedSql(tab) && '•'}
            </span>
            {hasUnsavedSql(tab) && <span className="visually-hidden"> {t('sqllab.tabs.unsaved', '(unsaved)')}</span>}
            {/* Keyboard users close with Delete or Alt-W; screen readers do not expose a button inside a tab. */}
            <span
              aria-hidden
              className={styles.close}
              onClick={(event) => {
                event.stopPropagation()
                onClose(tab.id)
              }}
            >
              <Icon name="close" size={12} />
            </span>
          </button>
        ))}
      </div>
      <IconButton icon="plus" label={t('sqllab.tabs.new', 'New tab')} shortcut="Alt+T" onClick={onNew} />
      <span className={styles.spring} />
      {tabs.length > 1 && (
        <Menu
          label={t('sqllab.tabs.all', 'All tabs')}
          align="end"
          items={tabs.map((tab) => ({
            label: tab.name,
            checked: tab.id === activeId,
            onSelect: () => onActivate(tab.id),
          }))}
        >
          <IconButton icon="chevron-down" label={t('sqllab.tabs.all', 'All tabs')} />
        </Menu>
      )}
      <Menu label={t('sqllab.tabs.menu', 'Tab actions')} align="end" items={menu}>
        <IconButton icon="more" label={t('sqllab.tabs.menu', 'Tab actions')} />
      </Menu>
    </div>
  )
}
