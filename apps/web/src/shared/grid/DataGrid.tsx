import { textAt, type Frame } from '@parquetry/frame'
import { toast, toastError, useDensity, useText, type MenuItem } from '@parquetry/ui'
import {
  Suspense,
  useDeferredValue,
  useId,
  useImperativeHandle,
  useMemo,
  useReducer,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type Ref,
} from 'react'
import { lazyPart } from '../lazy-part.ts'
import { shownZone } from './cell-text.ts'
import { copyCells } from './clipboard.ts'
import { changeLayout, columnsBetween, guessWidth, newLayout, placeColumns } from './column-layout.ts'
import { htmlOf, tsvInPieces, type Cells } from './copy-text.ts'
import { GridMenu, type OpenMenu } from './GridMenu.tsx'
import { cellMenu, headingMenu, type MenuTools } from './menu-items.ts'
import { GridHead } from './GridHead.tsx'
import { cellId, GridRow } from './GridRow.tsx'
import { GridStrip } from './GridStrip.tsx'
import type { ColumnFilter, FilterOperator, Sorting, ViewSpec } from './row-view.ts'
import { keepOriginalTime, originalTimes } from './original-times.ts'
import { moveSelection, rectangleOf, selectionAt, type Place, type Selection } from './selection.ts'
import { useGridWork, useRowView } from './use-row-view.ts'
import { rowScale, useWindow } from '../use-window.ts'
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
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const [filters, setFilters] = useState<readonly ColumnFilter[]>([])
  const [search, setSearch] = useState<string | null>(null)
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

  const needle = useDeferredValue(search ?? '')
  // By its text, so that a wider column does not sort anew.
  const asked = JSON.stringify({
    sorting,
    filters,
    search: needle,
    searched: needle.trim() === '' ? [] : placed.all.map(({ index }) => index),
  } satisfies ViewSpec)
  const spec = useMemo(() => JSON.parse(asked) as ViewSpec, [asked])
  const work = useGridWork(frame)
  const view = useRowView(frame, spec, work)
  const rows = view.rows?.length ?? frame.rows
  const sourceOf = (row: number): number => view.rows?.[row] ?? row
  const size = { rows, columns: placed.all.length }

  const isScaled = rows * rowHeight > 12_000_000
  const seen = useWindow(scroller, isScaled)
  const { height, factor } = rowScale(rows, rowHeight, seen.height - rowHeight)
  const offset = seen.top * factor
  // Rows beyond the edges, so that scrolling finds them drawn.
  const first = Math.max(0, Math.floor(offset / rowHeight) - 8)
  const last = Math.min(rows, Math.ceil((offset + seen.height) / rowHeight) + 12)
  const base = isScaled ? Math.floor(first / 1000) * 1000 : 0
  const [from, end] = columnsBetween(placed, seen.left + placed.pinnedWidth - 120, seen.left + seen.width + 240)

  const at: Place = {
    row: Math.min(selection.at.row, rows - 1),
    column: Math.min(selection.at.column, placed.all.length - 1),
  }
  const selected = rectangleOf(selection, size)

  const scrollTo = ({ row, column }: Place): void => {
    const element = scroller
    const cell = placed.all[column]
    if (!element || !cell) return
    if (row >= 0) {
      const view = element.clientHeight - rowHeight
      const now = element.scrollTop * factor
      const top = row * rowHeight
      if (top < now) element.scrollTo({ top: top / factor })
      else if (top + rowHeight > now + view) element.scrollTo({ top: (top + rowHeight - view) / factor })
    }
    if (column < placed.pinned) return
    const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1
    const left = Math.abs(element.scrollLeft)
    if (cell.start - placed.pinnedWidth < left) element.scrollTo({ left: sign * (cell.start - placed.pinnedWidth) })
    else if (cell.start + cell.width > left + element.clientWidth)
      element.scrollTo({ left: sign * (cell.start + cell.width - element.clientWidth) })
  }
  const select = (next: Selection): void => {
    setSelection(next)
    scrollTo(next.at)
    // The statistics follow the cursor.
    if (statisticsOf !== null) setStatisticsOf(placed.all[next.at.column]?.index ?? statisticsOf)
  }

  const sortBy = (column: number, descending?: boolean): void =>
    setSorting((now) =>
      descending !== undefined
        ? { column, descending }
        : now?.column !== column
          ? { column, descending: false }
          : now.descending
            ? null
            : { column, descending: true },
    )
  const addFilter = (column: number, operator: FilterOperator, value: string): void =>
    setFilters((now) => [...now.filter((filter) => filter.column !== column), { column, operator, value }])

  const columnsAt = (left: number, right: number) =>
    placed.all.slice(left, right + 1).flatMap(({ index }) => frame.columns[index] ?? [])
  const rowsAt = (top: number, bottom: number): Uint32Array =>
    Uint32Array.from({ length: Math.max(0, bottom - top + 1) }, (_, row) => sourceOf(top + row))
  const copy = async (withHeader: boolean): Promise<void> => {
    if (!selected) return
    const { top, bottom, left, right } = selected
    const cells = { columns: columnsAt(left, right), rows: rowsAt(top, bottom) }
    const count = cells.columns.length * cells.rows.length
    try {
      // A table of hundreds of thousands of cells helps no text processor.
      await copyCells(
        await tsvInPieces(cells, withHeader),
        count <= mostCellsAsHtml ? htmlOf(cells, withHeader) : undefined,
      )
      toast(t('shared.grid.cellsCopied', '{cells, plural, one {# cell} other {# cells}} copied', { cells: count }))
    } catch {
      toastError(t('shared.grid.copyFailed', 'Sorry, your browser does not support copying.'))
    }
  }

  useImperativeHandle(ref, () => ({
    focus: () => scroller?.focus(),
    search: () => setSearch((now) => now ?? ''),
    statistics: () =>
      setStatisticsOf((now) => (now === null ? (placed.all[Math.max(0, at.column)]?.index ?? 0) : null)),
    cells: () => ({ columns: columnsAt(0, placed.all.length - 1), rows: rowsAt(0, rows - 1) }),
  }))

  const openMenuByKey = (): void => {
    const anchor = document.getElementById(cellId(grid, at.row, at.column))
    if (anchor) setMenu({ anchor, place: at, byKey: true })
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return
    const ctrl = event.ctrlKey || event.metaKey
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const mirrored: Record<string, string> = isRtl ? { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' } : {}
    const key = mirrored[event.key] ?? event.key
    const column = placed.all[at.column]
    const handled = (): boolean => {
      if (event.altKey) {
        if (!column) return false
        if (key === 'ArrowDown') openMenuByKey()
        else if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false
        else if (event.shiftKey)
          changeColumns({
            type: 'resize',
            column: column.index,
            width: column.width + (key === 'ArrowRight' ? 16 : -16),
          })
        else {
          const to = placed.all[at.column + (key === 'ArrowRight' ? 1 : -1)]
          if (!to) return true
          changeColumns({ type: 'move', column: column.index, to: to.index, after: key === 'ArrowRight' })
          select(selectionAt({ row: at.row, column: at.column + (key === 'ArrowRight' ? 1 : -1) }))
        }
        return true
      }
      if (ctrl && key.toLowerCase() === 'c') {
        void copy(selection.whole === 'columns' || selection.whole === 'all')
        return true
      }
      if (ctrl && key.toLowerCase() === 'f') {
        setSearch((now) => now ?? '')
        return true
      }
      if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) {
        openMenuByKey()
        return true
      }
      if (key === 'Enter' && column) {
        if (at.row < 0) sortBy(column.index)
        else setViewed({ row: sourceOf(at.row), column: column.index })
        return true
      }
      const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeight) - 2)
      const next = moveSelection({ ...selection, at }, { key, ctrl, shift: event.shiftKey }, size, page)
      if (next) select(next)
      return next !== null
    }
    if (handled()) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  const placeUnder = (x: number, y: number): Place | null => {
    const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')
    const row = cell?.closest<HTMLElement>('[data-row]')
    if (!cell || !row || !scroller?.contains(cell)) return null
    return { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) }
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    const place = placeUnder(event.clientX, event.clientY)
    if (event.button !== 0 || !place) return
    // A finger scrolls; its tap selects by the click that follows.
    if (event.pointerType === 'touch') return setSelection(selectionAt(place))
    setSelection((now) => (event.shiftKey ? { anchor: now.anchor, at: place, whole: 'cells' } : selectionAt(place)))
    if (statisticsOf !== null) setStatisticsOf(placed.all[place.column]?.index ?? statisticsOf)
    const body = event.currentTarget
    body.setPointerCapture(event.pointerId)
    body.onpointermove = (move) => {
      const box = scroller?.getBoundingClientRect()
      if (box) {
        const beyond = (value: number, least: number, most: number): number =>
          value < least ? -rowHeight : value > most ? rowHeight : 0
        scroller?.scrollBy(
          beyond(move.clientX, box.left + placed.pinnedWidth, box.right),
          beyond(move.clientY, box.top + rowHeight, box.bottom),
        )
      }
      const over = placeUnder(move.clientX, move.clientY)
      if (over) setSelection((now) => ({ anchor: now.anchor, at: over, whole: 'cells' }))
    }
    body.onpointerup = () => (body.onpointermove = null)
    body.onpointercancel = body.onpointerup
  }
  const onContextMenu = (event: MouseEvent): void => {
    const place = placeUnder(event.clientX, event.clientY)
    if (!place) return
    event.preventDefault()
    const isInside =
      selected &&
      place.row >= selected.top &&
      place.row <= selected.bottom &&
      place.column >= selected.left &&
      place.column <= selected.right
    if (!isInside) setSelection(selectionAt(place))
    setMenu({ anchor: { x: event.clientX, y: event.clientY }, place, byKey: false })
  }

  const menuOf = ({ row, column }: Place): MenuItem[] => {
    const index = placed.all[column]?.index ?? 0
    const data = frame.columns[index]
    if (!data) return []
    const isWhole = selection.whole === 'columns' || selection.whole === 'all'
    const tools: MenuTools = {
      copy: (withHeader) => void copy(withHeader ?? isWhole),
      filter: (operator, value) => addFilter(index, operator, value),
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
      sort: (descending) => sortBy(index, descending),
      change: (change) => changeColumns({ ...change, column: index }),
      select: () => select({ anchor: { row: 0, column }, at: { row: 0, column }, whole: 'columns' }),
    })
  }

  const isAtSeen =
    at.column >= 0 &&
    (at.row < 0 || (at.row >= first && at.row < last)) &&
    (at.column < placed.pinned || (at.column >= from && at.column < end))
  const hasStrip = search !== null || filters.length > 0 || sorting !== null || layout.hidden.size > 0
  const viewedColumn = viewed && frame.columns[viewed.column]
  const top = isScaled ? seen.top - offset + base * rowHeight : 0

  return (
    <div className={styles.wrap} style={{ '--row': `${rowHeight}px` } as React.CSSProperties}>
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
            aria-activedescendant={isAtSeen ? cellId(grid, at.row, at.column) : undefined}
            aria-busy={view.isBusy || undefined}
            tabIndex={0}
            onKeyDown={onKeyDown}
            onContextMenu={onContextMenu}
            onDoubleClick={(event) => {
              const place = placeUnder(event.clientX, event.clientY)
              const column = place && placed.all[place.column]
              if (column) setViewed({ row: sourceOf(place.row), column: column.index })
            }}
          >
            <GridHead
              grid={grid}
              frame={frame}
              placed={placed}
              from={from}
              end={end}
              numberWidth={numberWidth}
              sorting={sorting}
              filtered={new Set(filters.map(({ column }) => column))}
              at={at.row < 0 ? at.column : -1}
              zone={zone}
              headingOf={headingOf}
              onSort={sortBy}
              onMenu={(column, anchor) => setMenu({ anchor, place: { row: -1, column }, byKey: false })}
              onLayout={changeColumns}
            />
            <div
              className={styles.body}
              role="rowgroup"
              style={{ width: placed.width, height }}
              onPointerDown={onPointerDown}
            >
              <div role="presentation" style={{ transform: top === 0 ? undefined : `translateY(${top}px)` }}>
                {Array.from({ length: Math.max(0, last - first) }, (_, step) => {
                  const row = first + step
                  const isIn = selected !== null && row >= selected.top && row <= selected.bottom
                  return (
                    <GridRow
                      key={row}
                      grid={grid}
                      frame={frame}
                      placed={placed}
                      from={from}
                      end={end}
                      row={row}
                      source={sourceOf(row)}
                      top={(row - base) * rowHeight}
                      numberWidth={numberWidth}
                      selectedFrom={isIn ? selected.left : -1}
                      selectedTo={isIn ? selected.right : -1}
                      at={row === at.row ? at.column : -1}
                      needle={needle.trim().toLowerCase()}
                      zone={zone}
                      original={original}
                    />
                  )
                })}
              </div>
            </div>
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
            setSearch(text)
            if (text === null) scroller?.focus()
          }}
          onFilters={setFilters}
          onShowAll={() => changeColumns({ type: 'showAll' })}
          onReset={() => {
            setSorting(null)
            setFilters([])
            setSearch(null)
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

const mostCellsAsHtml = 200_000
