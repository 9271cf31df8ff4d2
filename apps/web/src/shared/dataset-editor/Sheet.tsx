import { Icon, useVirtualRows, useTranslate } from '@parquetry/ui'
import { useEffect, useId, useLayoutEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import {
  clampCell,
  fillCells,
  isInRange,
  moveCell,
  pasteCells,
  toCellRange,
  formatTsv,
  writeCell,
  type CellRef,
  type SheetColumn,
  type CellWrite,
} from './sheet.ts'
import styles from './Sheet.module.css'

export interface SheetProps<Row> {
  label: string
  columns: readonly SheetColumn<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  /** Applies the changes as one undo step. */
  onWrite(written: readonly CellWrite[]): void
  /** Row of the keyboard cursor. */
  current: number
  onCurrent(row: number): void
  /** Opens the details of a row. */
  onOpen(row: number): void
  /** Removes the rows from `from` to `to`, inclusive. */
  onRemove?: ((from: number, to: number) => void) | undefined
  /** Why a row cannot be saved. */
  problemOf?(row: Row): string | undefined
  readOnly: boolean
}

const rowHeight = 32

/**
 * Rows edited like a spreadsheet: typing writes, arrows move, Shift selects, copy and paste work on many cells, Delete clears,
 * Ctrl-D fills down. The grid itself has the focus, so that Tab leaves it.
 */
export function Sheet<Row>(props: SheetProps<Row>) {
  const { label, columns, rows, keyOf, onWrite, current, onCurrent, onOpen, onRemove, problemOf, readOnly } = props
  const t = useTranslate()
  const id = useId()
  const grid = useRef<HTMLDivElement>(null)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [column, setColumn] = useState(() => {
    const first = rows[0]
    const index = columns.findIndex(
      ({ kind, isReadOnly }) => kind === 'text' && first !== undefined && !isReadOnly?.(first),
    )
    return Math.max(0, index)
  })
  const [anchor, setAnchor] = useState<CellRef | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const seen = useVirtualRows(scroller, { count: rows.length, rowHeight })

  const size = { rows: rows.length, columns: columns.length }
  const active = clampCell({ row: current, column }, size)
  const range = toCellRange(active, anchor ? clampCell(anchor, size) : active)
  const spec = columns[active.column]
  const item = rows[active.row]

  useLayoutEffect(() => {
    seen.scrollTo(active.row)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a move scrolls
  }, [active.row])

  const go = (to: CellRef, extend = false): void => {
    setAnchor(extend ? (anchor ?? active) : null)
    setColumn(to.column)
    if (to.row !== current) onCurrent(to.row)
  }
  const isClosed = readOnly || !spec || item === undefined || spec.kind === 'read' || spec.isReadOnly?.(item) === true
  const edit = (text: string | null): void => {
    if (isClosed || spec.kind === 'check') return
    setAnchor(null)
    setTyped(text ?? String(spec.get(item)))
  }
  const commit = (text: string, to?: CellRef): void => {
    setTyped(null)
    const written = writeCell(columns, rows, active, text)
    if (written.length > 0) onWrite(written)
    if (to) go(clampCell(to, size))
    grid.current?.focus()
  }
  const toggle = (cell: CellRef): void => {
    const check = columns[cell.column]
    const row = rows[cell.row]
    if (readOnly || check?.kind !== 'check' || row === undefined || check.isReadOnly?.(row)) return
    const text = check.get(row) === true ? 'FALSE' : 'TRUE'
    const all = isInRange(range, cell) && anchor ? fillCells(columns, rows, range, text) : []
    const written = all.length > 0 ? all : writeCell(columns, rows, cell, text)
    if (written.length > 0) onWrite(written)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || typed !== null || rows.length === 0) return
    const ctrl = event.ctrlKey || event.metaKey
    const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 320) / rowHeight) - 2)
    const to = event.altKey ? undefined : moveCell(active, event.key, { ctrl, page, ...size })
    const done = (work: () => void): void => {
      event.preventDefault()
      event.stopPropagation()
      work()
    }
    if (to) return done(() => go(to, event.shiftKey))
    if (event.key === 'Enter' && event.altKey) return done(() => onOpen(active.row))
    if (event.key === 'Escape' && anchor) return done(() => setAnchor(null))
    if (ctrl && event.key.toLowerCase() === 'a')
      return done(() => {
        setAnchor({ row: 0, column: 0 })
        setColumn(columns.length - 1)
        onCurrent(rows.length - 1)
      })
    if (readOnly) {
      if (event.key === 'Enter') done(() => onOpen(active.row))
      return
    }
    if (ctrl && event.key.toLowerCase() === 'd')
      return done(() => {
        const from = rows[range.top]
        if (from === undefined) return
        const written = columns.flatMap((each, index) =>
          index < range.left || index > range.right
            ? []
            : fillCells(
                columns,
                rows,
                { ...range, top: range.top + 1, left: index, right: index },
                String(each.get(from)).toString(),
              ),
        )
        if (written.length > 0) onWrite(written)
      })
    if ((event.key === 'Delete' || event.key === 'Backspace') && ctrl)
      return onRemove && done(() => onRemove(range.top, range.bottom))
    if (event.key === 'Delete' || event.key === 'Backspace')
      return done(() => {
        const written = fillCells(columns, rows, range, '')
        if (written.length > 0) onWrite(written)
      })
    if (ctrl || event.metaKey || event.altKey) return
    if (event.key === ' ' && spec?.kind === 'check') return done(() => toggle(active))
    if (event.key === 'Enter' && spec?.kind === 'check') return done(() => toggle(active))
    if (event.key === 'Enter' || event.key === 'F2') return done(() => (isClosed ? onOpen(active.row) : edit(null)))
    if (event.key.length === 1) done(() => edit(event.key))
  }
  const onCopy = (event: ClipboardEvent): void => {
    if (typed !== null) return
    event.preventDefault()
    const lines = rows
      .slice(range.top, range.bottom + 1)
      .map((row) => columns.slice(range.left, range.right + 1).map((each) => each.get(row)))
    event.clipboardData.setData('text/plain', formatTsv(lines))
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (typed !== null || readOnly) return
    event.preventDefault()
    const written = pasteCells(columns, rows, range, event.clipboardData.getData('text/plain'))
    if (written.length === 0) return
    onWrite(written)
    setAnchor({ row: range.top, column: range.left })
    const last = written.reduce((far, { row, column: at }) => ({
      ...far,
      row: Math.max(far.row, row),
      column: Math.max(far.column, at),
    }))
    setColumn(last.column)
    onCurrent(last.row)
  }
  const width = columns.reduce((sum, each) => sum + each.width, 0)
  const template = columns
    .map(({ width: px }, index) => (index === columns.length - 1 ? `minmax(${px}px, 1fr)` : `${px}px`))
    .join(' ')

  return (
    <div ref={setScroller} className={styles.scroller}>
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-readonly={readOnly || undefined}
        aria-multiselectable
        aria-activedescendant={rows.length > 0 ? `${id}-${active.row}-${active.column}` : undefined}
        className={styles.grid}
        style={{ minWidth: width }}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onPaste={onPaste}
      >
        <div role="row" aria-rowindex={1} className={styles.head} style={{ gridTemplateColumns: template }}>
          {columns.map((each) => (
            <span key={each.id} role="columnheader" className={each.kind === 'check' ? styles.center : undefined}>
              {each.header}
            </span>
          ))}
        </div>
        <div role="rowgroup" style={{ height: seen.height, position: 'relative' }}>
          {rows.slice(seen.first, seen.last).map((row, offset) => {
            const at = seen.first + offset
            const problem = problemOf?.(row)
            return (
              <div
                key={keyOf(row)}
                role="row"
                aria-rowindex={at + 2}
                className={styles.row}
                data-current={at === active.row || undefined}
                style={{ gridTemplateColumns: template, transform: `translateY(${at * rowHeight}px)` }}
              >
                {columns.map((each, index) => {
                  const here = { row: at, column: index }
                  const isActive = at === active.row && index === active.column
                  const value = each.get(row)
                  const isFixed = readOnly || each.kind === 'read' || each.isReadOnly?.(row) === true
                  return (
                    <div
                      key={each.id}
                      id={`${id}-${at}-${index}`}
                      role={index === 0 ? 'rowheader' : 'gridcell'}
                      aria-colindex={index + 1}
                      aria-selected={isInRange(range, here)}
                      aria-readonly={isFixed || undefined}
                      aria-invalid={(index === 0 && problem !== undefined) || undefined}
                      title={index === 0 && problem ? problem : undefined}
                      className={[styles.cell, each.mono && styles.mono, each.kind === 'check' && styles.center]
                        .filter(Boolean)
                        .join(' ')}
                      data-active={isActive || undefined}
                      data-fixed={isFixed || undefined}
                      onMouseDown={(event) => {
                        if (event.button !== 0 || (isActive && typed !== null)) return
                        event.preventDefault()
                        grid.current?.focus()
                        go(here, event.shiftKey)
                      }}
                      onClick={() => each.kind === 'check' && toggle(here)}
                      onDoubleClick={() => (isFixed ? onOpen(at) : edit(null))}
                    >
                      {isActive && typed !== null ? (
                        <CellInput
                          label={`${each.header}: ${String(columns[0]?.get(row) ?? '')}`}
                          value={typed}
                          onChange={setTyped}
                          onCommit={commit}
                          onCancel={() => {
                            setTyped(null)
                            grid.current?.focus()
                          }}
                          cell={here}
                        />
                      ) : each.kind === 'check' ? (
                        <span
                          role="checkbox"
                          aria-label={each.header}
                          aria-checked={value === true}
                          aria-disabled={isFixed || undefined}
                          className={styles.box}
                          data-on={value === true || undefined}
                        >
                          {value === true && <Icon name="check" size={12} />}
                        </span>
                      ) : (
                        <span className={styles.text}>{String(value)}</span>
                      )}
                      {index === 0 && problem !== undefined && typed === null && (
                        <Icon name="warning" size={12} className={styles.problem} />
                      )}
                    </div>
                  )
                })}
              </div>
            )
          })}
        </div>
        {rows.length === 0 && <p className={styles.none}>{t('dataset.sheet.none', 'Nothing to show')}</p>}
      </div>
    </div>
  )
}

interface CellInputProps {
  label: string
  value: string
  cell: CellRef
  onChange(value: string): void
  onCommit(value: string, to?: CellRef): void
  onCancel(): void
}

/** The cell being edited. Enter moves down, Tab sideways, Esc reverts, and blur keeps the typed text. */
function CellInput({ label, value, cell, onChange, onCommit, onCancel }: CellInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    input.current?.focus()
  }, [])
  const commit = (to?: CellRef): void => {
    isOver.current = true
    onCommit(value, to)
  }
  return (
    <input
      ref={input}
      className={styles.input}
      aria-label={label}
      value={value}
      data-keeps-escape
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => !isOver.current && commit()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        const by = { Enter: [event.shiftKey ? -1 : 1, 0], Tab: [0, event.shiftKey ? -1 : 1] }[event.key]
        if (by) {
          event.preventDefault()
          event.stopPropagation()
          commit({ row: cell.row + (by[0] as number), column: cell.column + (by[1] as number) })
        }
        if (event.key === 'Escape') {
          event.stopPropagation()
          isOver.current = true
          onCancel()
        }
      }}
    />
  )
}
