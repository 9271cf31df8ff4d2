import { cellAt, numberAt, type Frame } from '@parquetry/frame'
import { defineChart } from '../define.ts'
import { withComparison, withoutHelpers } from './compare.ts'
import { tableColumns, type TableColumn } from './columns.ts'
import { form } from './form.ts'
import { tableInitially } from '../shared/table/query-form.ts'
import { searchableColumns, sortableColumns, tableQueries } from '../shared/table/query.ts'

/** Spec drawn by the table's View and SVG; the values are read from the frame `rows`. */
export interface TableSpec extends Record<string, unknown> {
  columns: TableColumn[]
  /** Column -> total of all rows; null without a totals row. */
  totals: Record<string, number | string | null> | null
  /** The totals include rows beyond the row limit or of other pages. */
  totalsCoverMore: boolean
  /** Total number of rows with server pagination; null when all rows are loaded. */
  rowcount: number | null
  /** Rows per page; 0 shows all on one page. */
  pageLength: number
  isPaged: boolean
  hasSearch: boolean
  /** Columns that the server can search, with server pagination. */
  searchable: { name: string; label: string }[]
  /** Columns by which the server can sort, with server pagination; null when sorting is local. */
  sortable: string[] | null
  /** Number of columns that stay visible while scrolling. */
  frozen: number
  /** Renders text that is HTML. */
  hasHtml: boolean
}

/** Values in rows and columns. `rows` has them; `count` and `totals` are present if their settings are enabled. */
export default defineChart({
  viz_type: 'table',
  name: 'Table',
  category: 'Table',
  tags: ['Additive', 'Business', 'Pattern', 'Popular', 'Report', 'Sequential', 'Tabular'],
  description: 'Shows exact values in rows and columns, with bars, colors and totals where they help.',
  icon: 'table',
  series: [],
  exampleGallery: ['airports', 'compared'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: tableInitially,
  queries: (settings, state) => withoutHelpers(withComparison(tableQueries(settings, state), settings), settings),
  spec: ({ rows, count, totals }, settings, context): TableSpec => ({
    columns: rows ? tableColumns(rows, settings, context) : [],
    totals: totals && settings.show_totals ? readTotals(totals) : null,
    totalsCoverMore:
      settings.show_totals && (settings.server_pagination || (rows?.rows ?? 0) >= (settings.row_limit || Infinity)),
    rowcount: count ? (count.columns[0] && count.rows > 0 ? numberAt(count.columns[0], 0) : 0) : null,
    pageLength: settings.server_pagination ? settings.server_page_length : (settings.page_length ?? 0),
    isPaged: settings.server_pagination,
    hasSearch: settings.include_search,
    searchable: settings.server_pagination
      ? searchableColumns(settings).map((name) => ({ name, label: context.displayName(name) }))
      : [],
    sortable: settings.server_pagination ? sortableColumns(settings) : null,
    frozen: settings.frozen_columns,
    hasHtml: settings.allow_render_html,
  }),
  replaces: { 'ag-grid-table': (stored) => ({ ...stored, viz_type: 'table' }) },
})

const readTotals = (frame: Frame): TableSpec['totals'] =>
  Object.fromEntries(
    frame.columns.map((column) => {
      const cell = frame.rows > 0 ? cellAt(column, 0) : null
      return [column.name, typeof cell === 'bigint' ? Number(cell) : typeof cell === 'boolean' ? String(cell) : cell]
    }),
  )
