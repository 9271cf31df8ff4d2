import { cellAt, type Cell, type Frame } from '@parquetry/frame'
import type { DynamicPlugin } from '@parquetry/model'
import type { ChartForm } from '../../define.ts'
import type { ChartTheme } from '../../resolve/theme.ts'

/** The second argument of `mount` of a plugin. */
export interface PluginInput {
  /** The result of each query: its column names in order, and its rows by column name. */
  frames: { columns: string[]; rows: Record<string, Exclude<Cell, bigint>>[] }[]
  /** Its own settings only: the rest of the form may name other objects. */
  formData: ChartForm
  theme: {
    mode: 'light' | 'dark'
    text: string
    background: string
    accent: string
    grid: string
    font: string
    colors: readonly string[]
  }
}

/** Times are milliseconds since 1970 in UTC; integers beyond 2^53 are text with all digits. */
export const buildPluginInput = (
  frames: Record<string, Frame>,
  form: ChartForm,
  { plugin, theme }: { plugin: DynamicPlugin; theme: ChartTheme },
): PluginInput => ({
  frames: Object.values(frames).map((frame) => ({
    columns: frame.columns.map(({ name }) => name),
    rows: Array.from({ length: frame.rows }, (_, row) =>
      Object.fromEntries(frame.columns.map((column) => [column.name, toPlainCell(cellAt(column, row))])),
    ),
  })),
  formData: Object.fromEntries(
    ['viz_type', ...plugin.form.map((setting) => (typeof setting === 'string' ? setting : setting.name))]
      .filter((name) => Object.hasOwn(form, name))
      .map((name) => [name, form[name]]),
  ),
  theme: {
    mode: theme.name,
    text: theme.text,
    background: theme.surface,
    accent: theme.accent,
    grid: theme.grid,
    font: theme.font,
    colors: theme.series,
  },
})

const toPlainCell = (cell: Cell): Exclude<Cell, bigint> => (typeof cell === 'bigint' ? String(cell) : cell)
