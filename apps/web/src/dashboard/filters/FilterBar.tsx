import { Button, Drawer, Icon, IconButton, Tag, useCommand, useText } from '@parquetry/ui'
import { followPointer } from '@parquetry/ui/drag/index.ts'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useMedia, widths } from '../../shared/use-media.ts'
import { useBoard, useDashboard } from '../state/context.ts'
import { AddFilter } from './AddFilter.tsx'
import { FilterControl } from './FilterControl.tsx'
import { hasValue, isDivider, labelOfEntry } from './mask.ts'
import { useFilterBar, type FilterBarState } from './use-filter-bar.ts'
import styles from './Filters.module.css'

const widthKey = 'parquetry.pane.filters'
const width = { least: 200, most: 480, first: 260 } as const
const inside = (px: number) => Math.round(Math.min(width.most, Math.max(width.least, px)))

export interface FilterBarProps {
  /** From the link; undefined leaves it to the width of the window. */
  startsOpen: boolean | undefined
  onConfigure(): void
}

/**
 * The filters at the side of a dashboard: a column, an edge that keeps the count when it is closed, a drawer on narrow windows. It is
 * an edge at first while the layout is edited, which needs the room.
 */
export function FilterBar({ startsOpen, onConfigure }: FilterBarProps) {
  const t = useText()
  const bar = useFilterBar()
  const { rights } = useDashboard()
  const isNarrow = useMedia(widths.narrow)
  const isEditing = useBoard((state) => state.isEditing)
  // A bar that stands open beside the charts does not cover them as a drawer once the window is narrow.
  const [isOpen, setIsOpen] = useState({ wide: startsOpen ?? true, narrow: startsOpen ?? false, editing: false })
  const kind = isNarrow ? 'narrow' : isEditing ? 'editing' : 'wide'
  const open = isOpen[kind]
  const setOpen = (next: boolean) => setIsOpen({ ...isOpen, [kind]: next })
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

  if (bar.shown.length + bar.hidden.length + bar.crossFilters.length === 0 && !rights.edit) return null
  const title = t('dashboard.filters', 'Filters')
  const settings = rights.edit && (
    <IconButton icon="settings" label={t('dashboard.configureFilters', 'Add and edit filters')} onClick={onConfigure} />
  )
  const edge = (
    <div className={styles.edge}>
      <button type="button" className={styles.edgeButton} aria-expanded={open} onClick={() => setOpen(true)}>
        <Icon name="filter" />
        <span className={styles.edgeText}>
          {t('dashboard.filterCount', '{count, plural, =0 {Filters} one {# filter} other {# filters}}', {
            count: bar.active,
          })}
        </span>
      </button>
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
          footer={<Actions bar={bar} />}
        >
          <div className={styles.list}>
            {rights.edit && (
              <Button variant="quiet" icon="settings" onClick={onConfigure}>
                {t('dashboard.configureFilters', 'Add and edit filters')}
              </Button>
            )}
            <FilterList bar={bar} onConfigure={onConfigure} />
          </div>
        </Drawer>
      </>
    )
  }
  if (!open) return edge

  const resize = (event: PointerEvent<HTMLElement>) => {
    const from = event.clientX
    const sign = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const set = (x: number) => setPx(inside(px + (x - from) * sign))
    followPointer(event.nativeEvent, event.currentTarget, {
      move: ({ clientX }) => set(clientX),
      end: ({ clientX }) => localStorage.setItem(widthKey, String(inside(px + (clientX - from) * sign))),
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
        {settings}
        <IconButton
          icon="sidebar"
          label={t('dashboard.hideFilters', 'Hide filters')}
          shortcut="F"
          onClick={() => setOpen(false)}
        />
      </header>
      <div className={styles.list}>
        <FilterList bar={bar} onConfigure={onConfigure} />
      </div>
      <footer className={styles.foot}>
        <Actions bar={bar} />
      </footer>
      <span
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('dashboard.filtersWidth', 'Width of the filters')}
        aria-valuenow={px}
        aria-valuemin={width.least}
        aria-valuemax={width.most}
        className={styles.grip}
        onPointerDown={resize}
        onDoubleClick={() => setPx(width.first)}
        onKeyDown={(event) => {
          const by = { ArrowRight: 16, ArrowLeft: -16 }[event.key]
          if (by) setPx(inside(px + by))
        }}
      />
    </aside>
  )
}

function FilterList({ bar, onConfigure }: { bar: FilterBarState; onConfigure(): void }) {
  const t = useText()
  const { rights } = useDashboard()
  return (
    <>
      {bar.shown.map((filter) =>
        isDivider(filter) ? (
          <div key={filter.id} className={styles.divider}>
            <h3>{filter.title}</h3>
            {filter.description && <p className={styles.note}>{filter.description}</p>}
          </div>
        ) : (
          <FilterControl
            key={filter.id}
            filter={filter}
            entry={bar.chosen[filter.id]}
            isChanged={bar.waiting.includes(filter.id)}
            onChange={(entry) => bar.choose(filter, entry)}
            onHover={(isOver) => bar.hover(filter, isOver)}
          />
        ),
      )}
      {rights.edit && <AddFilter onConfigure={onConfigure} />}
      <CrossFilters bar={bar} />
      {bar.hidden.length > 0 && (
        <details className={styles.away}>
          <summary>
            {t('dashboard.outOfTab', 'Out of this tab ({count, number})', { count: bar.hidden.length })}
          </summary>
          <ul>
            {bar.hidden.map((filter) => (
              <li key={filter.id}>
                {filter.name}{' '}
                <span className={styles.note}>
                  {hasValue(bar.chosen[filter.id]) && labelOfEntry(bar.chosen[filter.id])}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** What clicked charts filter, each with its way out. */
function CrossFilters({ bar }: { bar: FilterBarState }) {
  const t = useText()
  const charts = useBoard(({ dashboard }) => dashboard.charts)
  if (bar.crossFilters.length === 0) return null
  return (
    <section className={styles.cross}>
      <h3>{t('dashboard.fromCharts', 'From charts')}</h3>
      <div className={styles.chips}>
        {bar.crossFilters.map(([chart, entry]) => (
          <Tag key={chart} onRemove={() => bar.removeCrossFilter(chart)}>
            {`${charts.get(chart)?.slice_name ?? chart}: ${labelOfEntry(entry)}`}
          </Tag>
        ))}
      </div>
    </section>
  )
}

function Actions({ bar }: { bar: FilterBarState }) {
  const t = useText()
  const count = bar.waiting.length
  return (
    <>
      <Button variant="quiet" onClick={bar.clear}>
        {t('dashboard.clear', 'Clear')}
      </Button>
      {bar.mode === 'button' && (
        <Button
          variant="primary"
          onClick={bar.apply}
          disabledReason={
            count === 0 ? t('dashboard.nothingToApply', 'Nothing changed since the last Apply') : undefined
          }
        >
          {count > 0 ? t('dashboard.applyCount', 'Apply {count, number}', { count }) : t('dashboard.apply', 'Apply')}
        </Button>
      )}
    </>
  )
}
