import type { DatasetFolder } from '@parquetry/model'

/** Folders within folders. */
const deepest = 8

export class FolderProblem extends Error {}

interface Children {
  columns: readonly { uuid: string }[]
  metrics: readonly { uuid: string }[]
}

/**
 * Folders as they are stored: each column and metric of the dataset at most once, leaves that it does not have left out. A leaf is
 * what names no children and is one of them.
 * @throws FolderProblem
 */
export function readFolders(asked: readonly unknown[], { columns, metrics }: Children): DatasetFolder[] {
  const kinds = new Map<string, 'column' | 'metric'>([
    ...columns.map(({ uuid }) => [uuid, 'column'] as const),
    ...metrics.map(({ uuid }) => [uuid, 'metric'] as const),
  ])
  const taken = new Set<string>()
  const read = (entry: unknown, depth: number): DatasetFolder[] => {
    if (typeof entry !== 'object' || entry === null) throw new FolderProblem('A folder is no object')
    const { uuid, name, description, children, type } = entry as Record<string, unknown>
    if (typeof uuid !== 'string' || uuid === '' || uuid.length > 64) throw new FolderProblem('Each entry needs a uuid')
    if (taken.has(uuid)) throw new FolderProblem(`The folders name ${uuid} twice`)
    taken.add(uuid)
    const leaf = kinds.get(uuid)
    if (leaf) return [{ uuid, type: leaf }]
    if (type !== 'folder' && children === undefined) return []
    if (depth > deepest) throw new FolderProblem('The folders are too deep')
    if (typeof name !== 'string' || name.trim() === '' || name.length > 250)
      throw new FolderProblem('Each folder needs a name')
    if (children !== undefined && children !== null && !Array.isArray(children))
      throw new FolderProblem('What a folder holds is no list')
    const inside = ((children ?? []) as unknown[]).flatMap((child) => read(child, depth + 1))
    const words = typeof description === 'string' ? { description } : {}
    return [{ uuid, type: 'folder', name, ...words, children: inside }]
  }
  return asked.flatMap((entry) => read(entry, 1))
}

/** Folders of a stored dataset; text that is none says nothing. */
export function foldersOf({ folders }: { folders: string | null }): DatasetFolder[] {
  if (!folders) return []
  try {
    const read: unknown = JSON.parse(folders)
    return Array.isArray(read) ? (read as DatasetFolder[]) : []
  } catch {
    return []
  }
}
