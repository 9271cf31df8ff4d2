import type { DatasetFolder } from '@parquetry/model'

/** Separator between the names of a path. */
const between = ' / '

/** An existing folder by path, so that it keeps its uuid, description and order. */
export interface KnownFolder {
  path: string
  uuid: string
  description: string | null
}

export interface ParsedFolders {
  known: KnownFolder[]
  /** Folder path of each column and metric in a folder, by uuid. */
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

/** Normalizes `Sales/Net` to `Sales / Net`; empty for text of only blanks and slashes. */
export const normalizeFolderPath = (typed: string): string =>
  typed
    .split('/')
    .map((name) => name.trim())
    .filter(Boolean)
    .join(between)

/** Builds the folders of the API from the paths of columns and metrics; empty folders are dropped. */
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
