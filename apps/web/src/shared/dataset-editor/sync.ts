import type { SourceColumn } from '@parquetry/model'
import type { DatasetDocument, EditedColumn } from './document.ts'
import { newColumn } from './document.ts'

/** Differences between the source and the columns of a dataset, without calculated columns. */
export interface SourceDiff {
  added: SourceColumn[]
  removed: EditedColumn[]
  changed: { column: EditedColumn; now: SourceColumn }[]
}

/** Action for a column that the source no longer has. */
export type RemovedColumnAction = { kind: 'keep' } | { kind: 'remove' } | { kind: 'move'; to: string }

export function diffSource({ columns }: DatasetDocument, source: readonly SourceColumn[]): SourceDiff {
  const own = columns.filter(({ isCalculated }) => !isCalculated)
  const names = new Set(columns.map(({ column_name }) => column_name))
  return {
    added: source.filter(({ name }) => !names.has(name)),
    removed: own.filter(({ column_name }) => !source.some(({ name }) => name === column_name)),
    changed: own.flatMap((column) => {
      const now = source.find(({ name }) => name === column.column_name)
      return now && (now.type ?? '') !== column.type ? [{ column, now }] : []
    }),
  }
}

/** Returns whether users added metadata that the source does not define. */
export const hasUserMetadata = (column: EditedColumn): boolean =>
  [
    column.verbose_name,
    column.description,
    column.certified_by,
    column.warning_markdown,
    column.extra,
    column.python_date_format,
    column.advanced_data_type,
    column.folder,
  ].some((text) => text.trim() !== '')

const fromSource = ({ name, type, type_generic, is_dttm, comment }: SourceColumn): EditedColumn => ({
  ...newColumn(name),
  isCalculated: false,
  type: type ?? '',
  type_generic,
  is_dttm,
  description: comment ?? '',
})

/** Applies the source's columns to the document. A column that moves to a new name keeps its metadata and identity. */
export function applySync(
  document: DatasetDocument,
  { added, removed, changed }: SourceDiff,
  actionOf: (column: EditedColumn) => RemovedColumnAction,
): DatasetDocument {
  const moves = new Map(
    removed.flatMap((column) => {
      const action = actionOf(column)
      const to = action.kind === 'move' ? added.find(({ name }) => name === action.to) : undefined
      return to ? [[column.key, to] as const] : []
    }),
  )
  const types = new Map(changed.map(({ column, now }) => [column.key, now]))
  const movedNames = new Set([...moves.values()].map(({ name }) => name))
  const columns = document.columns.flatMap((column): EditedColumn[] => {
    const to = moves.get(column.key)
    if (to) return [{ ...column, column_name: to.name, type: to.type ?? '', type_generic: to.type_generic }]
    if (removed.includes(column) && actionOf(column).kind === 'remove') return []
    const now = types.get(column.key)
    return [now ? { ...column, type: now.type ?? '', type_generic: now.type_generic } : column]
  })
  const main = document.columns.find(({ column_name }) => column_name === document.main_dttm_col)
  const mainColumn = main && columns.find(({ key }) => key === main.key)
  return {
    ...document,
    columns: [...columns, ...added.filter(({ name }) => !movedNames.has(name)).map(fromSource)],
    main_dttm_col: main ? (mainColumn?.column_name ?? '') : document.main_dttm_col,
  }
}
