import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Bundle, parseImageHash } from './bundle.ts'
import { listBundleFiles } from './open-folder.ts'
import { packEntry } from './write-archive.ts'
import { readYaml } from './yaml.ts'

/** Numbers of files after writing a folder. */
export interface FolderChanges {
  written: number
  removed: number
  unchanged: number
}

const metadataPath = 'metadata.yaml'

/** Paths of the documents of a folder, by their folder and UUID. */
function findPaths(folder: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const path of listBundleFiles(folder)) {
    if (parseImageHash(path) !== undefined) continue
    const uuid = /^uuid: *['"]?([\da-f-]{36})\b/m.exec(readFileSync(join(folder, path), 'utf8'))?.[1]
    if (uuid !== undefined) found.set(toKey(path, uuid), path)
  }
  return found
}

const toKey = (path: string, uuid: unknown): string => `${path.slice(0, path.indexOf('/'))} ${String(uuid)}`

/** The id at the end of a file name; importers resolve references to charts and layers with it. */
const idOf = (path: string): string | undefined => /_(\d+)\.ya?ml$/.exec(path)?.[1]

/** Gives documents the path that they have in the folder, since a new name would look like another file. */
function keepPaths(folder: string, files: Bundle['files']): Bundle['files'] {
  const before = findPaths(folder)
  const known = (path: string, { uuid }: Record<string, unknown>) => {
    const found = before.get(toKey(path, uuid))
    return found !== undefined && idOf(found) === idOf(path) ? found : undefined
  }
  const kept: Bundle['files'] = new Map()
  for (const [path, document] of files) {
    const own = known(path, document)
    if (own !== undefined) kept.set(own, document)
  }
  for (const [path, document] of files) {
    if (known(path, document) !== undefined) continue
    let free = path
    for (let number = 2; kept.has(free); number += 1) free = path.replace(/(\.[^.]*)$/, `-${number}$1`)
    kept.set(free, document)
  }
  return kept
}

/**
 * Writes a bundle into a folder as single files, and removes files of objects that it no longer contains. Objects keep the path
 * that they have there. Files with the same contents are not touched; `metadata.yaml` is only written when another file changes, since each export has another time.
 */
export async function writeFolder(folder: string, { metadata, files: all }: Bundle): Promise<FolderChanges> {
  mkdirSync(folder, { recursive: true })
  const files = keepPaths(folder, all)
  const changes = { written: 0, removed: 0, unchanged: 0 }
  for (const [path, document] of files) {
    if (writeIfChanged(join(folder, path), packEntry(path, document))) changes.written += 1
    else changes.unchanged += 1
    await setImmediate()
  }
  for (const path of listBundleFiles(folder)) {
    if (path === metadataPath || files.has(path)) continue
    rmSync(join(folder, path))
    removeEmptyFolders(folder, dirname(path))
    changes.removed += 1
  }
  const isSame = changes.written === 0 && changes.removed === 0 && readType(folder) === metadata.type
  if (!isSame && writeIfChanged(join(folder, metadataPath), packEntry(metadataPath, { ...metadata })))
    changes.written += 1
  else changes.unchanged += 1
  return changes
}

function writeIfChanged(path: string, bytes: Buffer): boolean {
  if (existsSync(path) && readFileSync(path).equals(bytes)) return false
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  return true
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let current = folder; current !== '.'; current = dirname(current)) {
    if (readdirSync(join(root, current)).length > 0) return
    rmdirSync(join(root, current))
  }
}

function readType(folder: string): unknown {
  const path = join(folder, metadataPath)
  return existsSync(path) ? readYaml(readFileSync(path, 'utf8'), metadataPath)['type'] : undefined
}
