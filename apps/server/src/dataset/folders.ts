import { type DatasetFolder, message, MessageError } from '@parquetry/model'

/** Maximum nesting depth. */
const maxDepth = 8

export class FolderError extends MessageError {}

interface Children {
  columns: readonly { uuid: string }[]
  metrics: readonly { uuid: string }[]
}

/**
 * Validates folders for storage: each column and metric at most once; leaves that the dataset does not have are dropped. An entry
 * with the uuid of a column or metric is a leaf.
 * @param uuidOf  returns the uuid of an entry in this dataset, for folders from another one
 * @throws FolderProblem
 */
export function parseFolders(
  entries: readonly unknown[],
  { columns, metrics }: Children,
  uuidOf: (entry: Record<string, unknown>) => unknown = ({ uuid }) => uuid,
): DatasetFolder[] {
  const kinds = new Map<string, 'column' | 'metric'>([
    ...columns.map(({ uuid }) => [uuid, 'column'] as const),
    ...metrics.map(({ uuid }) => [uuid, 'metric'] as const),
  ])
  const seen = new Set<string>()
  const read = (entry: unknown, depth: number): DatasetFolder[] => {
    if (typeof entry !== 'object' || entry === null)
      throw new FolderError(message('errors.dataset.folderObject', 'Each folder must be an object.'))
    const { name, description, children, type } = entry as Record<string, unknown>
    const uuid = uuidOf(entry as Record<string, unknown>)
    if (typeof uuid !== 'string' || uuid === '' || uuid.length > 64)
      throw new FolderError(message('errors.dataset.folderUuid', 'Each entry of a folder must have a uuid.'))
    if (seen.has(uuid))
      throw new FolderError(message('errors.dataset.folderTwice', 'The folders contain {uuid} twice.', { uuid }))
    seen.add(uuid)
    const leaf = kinds.get(uuid)
    if (leaf) return [{ uuid, type: leaf }]
    if (type === 'column' || type === 'metric' || (type !== 'folder' && children === undefined)) return []
    if (depth > maxDepth)
      throw new FolderError(
        message('errors.dataset.folderDepth', 'Folders can be nested at most {max} levels deep.', { max: maxDepth }),
      )
    if (typeof name !== 'string' || name.trim() === '' || name.length > 250)
      throw new FolderError(message('errors.dataset.folderName', 'Each folder must have a name.'))
    if (children !== undefined && children !== null && !Array.isArray(children))
      throw new FolderError(message('errors.dataset.folderChildren', 'The children of a folder must be a list.'))
    const parsedChildren = ((children ?? []) as unknown[]).flatMap((child) => read(child, depth + 1))
    const details = typeof description === 'string' ? { description } : {}
    return [{ uuid, type: 'folder', name, ...details, children: parsedChildren }]
  }
  return entries.flatMap((entry) => read(entry, 1))
}

interface NamedChildren {
  columns: readonly { uuid: string; column_name: string }[]
  metrics: readonly { uuid: string; metric_name: string }[]
}

/**
 * Folders for export: a bundle contains no uuids of columns and metrics, so each leaf gets the name of its column or metric.
 * Superset rejects entries that have a name but no children.
 */
export function exportFolders(folders: readonly DatasetFolder[], { columns, metrics }: NamedChildren): DatasetFolder[] {
  const names = new Map([
    ...columns.map(({ uuid, column_name }) => [uuid, column_name] as const),
    ...metrics.map(({ uuid, metric_name }) => [uuid, metric_name] as const),
  ])
  const withName = (entry: DatasetFolder): DatasetFolder => {
    const name = names.get(entry.uuid)
    if (name !== undefined) return { ...entry, name, children: [] }
    return entry.children ? { ...entry, children: entry.children.map(withName) } : entry
  }
  return folders.map(withName)
}

/** Resolves imported folders to the columns and metrics of the same names. @throws FolderProblem */
export function importFolders(entries: readonly unknown[], children: NamedChildren): DatasetFolder[] {
  const uuids = new Map<string, string>([
    ...children.columns.map(({ uuid, column_name }) => [`column ${column_name}`, uuid] as const),
    ...children.metrics.map(({ uuid, metric_name }) => [`metric ${metric_name}`, uuid] as const),
  ])
  return parseFolders(entries, children, ({ uuid, type, name }) => uuids.get(`${String(type)} ${String(name)}`) ?? uuid)
}

/** Folders of a stored dataset; empty for invalid text. */
export function readStoredFolders({ folders }: { folders: string | null }): DatasetFolder[] {
  if (!folders) return []
  try {
    const read: unknown = JSON.parse(folders)
    return Array.isArray(read) ? (read as DatasetFolder[]) : []
  } catch {
    return []
  }
}
