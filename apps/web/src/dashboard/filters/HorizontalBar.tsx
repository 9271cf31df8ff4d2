import type { NativeFilter } from '@parquetry/model'
import { Button, IconButton, Popover, useCommand, useTranslate } from '@parquetry/ui'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useDashboard } from '../state/context.ts'
import { AddFilter } from './AddFilter.tsx'
import { BarActions, CrossFilterChips, CrossFilters, FilterSets, HiddenFilters } from './FilterBarParts.tsx'
import { FilterControl } from './FilterControl.tsx'
import type { FilterBarProps } from './FilterBar.tsx'
import { kindOf } from './kinds/registry.ts'
import { isDivider } from './mask.ts'
import { useFilterBar, type FilterBarState } from './use-filter-bar.ts'
import styles from './HorizontalBar.module.css'

/** Widths in px of a filter with its label, of what is beside the filters, and of a chip. */
const itemPx = 252
const restPx = 340
const chipPx = 240

/**
 * Cross-filters and filters in one row under the header; those that do not fit or need more than one line are under “More”.
 */
export function HorizontalBar({ firstSet, onConfigure }: FilterBarProps) {
  const t = useTranslate()
  const bar = useFilterBar()
  const { rights } = useDashboard()
  const root = useRef<HTMLElement>(null)
  const [isMoreOpen, setMoreOpen] = useState(false)
  const px = useWidth(root)

  useCommand({
    id: 'dashboard.filters',
    label: t('dashboard.goToFilters', 'Go to filters'),
    shortcut: 'F',
    icon: 'filter',
    run: () => root.current?.querySelector<HTMLElement>('input, button')?.focus(),
  })
  if (bar.shown.length + bar.hidden.length + bar.crossFilters.length === 0 && !rights.edit) return null
  const chips = bar.crossFilters.slice(0, Math.max(1, Math.min(3, Math.floor((px - restPx) / chipPx))))
  const moreChips = bar.crossFilters.length - chips.length
  const capacity = Math.max(0, Math.floor((px - restPx - chips.length * chipPx) / itemPx))
  const line = bar.shown.filter((filter) => !isDivider(filter) && !kindOf(filter)?.isTall).slice(0, capacity)
  const more = bar.shown.filter((filter) => !line.includes(filter))
  const count = more.filter((filter) => !isDivider(filter)).length + bar.hidden.length + moreChips
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    bar.apply()
  }
  return (
    <section ref={root} className={styles.bar} aria-label={t('dashboard.filters', 'Filters')} onKeyDown={onKeyDown}>
      <FilterSets bar={bar} first={firstSet} />
      {chips.length > 0 && <CrossFilterChips bar={bar} crossFilters={chips} />}
      {line.map((filter) => (
        <div key={filter.id} className={styles.item}>
          <One filter={filter} bar={bar} />
        </div>
      ))}
      {rights.edit && bar.shown.length === 0 && <AddFilter onConfigure={onConfigure} />}
      {count > 0 && (
        <Popover
          open={isMoreOpen}
          onClose={() => setMoreOpen(false)}
          label={t('dashboard.moreFilters', 'More filters')}
          width={320}
          anchor={
            <Button icon="filter" onClick={() => setMoreOpen(!isMoreOpen)}>
              {t('dashboard.moreCount', 'More {count, number}', { count })}
            </Button>
          }
        >
          <div className={styles.more}>
            {moreChips > 0 && <CrossFilters bar={bar} />}
            {more.map((filter) => (
              <One key={filter.id} filter={filter} bar={bar} />
            ))}
            <HiddenFilters bar={bar} />
          </div>
        </Popover>
      )}
      <span className={styles.end}>
        <BarActions bar={bar} />
        {rights.edit && (
          <IconButton
            icon="settings"
            label={t('dashboard.configureFilters', 'Add and edit filters')}
            onClick={onConfigure}
          />
        )}
      </span>
    </section>
  )
}

const One = ({ filter, bar }: { filter: NativeFilter; bar: FilterBarState }) => (
  <FilterControl
    filter={filter}
    entry={bar.chosen[filter.id]}
    isChanged={bar.waiting.includes(filter.id)}
    onChange={(entry) => bar.choose(filter, entry)}
    reach={() => bar.reachOf(filter.id)}
    cleared={bar.cleared}
  />
)

/** Current width of an element; that of the window before it is mounted. */
function useWidth(root: { current: HTMLElement | null }): number {
  const [px, setPx] = useState(innerWidth)
  useEffect(() => {
    const element = root.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => entry && setPx(entry.contentRect.width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [root])
  return px
}
