import type { DatasetFolder } from '@parquetry/model'

/** Between the names of a path, as people type it. */
const between = ' / '

/** Folders that a dataset has by their paths, so that they keep their uuid, words and order. */
export interface KnownFolder {
  path: string
  uuid: string
  description: string | null
}

export interface ParsedFolders {
  known: KnownFolder[]
  /** Path of each column and metric that lies in a folder, by uuid. */
  paths: ReadonlyMap<string, string>
}

export function parseFolders(folders: readonly DatasetFolder[]): ParsedFolders {
  const known: KnownFolder[] = []
  const paths = new Map<string, string>()
  const visit = (entries: readonly DatasetFolder[], above: string): void => {
    for (const { uuid, type, name, description, children } of entries) {
      if (type !== 'folder' && children === undefined) {
        if (above !== '') paths.set(uuid, above)
        continue
      }
      const path = above === '' ? (name ?? '') : `${above}${between}${name ?? ''}`
      known.push({ path, uuid, description: description ?? null })
      visit(children ?? [], path)
    }
  }
  visit(folders, '')
  return { known, paths }
}

/** `Sales/Net` as it is kept: `Sales / Net`; no folder for what is only blanks and strokes. */
export const normalizeFolderPath = (typed: string): string =>
  typed
    .split('/')
    .map((name) => name.trim())
    .filter(Boolean)
    .join(between)

/** Folders as the API keeps them, of the paths that columns and metrics say; those that hold nothing are gone. */
export function buildFolders(
  items: readonly { key: string; folder: string; type: 'column' | 'metric' }[],
  known: readonly KnownFolder[],
): DatasetFolder[] {
  const top: DatasetFolder[] = []
  const byPath = new Map<string, DatasetFolder>()
  const folderAt = (path: string): DatasetFolder => {
    const there = byPath.get(path)
    if (there) return there
    const cut = path.lastIndexOf(between)
    const before = known.find((folder) => folder.path === path)
    const folder: DatasetFolder = {
      uuid: before?.uuid ?? crypto.randomUUID(),
      type: 'folder',
      name: cut < 0 ? path : path.slice(cut + between.length),
      ...(before?.description && { description: before.description }),
      children: [],
    }
    byPath.set(path, folder)
    const siblings = cut < 0 ? top : (folderAt(path.slice(0, cut)).children ?? [])
    siblings.push(folder)
    return folder
  }
  const used = new Set(items.map(({ folder }) => folder))
  for (const { path } of known)
    if ([...used].some((one) => one === path || one.startsWith(path + between))) folderAt(path)
  for (const { key, folder, type } of items) if (folder !== '') folderAt(folder).children?.push({ uuid: key, type })
  return top
}
