import {
  GridSurface,
  useCopyCells,
  useGrid,
  type CellBlock,
  type CellRef,
  type PlacedColumns,
  type Selection,
} from '@parquetry/charts/views/grid/index'
import { textAt, type Frame } from '@parquetry/frame'
import { Button, EmptyState, useDensity, useTranslate, type MenuItem } from '@parquetry/ui'
import { Suspense, useImperativeHandle, useMemo, useReducer, useState, type Ref } from 'react'
import { boot } from '../boot.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { displayTimeZone } from './cell-text.ts'
import { changeLayout, guessWidth, newLayout, placeLayout } from './column-layout.ts'
import { drawCells } from './draw-cell.ts'
import { handleGridKey } from './grid-keys.ts'
import { GridMenu, type OpenMenu } from './GridMenu.tsx'
import { GridToolbar } from './GridToolbar.tsx'
import { cellMenu, headingMenu, type MenuTools } from './menu-items.ts'
import { storeOriginalTime, readOriginalTimes } from './original-times.ts'
import { useHeadings } from './use-headings.tsx'
import { useGridWorkerClient, useRowView } from './use-row-view.ts'
import { useViewSpec } from './use-view-spec.ts'
import styles from './DataGrid.module.css'

/** Loaded when first opened. */
const CellViewer = lazyComponent(async () => (await import('./CellViewer.tsx')).CellViewer)
const SelectionSummary = lazyComponent(async () => (await import('./SelectionSummary.tsx')).SelectionSummary)
const StatisticsPanel = lazyComponent(async () => (await import('./StatisticsPanel.tsx')).StatisticsPanel)

export interface DataGridProps {
  frame: Frame
  /** Name of the grid for screen readers. */
  label: string
  /** Returns the heading of a column; its name by default. */
  headingOf?: (name: string) => string
  /** Number formats by column name. */
  formats?: Record<string, string | null> | undefined
  /** Displayed number of the first row of a page. */
  firstNumber?: number
  /** Key of the data, under which the browser stores the time columns shown unformatted. */
  originalTimesKey?: string | undefined
  ref?: Ref<GridHandle>
}

export interface GridHandle {
  focus(): void
  /** Opens and focuses the search field. */
  search(): void
  /** Toggles the statistics panel beside the rows. */
  statistics(): void
  /** Returns the cells as shown: columns in order, rows sorted and filtered. */
  cells(): CellBlock
}

const shownLocale = boot.common.locale.replace('_', '-')

const noCells = { top: 0, bottom: -1, left: 0, right: -1 }

/** @param shownRows  rows of the frame in their displayed order; undefined while they are in their own */
function cellsIn(
  frame: Frame,
  placed: PlacedColumns,
  shownRows: Uint32Array | undefined,
  { top, bottom, left, right }: typeof noCells,
): CellBlock {
  return {
    columns: placed.all.slice(left, right + 1).flatMap(({ index }) => frame.columns[index] ?? []),
    rows: Uint32Array.from({ length: Math.max(0, bottom - top + 1) }, (_, row) => shownRows?.[top + row] ?? top + row),
  }
}

const asItIs = (name: string): string => name

/**
 * Rows of a result, virtualized in both directions: text is decoded when shown. Sorting, filters and search apply to the fetched
 * rows only, and the grid states this. Arrows move the cell, Shift extends the selection, Ctrl-C copies it as TSV and HTML, Enter
 * opens a value or sorts by a heading, Shift-F10 opens the menu of a cell or heading, Ctrl-F searches.
 */
export function DataGrid(props: DataGridProps) {
  // The column layout stays while a query returns the same columns.
  return <Grid key={JSON.stringify(props.frame.columns.map(({ name }) => name))} {...props} />
}

function Grid({ frame, label, headingOf = asItIs, formats, firstNumber = 1, originalTimesKey, ref }: DataGridProps) {
  const t = useTranslate()
  const copyCells = useCopyCells()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const rowHeight = useDensity() === 'comfortable' ? 36 : 28
  const numberWidth = Math.max(48, String(frame.rows + firstNumber - 1).length * 8 + 20)
  const zone = displayTimeZone

  const [layout, changeColumns] = useReducer(changeLayout, frame.columns.length, newLayout)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [original, setOriginal] = useState(() => readOriginalTimes(originalTimesKey))
  const [viewed, setViewed] = useState<{ row: number; column: number } | null>(null)
  const [statisticsOf, setStatisticsOf] = useState<number | null>(null)

  const guessed = useMemo(
    () => frame.columns.map(({ name }, index) => guessWidth(frame, index, headingOf(name))),
    [frame, headingOf],
  )
  const placed = useMemo(
    () => placeLayout(layout, (index) => guessed[index] ?? 120, numberWidth),
    [layout, guessed, numberWidth],
  )

  const viewSpec = useViewSpec(placed.all.map(({ index }) => index))
  const { sorting, filters, search, needle } = viewSpec
  const work = useGridWorkerClient(frame)
  const view = useRowView(frame, viewSpec.spec, work)
  const rows = view.rows?.length ?? frame.rows
  const sourceOf = (row: number): number => view.rows?.[row] ?? row
  const grid = useGrid({ scroller, setScroller, rows, placed, rowHeight })
  const { at, selection, selected } = grid
  const draw = useMemo(
    () => drawCells(frame, { needle, zone, locale: shownLocale, formats, original }),
    [frame, needle, zone, formats, original],
  )

  // The statistics follow the cursor.
  const follow = ({ column }: CellRef): void => {
    if (statisticsOf !== null) setStatisticsOf(placed.all[column]?.index ?? statisticsOf)
  }
  const select = (next: Selection): void => {
    grid.select(next)
    follow(next.at)
  }

  const { top, bottom, left, right } = selected ?? noCells
  const isMany = top < bottom || left < right
  const shownRows = view.rows
  const selectedCells = useMemo(
    () => cellsIn(frame, placed, shownRows, { top, bottom, left, right }),
    [frame, placed, shownRows, top, bottom, left, right],
  )
  const isWhole = selection.whole === 'columns' || selection.whole === 'all'
  const copy = (withHeader = isWhole): void => {
    if (selected) void copyCells(selectedCells, withHeader)
  }

  useImperativeHandle(ref, () => ({
    focus: () => scroller?.focus(),
    search: viewSpec.openSearch,
    statistics: () =>
      setStatisticsOf((now) => (now === null ? (placed.all[Math.max(0, at.column)]?.index ?? 0) : null)),
    cells: () => cellsIn(frame, placed, shownRows, { top: 0, bottom: rows - 1, left: 0, right: placed.all.length - 1 }),
  }))

  const openMenu = (place: CellRef, anchor: OpenMenu['anchor']): boolean => {
    setMenu({ anchor, place, byKey: anchor instanceof Element })
    return true
  }
  const show = ({ row, column }: CellRef): void => {
    const index = placed.all[column]?.index
    if (index !== undefined) setViewed({ row: sourceOf(row), column: index })
  }

  const menuOf = ({ row, column }: CellRef): MenuItem[] => {
    const index = placed.all[column]?.index ?? 0
    const data = frame.columns[index]
    if (!data) return []
    const tools: MenuTools = {
      copy,
      filter: (operator, value) => viewSpec.addFilter(index, operator, value),
      statistics: () => setStatisticsOf(index),
    }
    if (row >= 0) {
      const source = sourceOf(row)
      return cellMenu(t, textAt(data, source), tools, () => setViewed({ row: source, column: index }))
    }
    return headingMenu(t, data, tools, {
      isPinned: layout.pinned.has(index),
      isOriginal: data.kind === 'time' ? original.has(data.name) : null,
      showOriginal: (on) => setOriginal(storeOriginalTime(originalTimesKey, original, data.name, on)),
      before: placed.all[column - 1]?.index,
      after: placed.all[column + 1]?.index,
      sort: (descending) => viewSpec.sortBy(index, descending),
      change: (change) => changeColumns({ ...change, column: index }),
      select: () => select({ anchor: { row: 0, column }, at: { row: 0, column }, whole: 'columns' }),
    })
  }

  const heading = useHeadings({
    frame,
    placed,
    sorting,
    filtered: new Set(filters.map(({ column }) => column)),
    zone,
    headingOf,
    onSort: viewSpec.sortBy,
    onMenu: (column, anchor) => setMenu({ anchor, place: { row: -1, column }, byKey: false }),
    onLayout: changeColumns,
  })

  const hasStrip = search !== null || filters.length > 0 || sorting !== null || layout.hidden.size > 0
  const viewedColumn = viewed && frame.columns[viewed.column]

  return (
    <div className={styles.wrap}>
      {hasStrip && (
        <GridToolbar
          frame={frame}
          shownRows={rows}
          isBusy={view.isBusy}
          isSorted={sorting !== null}
          hiddenColumns={layout.hidden.size}
          filters={filters}
          search={search}
          headingOf={headingOf}
          onSearch={(text) => {
            viewSpec.setSearch(text)
            if (text === null) scroller?.focus()
          }}
          onFilters={viewSpec.setFilters}
          onShowAll={() => changeColumns({ type: 'showAll' })}
          onReset={() => {
            viewSpec.reset()
            scroller?.focus()
          }}
        />
      )}
      <div className={styles.beside}>
        <div className={styles.main} data-pane>
          <GridSurface
            grid={{ ...grid, select }}
            label={label}
            isBusy={view.isBusy}
            numberWidth={numberWidth}
            firstNumber={firstNumber}
            sourceOf={sourceOf}
            draw={draw}
            headClass={styles.head}
            heading={heading}
            onCopy={copy}
            onEnter={(cell) => {
              const column = placed.all[cell.column]
              if (cell.row >= 0) show(cell)
              else if (column) viewSpec.sortBy(column.index)
            }}
            onMenu={openMenu}
            ownKey={(key, event) =>
              handleGridKey(key, event, {
                at,
                placed,
                select,
                changeColumns,
                search: viewSpec.openSearch,
              })
            }
            onDoubleClick={show}
            onBegin={follow}
          />
          {rows === 0 && frame.rows > 0 && (
            <div className={styles.nothing}>
              <EmptyState
                inline
                title={t('shared.grid.nothing', 'No loaded rows match')}
                actions={
                  <Button
                    icon="close"
                    onClick={() => {
                      viewSpec.clearFilters()
                      scroller?.focus()
                    }}
                  >
                    {filters.length + (needle === '' ? 0 : 1) > 1
                      ? t('shared.grid.clearFilters', 'Clear filters')
                      : t('shared.grid.clearFilter', 'Clear filter')}
                  </Button>
                }
              />
            </div>
          )}
        </div>
        {statisticsOf !== null && (
          <Suspense fallback={<aside className={styles.statistics} aria-busy />}>
            <StatisticsPanel
              frame={frame}
              column={statisticsOf}
              work={work}
              headingOf={headingOf}
              onColumn={setStatisticsOf}
              onClose={() => {
                setStatisticsOf(null)
                scroller?.focus()
              }}
            />
          </Suspense>
        )}
      </div>
      {isMany && (
        <Suspense fallback={<div className={styles.summary} aria-busy />}>
          <SelectionSummary cells={selectedCells} locale={shownLocale} />
        </Suspense>
      )}
      {menu && (
        <GridMenu
          label={t('shared.grid.menu', 'Actions')}
          items={menuOf(menu.place)}
          anchor={menu.anchor}
          byKey={menu.byKey}
          onClose={() => setMenu(null)}
        />
      )}
      {viewed && viewedColumn && (
        <Suspense>
          <CellViewer
            column={viewedColumn}
            row={viewed.row}
            number={viewed.row + firstNumber}
            heading={headingOf(viewedColumn.name)}
            onClose={() => setViewed(null)}
          />
        </Suspense>
      )}
    </div>
  )
}
