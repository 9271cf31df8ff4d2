import { textAt, type Frame } from '@parquetry/frame'
import { toast, toastError, useDensity, useText, type MenuItem } from '@parquetry/ui'
import {
  Suspense,
  useId,
  useImperativeHandle,
  useMemo,
  useReducer,
  useState,
  type CSSProperties,
  type MouseEvent,
  type Ref,
} from 'react'
import { shownZone } from './cell-text.ts'
import { copyTable } from './clipboard.ts'
import { changeLayout, guessWidth, newLayout, placeColumns } from './column-layout.ts'
import type { Cells } from './copy-text.ts'
import { onGridKey } from './grid-keys.ts'
import { dragSelection, holdsPlace, placeUnder } from './grid-pointer.ts'
import { GridBody } from './GridBody.tsx'
import { GridHead } from './GridHead.tsx'
import { GridMenu, type OpenMenu } from './GridMenu.tsx'
import { cellId } from './GridRow.tsx'
import { GridStrip } from './GridStrip.tsx'
import { cellMenu, headingMenu, type MenuTools } from './menu-items.ts'
import { keepOriginalTime, originalTimes } from './original-times.ts'
import { rectangleOf, selectionAt, type Place, type Selection } from './selection.ts'
import { useGridWindow } from './use-grid-window.ts'
import { useGridWork, useRowView } from './use-row-view.ts'
import { useViewSpec } from './use-view-spec.ts'
import { lazyPart } from '../lazy-part.ts'
import styles from './DataGrid.module.css'

/** The code for these comes when they are first opened. */
const CellViewer = lazyPart(async () => (await import('./CellViewer.tsx')).CellViewer)
const StatisticsPanel = lazyPart(async () => (await import('./StatisticsPanel.tsx')).StatisticsPanel)

export interface DataGridProps {
  frame: Frame
  /** Name of the grid for screen readers. */
  label: string
  /** Headings other than the columns' names. */
  headingOf?: (name: string) => string
  /** What the rows are of: under this name the browser keeps which times are shown as they came. */
  timesOf?: string | undefined
  ref?: Ref<GridHandle>
}

export interface GridHandle {
  focus(): void
  /** Opens the search field and puts the cursor into it. */
  search(): void
  /** Opens or closes the panel beside the rows. */
  statistics(): void
  /** Everything as it is shown: columns in their order, rows sorted and filtered. */
  cells(): Cells
}

const asItIs = (name: string): string => name

/**
 * Rows of a result, virtual in both directions: texts are decoded when they are shown. Sorting, filters and search are local to
 * the rows at hand and say so. Arrows move the cell, Shift stretches the selection, Ctrl-C copies it as TSV and HTML, Enter
 * opens a value or sorts by a heading, Shift-F10 opens the menu of a cell or heading, Ctrl-F searches.
 */
export function DataGrid(props: DataGridProps) {
  // What was made of the columns stays while a query gives the same ones.
  return <Grid key={JSON.stringify(props.frame.columns.map(({ name }) => name))} {...props} />
}

function Grid({ frame, label, headingOf = asItIs, timesOf, ref }: DataGridProps) {
  const t = useText()
  const grid = useId()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const rowHeight = useDensity() === 'comfortable' ? 36 : 28
  const numberWidth = Math.max(48, String(frame.rows).length * 8 + 20)
  const [zone] = useState(shownZone)

  const [layout, changeColumns] = useReducer(changeLayout, frame.columns.length, newLayout)
  const [selection, setSelection] = useState<Selection>(() => selectionAt({ row: 0, column: 0 }))
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [original, setOriginal] = useState(() => originalTimes(timesOf))
  const [viewed, setViewed] = useState<{ row: number; column: number } | null>(null)
  const [statisticsOf, setStatisticsOf] = useState<number | null>(null)

  const guessed = useMemo(
    () => frame.columns.map(({ name }, index) => guessWidth(frame, index, headingOf(name))),
    [frame, headingOf],
  )
  const placed = useMemo(
    () => placeColumns(layout, (index) => guessed[index] ?? 120, numberWidth),
    [layout, guessed, numberWidth],
  )

  const asked = useViewSpec(placed.all.map(({ index }) => index))
  const work = useGridWork(frame)
  const view = useRowView(frame, asked.spec, work)
  const rows = view.rows?.length ?? frame.rows
  const sourceOf = (row: number): number => view.rows?.[row] ?? row
  const size = { rows, columns: placed.all.length }

  const seen = useGridWindow(scroller, rows, rowHeight, placed)

  const at: Place = {
    row: Math.min(selection.at.row, rows - 1),
    column: Math.min(selection.at.column, placed.all.length - 1),
  }
  const selected = rectangleOf(selection, size)

  // The statistics follow the cursor.
  const follow = ({ column }: Place): void => {
    if (statisticsOf !== null) setStatisticsOf(placed.all[column]?.index ?? statisticsOf)
  }
  const select = (next: Selection): void => {
    setSelection(next)
    seen.scrollTo(next.at)
    follow(next.at)
  }

  const columnsAt = (left: number, right: number) =>
    placed.all.slice(left, right + 1).flatMap(({ index }) => frame.columns[index] ?? [])
  const rowsAt = (top: number, bottom: number): Uint32Array =>
    Uint32Array.from({ length: Math.max(0, bottom - top + 1) }, (_, row) => sourceOf(top + row))
  const isWhole = selection.whole === 'columns' || selection.whole === 'all'
  const copy = async (withHeader = isWhole): Promise<void> => {
    if (!selected) return
    const { top, bottom, left, right } = selected
    const cells = { columns: columnsAt(left, right), rows: rowsAt(top, bottom) }
    try {
      await copyTable(cells, withHeader)
      const count = cells.columns.length * cells.rows.length
      toast(t('shared.grid.cellsCopied', '{cells, plural, one {# cell} other {# cells}} copied', { cells: count }))
    } catch {
      toastError(t('shared.grid.copyFailed', 'Sorry, your browser does not support copying.'))
    }
  }

  useImperativeHandle(ref, () => ({
    focus: () => scroller?.focus(),
    search: asked.openSearch,
    statistics: () =>
      setStatisticsOf((now) => (now === null ? (placed.all[Math.max(0, at.column)]?.index ?? 0) : null)),
    cells: () => ({ columns: columnsAt(0, placed.all.length - 1), rows: rowsAt(0, rows - 1) }),
  }))

  const openMenuByKey = (): void => {
    const anchor = document.getElementById(cellId(grid, at.row, at.column))
    if (anchor) setMenu({ anchor, place: at, byKey: true })
  }

  const onContextMenu = (event: MouseEvent): void => {
    const place = placeUnder(scroller, event.clientX, event.clientY)
    if (!place) return
    event.preventDefault()
    if (!holdsPlace(selected, place)) setSelection(selectionAt(place))
    setMenu({ anchor: { x: event.clientX, y: event.clientY }, place, byKey: false })
  }

  const menuOf = ({ row, column }: Place): MenuItem[] => {
    const index = placed.all[column]?.index ?? 0
    const data = frame.columns[index]
    if (!data) return []
    const tools: MenuTools = {
      copy: (withHeader) => void copy(withHeader),
      filter: (operator, value) => asked.addFilter(index, operator, value),
      statistics: () => setStatisticsOf(index),
    }
    if (row >= 0) {
      const source = sourceOf(row)
      return cellMenu(t, textAt(data, source), tools, () => setViewed({ row: source, column: index }))
    }
    return headingMenu(t, data, tools, {
      isPinned: layout.pinned.has(index),
      isOriginal: data.kind === 'time' ? original.has(data.name) : null,
      showOriginal: (on) => setOriginal(keepOriginalTime(timesOf, original, data.name, on)),
      before: placed.all[column - 1]?.index,
      after: placed.all[column + 1]?.index,
      sort: (descending) => asked.sortBy(index, descending),
      change: (change) => changeColumns({ ...change, column: index }),
      select: () => select({ anchor: { row: 0, column }, at: { row: 0, column }, whole: 'columns' }),
    })
  }

  const { sorting, filters, search } = asked
  const hasStrip = search !== null || filters.length > 0 || sorting !== null || layout.hidden.size > 0
  const viewedColumn = viewed && frame.columns[viewed.column]

  return (
    <div className={styles.wrap} style={{ '--row': `${rowHeight}px` } as CSSProperties}>
      <div className={styles.beside}>
        <div className={styles.main} data-pane>
          <div
            ref={setScroller}
            className={styles.grid}
            role="grid"
            aria-label={label}
            aria-rowcount={rows + 1}
            aria-colcount={placed.all.length + 1}
            aria-multiselectable
            aria-activedescendant={seen.holds(at) ? cellId(grid, at.row, at.column) : undefined}
            aria-busy={view.isBusy || undefined}
            tabIndex={0}
            onKeyDown={(event) =>
              onGridKey(event, {
                at,
                selection,
                placed,
                size,
                pageRows: Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeight) - 2),
                select,
                changeColumns,
                copy: () => void copy(),
                search: asked.openSearch,
                openMenu: openMenuByKey,
                sort: asked.sortBy,
                view: (column) => setViewed({ row: sourceOf(at.row), column }),
              })
            }
            onContextMenu={onContextMenu}
            onDoubleClick={(event) => {
              const place = placeUnder(scroller, event.clientX, event.clientY)
              const column = place && placed.all[place.column]
              if (column) setViewed({ row: sourceOf(place.row), column: column.index })
            }}
          >
            <GridHead
              grid={grid}
              frame={frame}
              placed={placed}
              from={seen.from}
              end={seen.end}
              numberWidth={numberWidth}
              sorting={sorting}
              filtered={new Set(filters.map(({ column }) => column))}
              at={at.row < 0 ? at.column : -1}
              zone={zone}
              headingOf={headingOf}
              onSort={asked.sortBy}
              onMenu={(column, anchor) => setMenu({ anchor, place: { row: -1, column }, byKey: false })}
              onLayout={changeColumns}
            />
            <GridBody
              grid={grid}
              frame={frame}
              placed={placed}
              seen={seen}
              rowHeight={rowHeight}
              numberWidth={numberWidth}
              selected={selected}
              at={at}
              needle={asked.needle}
              zone={zone}
              original={original}
              sourceOf={sourceOf}
              onPointerDown={(event) =>
                dragSelection(event, {
                  scroller,
                  rowHeight,
                  pinnedWidth: placed.pinnedWidth,
                  select: setSelection,
                  begin: follow,
                })
              }
            />
          </div>
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
      {hasStrip && (
        <GridStrip
          frame={frame}
          shownRows={rows}
          isBusy={view.isBusy}
          isSorted={sorting !== null}
          hiddenColumns={layout.hidden.size}
          filters={filters}
          search={search}
          headingOf={headingOf}
          onSearch={(text) => {
            asked.setSearch(text)
            if (text === null) scroller?.focus()
          }}
          onFilters={asked.setFilters}
          onShowAll={() => changeColumns({ type: 'showAll' })}
          onReset={() => {
            asked.reset()
            scroller?.focus()
          }}
        />
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
            heading={headingOf(viewedColumn.name)}
            onClose={() => setViewed(null)}
          />
        </Suspense>
      )}
    </div>
  )
}
