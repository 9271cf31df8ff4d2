import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { bundleFolders, parseImageHash } from './bundle.ts'
import { checkMetadata } from './entries.ts'
import type { BundleSource } from './source.ts'
import { readYaml } from './yaml.ts'

/** Files in the folders of a bundle; others in the same folder belong to the user. */
function isOwned(path: string): boolean {
  const [first = '', ...rest] = path.split('/')
  if (parseImageHash(path) !== undefined) return true
  if (!/\.ya?ml$/.test(path)) return false
  return rest.length === 0 ? path === 'metadata.yaml' || path === 'tags.yaml' : first in bundleFolders
}

/** Paths of the files of a folder that belong to a bundle, in the order of an export; links are none. */
export function listBundleFiles(folder: string): string[] {
  const found: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (entry.isFile() && isOwned(path)) found.push(path)
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
  const hasMetadata = all.includes('metadata.yaml')
  const metadata = checkMetadata(hasMetadata ? await readDocument(folder, 'metadata.yaml') : undefined)
  const paths = all.filter((path) => path !== 'metadata.yaml')
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
