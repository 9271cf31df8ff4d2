import { Button, Drawer, Icon, IconButton, useCommand, useTranslate } from '@parquetry/ui'
import { followPointer } from '@parquetry/ui/drag/index.ts'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useMediaQuery, breakpoints } from '../../shared/use-media-query.ts'
import { useDashboardState, useDashboard } from '../state/context.ts'
import { AddFilter } from './AddFilter.tsx'
import { BarActions, CrossFilters, FilterSets, HiddenFilters } from './FilterBarParts.tsx'
import { FilterControl } from './FilterControl.tsx'
import { useFilterBar, type FilterBarState } from './use-filter-bar.ts'
import styles from './Filters.module.css'

const widthKey = 'parquetry.pane.filters'
const width = { least: 200, most: 480, first: 260 } as const
const inside = (px: number) => Math.round(Math.min(width.most, Math.max(width.least, px)))

export interface FilterBarProps {
  /** From the link; if undefined, the width of the window decides. */
  startsOpen: boolean | undefined
  /** Filter set named in the link. */
  firstSet: number | undefined
  onConfigure(): void
}

/**
 * Filters beside a dashboard: a column, an edge with the filter count when closed, a drawer on narrow windows. It starts as an
 * edge while the layout is edited, which needs the width, and without filters, where the edge adds the first one.
 */
export function FilterBar({ startsOpen, firstSet, onConfigure }: FilterBarProps) {
  const t = useTranslate()
  const bar = useFilterBar()
  const { rights } = useDashboard()
  const isNarrow = useMediaQuery(breakpoints.narrow)
  const isEditing = useDashboardState((state) => state.isEditing)
  // A column that is open does not become an open drawer when the window gets narrow.
  const [isOpen, setIsOpen] = useState({ wide: startsOpen ?? null, narrow: startsOpen ?? false, editing: false })
  const isEmpty = bar.shown.length + bar.hidden.length + bar.crossFilters.length === 0
  const kind = isNarrow ? 'narrow' : isEditing ? 'editing' : 'wide'
  const open = isOpen[kind] ?? !isEmpty
  // Opening a bar without filters is a step toward the first one.
  const [isAdding, setIsAdding] = useState(false)
  const setOpen = (next: boolean) => {
    setIsOpen({ ...isOpen, [kind]: next })
    setIsAdding(next && isEmpty)
  }
  const [px, setPx] = useState(() => inside(Number(localStorage.getItem(widthKey)) || width.first))
  const root = useRef<HTMLElement>(null)
  const wantsFocus = useRef(false)

  useCommand({
    id: 'dashboard.filters',
    label: t('dashboard.toggleFilters', 'Show or hide filters'),
    shortcut: 'F',
    icon: 'filter',
    run: () => {
      wantsFocus.current = !open
      setOpen(!open)
    },
  })
  useEffect(() => {
    if (!open || !wantsFocus.current) return
    wantsFocus.current = false
    root.current?.querySelector<HTMLElement>('input, [role="combobox"]')?.focus()
  }, [open])

  if (isEmpty && !rights.edit) return null
  const title = t('dashboard.filters', 'Filters')
  const settings = rights.edit && (
    <IconButton icon="settings" label={t('dashboard.configureFilters', 'Add and edit filters')} onClick={onConfigure} />
  )
  const edge = (
    <div className={styles.edge}>
      <button type="button" className={styles.edgeButton} aria-expanded={open} onClick={() => setOpen(true)}>
        <Icon name={isEmpty ? 'plus' : 'filter'} />
        <span className={styles.edgeText}>
          {isEmpty
            ? t('dashboard.addAFilter', 'Add a filter')
            : t('dashboard.filterCount', '{count, plural, =0 {Filters} one {# filter} other {# filters}}', {
                count: bar.active,
              })}
        </span>
      </button>
      {isEmpty && settings}
    </div>
  )
  if (isNarrow) {
    return (
      <>
        {edge}
        <Drawer
          open={open}
          onClose={() => setOpen(false)}
          title={title}
          side="start"
          width={320}
          footer={<BarActions bar={bar} />}
        >
          <div className={styles.list}>
            <FilterSets bar={bar} first={firstSet} />
            {rights.edit && (
              <Button variant="quiet" icon="settings" onClick={onConfigure}>
                {t('dashboard.configureFilters', 'Add and edit filters')}
              </Button>
            )}
            <FilterList bar={bar} onConfigure={onConfigure} isAdding={isAdding} />
          </div>
        </Drawer>
      </>
    )
  }
  if (!open) return edge

  const keepPx = (next: number): void => {
    setPx(next)
    localStorage.setItem(widthKey, String(next))
  }
  const resize = (event: PointerEvent<HTMLElement>) => {
    const from = event.clientX
    const sign = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const set = (x: number) => setPx(inside(px + (x - from) * sign))
    followPointer(event.nativeEvent, event.currentTarget, {
      move: ({ clientX }) => set(clientX),
      end: ({ clientX }) => keepPx(inside(px + (clientX - from) * sign)),
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    bar.apply()
  }
  return (
    <aside ref={root} className={styles.bar} style={{ width: px }} aria-label={title} onKeyDown={onKeyDown}>
      <header className={styles.head}>
        <h2>{title}</h2>
        <FilterSets bar={bar} first={firstSet} />
        {settings}
        <IconButton
          icon="sidebar"
          label={t('dashboard.hideFilters', 'Hide filters')}
          shortcut="F"
          onClick={() => setOpen(false)}
        />
      </header>
      <div className={styles.list}>
        <FilterList bar={bar} onConfigure={onConfigure} isAdding={isAdding} />
      </div>
      <footer className={styles.foot}>
        <BarActions bar={bar} />
      </footer>
      <span
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('dashboard.filtersWidth', 'Resize filter bar')}
        aria-valuenow={px}
        aria-valuemin={width.least}
        aria-valuemax={width.most}
        className={styles.grip}
        onPointerDown={resize}
        onDoubleClick={() => keepPx(width.first)}
        onKeyDown={(event) => {
          const by = { ArrowRight: 16, ArrowLeft: -16 }[event.key]
          if (by) keepPx(inside(px + by))
        }}
      />
    </aside>
  )
}

interface FilterListProps {
  bar: FilterBarState
  onConfigure(): void
  /** Starts with the choice of a column for a new filter. */
  isAdding: boolean
}

function FilterList({ bar, onConfigure, isAdding }: FilterListProps) {
  const { rights } = useDashboard()
  return (
    <>
      <CrossFilters bar={bar} />
      {bar.shown.map((filter) => (
        <FilterControl
          key={filter.id}
          filter={filter}
          entry={bar.chosen[filter.id]}
          isChanged={bar.waiting.includes(filter.id)}
          onChange={(entry) => bar.choose(filter, entry)}
          reach={() => bar.reachOf(filter.id)}
          cleared={bar.cleared}
        />
      ))}
      {rights.edit && <AddFilter onConfigure={onConfigure} startsChoosing={isAdding} />}
      <HiddenFilters bar={bar} />
    </>
  )
}
