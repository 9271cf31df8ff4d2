import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { type Bundle, parseImageHash } from './bundle.ts'
import { listBundleFiles, metadataPath } from './open-folder.ts'
import { otherFieldsPath, ownerOfOtherFields } from './other-fields.ts'
import { isInterrupted, StagedFiles } from './staged-files.ts'
import { packEntry } from './write-archive.ts'
import { readYaml } from './yaml.ts'

/** Numbers of files after writing a folder. */
export interface FolderChanges {
  written: number
  removed: number
  unchanged: number
}

/** Paths of the documents of a folder, by their folder and UUID. */
function findPaths(folder: string, present: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const path of present) {
    if (parseImageHash(path) !== undefined || ownerOfOtherFields(path) !== undefined) continue
    const uuid = /^uuid: *['"]?([\da-f-]{36})\b/m.exec(readFileSync(join(folder, path), 'utf8'))?.[1]
    if (uuid !== undefined) found.set(toKey(path, uuid), path)
  }
  return found
}

const toKey = (path: string, uuid: unknown): string => `${path.slice(0, path.indexOf('/'))} ${String(uuid)}`

/** The id at the end of a file name; importers resolve references to charts and layers with it. */
const idOf = (path: string): string | undefined => /_(\d+)\.ya?ml$/.exec(path)?.[1]

/** Equal for paths that are one file on some systems, which ignore case or write accents in another way. */
const foldPath = (path: string): string => path.normalize('NFC').toLowerCase()

/** Gives documents the path that they have in the folder, since a new name would look like another file. */
function keepPaths(before: ReadonlyMap<string, string>, files: Bundle['files']): Bundle['files'] {
  const chosen = new Map<string, string>()
  const taken = new Set<string>()
  const choose = (path: string, own: string) => {
    chosen.set(path, own)
    taken.add(foldPath(own))
  }
  const own = [...files].filter(([path]) => ownerOfOtherFields(path) === undefined)
  for (const [path, { uuid }] of own) {
    const found = before.get(toKey(path, uuid))
    if (found !== undefined && idOf(found) === idOf(path)) choose(path, found)
  }
  for (const [path] of own) {
    if (chosen.has(path)) continue
    let free = path
    for (let number = 2; taken.has(foldPath(free)); number += 1) free = path.replace(/(\.[^.]*)$/, `-${number}$1`)
    choose(path, free)
  }
  // Their path names the file that they belong to.
  const placeOf = (path: string): string => {
    const owner = ownerOfOtherFields(path)
    return owner === undefined ? chosen.get(path)! : otherFieldsPath(chosen.get(owner) ?? owner)
  }
  return new Map([...files].map(([path, document]) => [placeOf(path), document]))
}

/**
 * Writes a bundle into a folder as single files, and removes files of objects that it no longer contains. Objects keep the path
 * that they have there. Files with the same contents are not touched; `metadata.yaml` keeps the time of the first export, so that
 * branches do not conflict in it. A full disk changes nothing, see `StagedFiles`.
 * @throws AppError `unprocessable` when other files are in the way
 */
export async function writeFolder(folder: string, { metadata, files: all }: Bundle): Promise<FolderChanges> {
  mkdirSync(folder, { recursive: true })
  const present = listBundleFiles(folder)
  refuseOtherFiles(folder, present)
  const files = keepPaths(findPaths(folder, present), all)
  const keepsMetadata = readType(folder) === metadata.type
  const removed = present.filter((path) => path !== metadataPath && !files.has(path))
  const changes = { written: 0, removed: removed.length, unchanged: 0 }
  const staged = new StagedFiles(folder)
  try {
    for (const [path, document] of files) {
      const bytes = packEntry(path, document)
      if (isSame(join(folder, path), bytes)) changes.unchanged += 1
      else {
        staged.add(path, bytes)
        changes.written += 1
      }
      await setImmediate()
    }
    if (keepsMetadata) changes.unchanged += 1
    else changes.written += 1
    if (changes.written + removed.length > 0)
      staged.add(
        metadataPath,
        keepsMetadata ? readFileSync(join(folder, metadataPath)) : packEntry(metadataPath, { ...metadata }),
      )
    staged.prepare()
  } catch (error) {
    staged.discard()
    throw error
  }
  staged.replace(removed)
  return changes
}

/** An export removes files of objects that are gone, so that their folder must be one of a bundle: `charts` is also one of Helm. */
function refuseOtherFiles(folder: string, present: readonly string[]): void {
  const other = present.find((path) => path !== metadataPath)
  if (other === undefined || isInterrupted(folder) || readType(folder) !== undefined) return
  throw new AppError('unprocessable', {
    message: message(
      'errors.bundle.otherFolder',
      'The folder contains {path}, but no metadata.yaml of a bundle. An export would remove such files. Export into another folder.',
      { path: other },
    ),
  })
}

/** Git may write the ends of lines of Windows. */
const withPlainLines = (bytes: Buffer): string => bytes.toString('latin1').replaceAll('\r\n', '\n')

function isSame(path: string, bytes: Buffer): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return false
  const found = readFileSync(path)
  return found.equals(bytes) || (/\.ya?ml$/.test(path) && withPlainLines(found) === bytes.toString('latin1'))
}

/** The type in the metadata of a bundle; undefined for other folders. */
function readType(folder: string): unknown {
  const path = join(folder, metadataPath)
  if (!existsSync(path)) return undefined
  const { version, type } = readYaml(readFileSync(path, 'utf8'), metadataPath)
  return version === undefined ? undefined : type
}
