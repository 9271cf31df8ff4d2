import type { DatasetFolder } from '@parquetry/model'
import type { ExploreColumn, ExploreDataset, ExploreMetric } from './use-explore.ts'

/** A row of the list of a dataset's fields. */
export type FieldRow =
  | {
      kind: 'folder'
      key: string
      depth: number
      name: string
      description: string | null
      count: number
      isOpen: boolean
    }
  | { kind: 'heading'; of: 'metrics' | 'columns'; count: number }
  | { kind: 'metric'; depth: number; metric: ExploreMetric }
  | { kind: 'column'; depth: number; column: ExploreColumn }

export interface FieldListOptions {
  /** Search text; folders with matches are open while searching. */
  search: string
  /** Keys of the folders that were closed. */
  closed: ReadonlySet<string>
}

type Field = Extract<FieldRow, { kind: 'metric' | 'column' }>

/** Rows of the folders in the owners' order, then metrics and columns without a folder. Folders without a match are omitted. */
export function fieldRows(
  { metrics, columns, folders = [] }: Pick<ExploreDataset, 'metrics' | 'columns' | 'folders'>,
  { search, closed }: FieldListOptions,
): FieldRow[] {
  const needle = search.trim().toLowerCase()
  const fits = (...texts: (string | null)[]): boolean => texts.some((text) => text?.toLowerCase().includes(needle))
  const left = new Map<string, Field>()
  for (const metric of metrics)
    if (fits(metric.metric_name, metric.verbose_name))
      left.set(metric.uuid ?? `metric ${metric.metric_name}`, { kind: 'metric', depth: 0, metric })
  for (const column of columns)
    if (fits(column.column_name, column.verbose_name))
      left.set(column.uuid ?? `column ${column.column_name}`, { kind: 'column', depth: 0, column })

  const open = (entries: readonly DatasetFolder[], depth: number): { rows: FieldRow[]; count: number } => {
    const rows: FieldRow[] = []
    let all = 0
    for (const { uuid, name, description, children } of entries) {
      const field = left.get(uuid)
      if (field) {
        left.delete(uuid)
        rows.push({ ...field, depth })
        all += 1
        continue
      }
      const { rows: inside, count } = open(children ?? [], depth + 1)
      if (count === 0) continue
      const isOpen = needle !== '' || !closed.has(uuid)
      const about = { key: uuid, depth, name: name ?? '', description: description ?? null, count, isOpen }
      rows.push({ kind: 'folder', ...about }, ...(isOpen ? inside : []))
      all += count
    }
    return { rows, count: all }
  }
  const { rows } = open(folders, 0)
  const rest = [...left.values()]
  return [...rows, ...headed('metrics', rest, rows.length === 0), ...headed('columns', rest, rows.length === 0)]
}

/** Omits an empty heading when there are folders. */
function headed(of: 'metrics' | 'columns', rest: readonly Field[], isShownEmpty: boolean): FieldRow[] {
  const fields = rest.filter(({ kind }) => `${kind}s` === of)
  return fields.length > 0 || isShownEmpty ? [{ kind: 'heading', of, count: fields.length }, ...fields] : []
}
