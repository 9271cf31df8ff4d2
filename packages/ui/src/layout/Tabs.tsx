import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './Tabs.module.css'

export interface Tab<T extends string> {
  value: T
  label: ReactNode
  /** Content at the right of the tab: a count, a chip. */
  mark?: ReactNode
  /** Disables the tab and explains why. */
  disabledReason?: string | undefined
}

export interface TabsProps<T extends string> {
  value: T
  onChange(value: NoInfer<T>): void
  tabs: readonly Tab<T>[]
  label: string
  /** Content of the open tab. For `keepAlive` panels, render and hide them yourself. */
  children?: ReactNode
  /** Buttons at the right end of the bar. */
  actions?: ReactNode
}

/** Tabs with the arrow keys, Home and End; the row scrolls when it is too long. */
export function Tabs<T extends string>({ value, onChange, tabs, label, children, actions }: TabsProps<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  const onKeyDown = (event: KeyboardEvent): void => {
    const open = tabs.filter(({ disabledReason }) => disabledReason === undefined)
    const index = open.findIndex((tab) => tab.value === value)
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: open.length - 1 }[event.key]
    const next = to === undefined ? undefined : open[(to + open.length) % open.length]
    if (!next) return
    event.preventDefault()
    onChange(next.value)
    list.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus()
  }

  return (
    <>
      <div className={styles.bar}>
        <div ref={list} role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKeyDown}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              data-value={tab.value}
              aria-selected={tab.value === value}
              aria-controls={children === undefined ? undefined : `${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              className={styles.tab}
              aria-disabled={tab.disabledReason !== undefined || undefined}
              title={tab.disabledReason}
              onClick={() => tab.disabledReason === undefined && onChange(tab.value)}
            >
              {tab.label}
              {tab.mark}
            </button>
          ))}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children !== undefined && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className={styles.panel}>
          {children}
        </div>
      )}
    </>
  )
}
