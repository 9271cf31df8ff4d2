/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a group of switches, not a form */
import { useTranslate } from '@parquetry/ui'
import { useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { shorten } from '../shared/formats/format.ts'
import type { ResolvedChart } from '../resolve/resolve-spec.ts'
import styles from './chart-host.module.css'

export interface LegendProps {
  entries: ResolvedChart['legend']
  position: ResolvedChart['legendPosition']
  hidden: ReadonlySet<string>
  onHidden: (hidden: ReadonlySet<string>) => void
}

/**
 * Names of the series beside their colors. A click shows only that series, or all of them if it is already alone; Shift+click or
 * Space toggles it. Hidden series stay listed with strikethrough. Arrow keys move the focus.
 */
export function Legend({ entries, position, hidden, onHidden }: LegendProps) {
  const t = useTranslate()
  const list = useRef<HTMLDivElement>(null)

  const toggle = (name: string) => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    onHidden(next.size === entries.length ? new Set() : next)
  }
  const only = (name: string) => {
    const others = entries.map((entry) => entry.name).filter((other) => other !== name)
    const isAlone = !hidden.has(name) && others.every((other) => hidden.has(other))
    onHidden(isAlone ? new Set() : new Set(others))
  }
  const press = (name: string) => (event: MouseEvent) => (event.shiftKey ? toggle(name) : only(name))
  const key = (name: string) => (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === ' ') {
      event.preventDefault()
      toggle(name)
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    event.stopPropagation()
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    buttons.at((buttons.indexOf(event.currentTarget) + step) % buttons.length)?.focus()
  }

  return (
    <div
      ref={list}
      className={styles.legend}
      data-position={position}
      role="group"
      aria-label={t('charts.legend', 'Legend')}
    >
      {entries.map(({ name, color, isHidden }, i) => (
        <button
          key={`${name} ${i}`}
          type="button"
          className={styles.legendEntry}
          aria-pressed={!isHidden}
          tabIndex={i === 0 ? 0 : -1}
          title={name}
          onClick={press(name)}
          onKeyDown={key(name)}
        >
          <i style={{ background: color }} />
          {shorten(name)}
        </button>
      ))}
    </div>
  )
}
