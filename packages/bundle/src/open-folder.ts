import { lstatSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { message } from '@parquetry/model/message'
import { bundleFolders, parseImageHash } from './bundle.ts'
import { checkMetadata } from './entries.ts'
import { otherFieldsFolder } from './other-fields.ts'
import type { BundleSource } from './source.ts'
import { importError, readYaml } from './yaml.ts'

export const metadataPath = 'metadata.yaml'

const ownedFolders = [...Object.keys(bundleFolders), otherFieldsFolder, 'images']
const ownedFiles = [metadataPath, 'tags.yaml']

/** Files in the folders of a bundle; others in the same folder belong to the user, also those of editors and systems. */
const isOwned = (path: string): boolean =>
  parseImageHash(path) !== undefined ||
  ownedFiles.includes(path) ||
  (/\.ya?ml$/.test(path) && !path.startsWith('images/') && !isHidden(path))

const isHidden = (path: string): boolean => /(^|\/)\./.test(path)

/**
 * Paths of the files of a folder that belong to a bundle, in the order of an export.
 * @throws AppError `unprocessable` for a symbolic link among them, which could lead out of the folder
 */
export function listBundleFiles(folder: string): string[] {
  const found: string[] = []
  const refuseLink = (path: string): never => {
    throw importError(
      path,
      message('errors.bundle.folderLink', 'This is a symbolic link. Replace it with what it points to.'),
    )
  }
  for (const name of [...ownedFiles, ...ownedFolders]) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) refuseLink(name)
    if (stats?.isFile() && ownedFiles.includes(name)) found.push(name)
    if (!stats?.isDirectory() || !ownedFolders.includes(name)) continue
    for (const entry of readdirSync(join(folder, name), { recursive: true, withFileTypes: true })) {
      const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
      if (entry.isSymbolicLink() && !isHidden(path)) refuseLink(path)
      if (entry.isFile() && isOwned(path)) found.push(path)
    }
  }
  return found.toSorted((a, b) => (a < b ? -1 : 1))
}

const readDocument = async (folder: string, path: string): Promise<Record<string, unknown>> => {
  const bytes = await readFile(join(folder, path))
  return parseImageHash(path) === undefined
    ? readYaml(bytes.toString('utf8'), path)
    : { base64: bytes.toString('base64') }
}

/**
 * A source over the folder of an unpacked bundle, which is read file by file.
 * @throws AppError `unprocessable` as `readArchive`
 */
export async function openFolder(folder: string): Promise<BundleSource> {
  const all = listBundleFiles(folder)
  const hasMetadata = all.includes(metadataPath)
  const metadata = checkMetadata(hasMetadata ? await readDocument(folder, metadataPath) : undefined)
  const paths = all.filter((path) => path !== metadataPath)
  const known = new Set(paths)
  return {
    metadata,
    paths,
    read: async (path) => {
      if (!known.has(path)) throw new RangeError(`The bundle has no file ${path}`)
      return readDocument(folder, path)
    },
  }
}
