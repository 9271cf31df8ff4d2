import { cellAt, type Cell, filterValueAt, type Frame } from '@parquetry/frame'
import type { QueryColumn } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { equals, type Mark } from '../resolve/marks.ts'
import { isFaded } from '../resolve/paint.ts'
import { nameOfColumn } from '../shared/controls.ts'
import { findColumn } from '../shared/column.ts'
import { formatValue } from '../shared/formats/format.ts'
import { useCopyCells } from '../views/grid/index.ts'
import { Grid } from '../views/Grid.tsx'
import { searchRows, toggleSort, sortRows, type ColumnSort } from '../views/visible-rows.ts'
import { TableBar } from '../views/TableBar.tsx'
import type { ViewProps } from '../views/view.ts'
import type { TableSpec } from './chart.ts'
import type { TableColumn } from './columns.ts'
import type { TableState } from '../shared/table/query.ts'
import styles from './table.module.css'

const none: Frame = { rows: 0, columns: [] }

/**
 * The table. With server pagination, page and order are stored in the chart's state, which triggers a query; otherwise everything
 * is local.
 */
export default function TableView({
  spec: given,
  frames,
  form,
  around,
  label,
  state: anyState,
  onState,
  onMark,
}: ViewProps) {
  const t = useTranslate()
  const spec = given as TableSpec
  const state = anyState as TableState
  const frame = frames.rows ?? none
  const { isPaged, columns } = spec
  const [local, setLocal] = useState<readonly ColumnSort[]>([])
  const [search, setSearch] = useState(isPaged ? (state.searchText ?? '') : '')
  const [localPage, setLocalPage] = useState(0)
  const [localSize, setLocalSize] = useState<number | null>(null)
  const searched = isPaged ? resolveSearchColumn(spec, state) : null
  const sorting: readonly ColumnSort[] = isPaged
    ? (state.sortBy ?? []).map(({ key, desc }) => ({ column: key, isDescending: desc === true }))
    : local

  const sorted = useMemo(() => sortRows(frame, isPaged ? [] : local), [frame, local, isPaged])
  const found = useMemo(
    () => searchRows(frame, columns, sorted, isPaged ? '' : search, around.locale),
    [frame, columns, sorted, search, isPaged, around.locale],
  )
  const size = (isPaged ? state.pageSize : localSize) ?? spec.pageLength
  const count = isPaged ? (spec.rowcount ?? frame.rows) : found.length
  const pages = size > 0 ? Math.max(1, Math.ceil(count / size)) : 1
  const page = Math.min(isPaged ? (state.currentPage ?? 0) : localPage, pages - 1)
  const shown = isPaged || size === 0 ? found : found.subarray(page * size, (page + 1) * size)

  /** Queries the server after typing has stopped. */
  const ask = useEffectEvent(() => {
    if (searched && search.trim() !== (state.searchText ?? ''))
      onState?.({ ...state, currentPage: 0, searchText: search.trim(), searchColumn: searched })
  })
  useEffect(() => {
    if (!isPaged) return
    const timer = setTimeout(ask, 400)
    return () => clearTimeout(timer)
  }, [search, isPaged])

  const sort = (column: string, isAdded: boolean) => {
    if (spec.sortable && !spec.sortable.includes(column)) return
    const next = toggleSort(sorting, column, isAdded)
    if (!isPaged) return setLocal(next)
    const sortBy = next.map((each) => ({ key: each.column, desc: each.isDescending }))
    onState?.({ ...state, currentPage: 0, sortBy })
  }
  const turn = (to: number) => (isPaged ? onState?.({ ...state, currentPage: to }) : setLocalPage(to))
  const resize = (pageSize: number) => {
    if (isPaged) return onState?.({ ...state, currentPage: 0, pageSize })
    setLocalSize(pageSize)
    setLocalPage(0)
  }
  const dimensions = new Set([form.groupby ?? [], form.all_columns ?? []].flat().map(nameOfColumn))
  const isMark = (column: TableColumn) => onMark !== undefined && dimensions.has(column.name)
  const selected = around.selected ?? null
  const copyCells = useCopyCells()
  const copy = () => {
    const there = columns.flatMap(({ name, label: head }) => {
      const data = findColumn(frame, name)
      return data ? [{ data, head }] : []
    })
    void copyCells(
      { columns: there.map(({ data }) => data), rows: found, heads: [there.map(({ head }) => head)] },
      true,
    )
  }
  const hasSearch = spec.hasSearch && (!isPaged || searched !== null)

  return (
    <div className={styles.table}>
      {(hasSearch || pages > 1 || size < spec.pageLength) && (
        <TableBar
          hasSearch={hasSearch}
          search={search}
          onSearch={(text) => {
            setSearch(text)
            setLocalPage(0)
          }}
          page={page}
          pageSize={size}
          count={count}
          onPage={turn}
          onCopy={copy}
          pageSizes={pageSizesWith(spec.pageLength)}
          onPageSize={resize}
          searched={
            searched === null
              ? undefined
              : {
                  columns: spec.searchable,
                  column: searched,
                  onColumn: (searchColumn) => onState?.({ ...state, currentPage: 0, searchColumn }),
                }
          }
        />
      )}
      {found.length === 0 && frame.columns.length > 0 && search.trim() !== '' && (
        <p className={styles.none}>{t('charts.table.nothingFound', 'No rows match your search.')}</p>
      )}
      <Grid
        frame={frame}
        columns={columns}
        rows={shown}
        label={t('charts.table.label', '{label}: {count, plural, one {# row} other {# rows}}', { label, count })}
        locale={around.locale}
        theme={around.theme}
        room={around}
        sorting={sorting}
        onSort={sort}
        totals={spec.totals}
        totalsLabel={
          spec.totalsCoverMore || found.length < frame.rows
            ? t('charts.table.totalOfAll', 'Total of all rows')
            : t('charts.table.total', 'Total')
        }
        totalNote={({ isShareOfRowsShown }) =>
          isShareOfRowsShown ? t('charts.table.ofRowsShown', 'of the rows shown') : ''
        }
        frozen={spec.frozen}
        hasHtml={spec.hasHtml}
        isMark={isMark}
        onCell={(column, row, event) => onMark?.(buildCellMark(frame, column, row, form), event)}
        isFaded={(_, row) => selected !== null && isFaded(toMarkKey(frame, row, Object.keys(selected)), selected)}
      />
    </div>
  )
}

/** Returns the column in which a paged table is searched; null if there is none. */
const resolveSearchColumn = ({ searchable }: TableSpec, { searchColumn }: TableState): string | null =>
  (searchable.find(({ name }) => name === searchColumn) ?? searchable[0])?.name ?? null

/** Values of a row in those of the columns that it has. */
const toMarkKey = (frame: Frame, row: number, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const column = findColumn(frame, name)
      return column ? [[name, filterValueAt(column, row)]] : []
    }),
  )

const pageSizes = [10, 20, 50, 100, 200]
const pageSizesWith = (own: number): number[] => [...new Set([...pageSizes, own])].toSorted((a, b) => a - b)

/** A cell filters other charts by its own value and drills by its whole row. */
function buildCellMark(frame: Frame, { name }: TableColumn, row: number, form: ViewProps['form']): Mark {
  const columns = [form.groupby ?? [], form.all_columns ?? []].flat() as (string | { label?: string })[]
  const values = columns.flatMap((column) => {
    const own = nameOfColumn(column)
    const data = own === undefined ? undefined : findColumn(frame, own)
    return data && own !== undefined ? [{ col: column, name: own, value: filterValueAt(data, row) }] : []
  })
  const filter = ({ col, value }: (typeof values)[number]) => equals(col as QueryColumn, value)
  const own = values.filter((each) => each.name === name)
  const value = own[0]?.value ?? null
  const whole = Object.fromEntries(frame.columns.map((column): [string, Cell] => [column.name, cellAt(column, row)]))
  return {
    filters: own.map(filter) as Mark['filters'],
    drill: values.map(filter) as Mark['drill'],
    key: { [name]: value },
    row: whole,
    label: formatValue(value),
  }
}
