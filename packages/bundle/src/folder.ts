import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { checkMetadata } from './archive.ts'
import type { Bundle } from './bundle.ts'
import { readYaml } from './yaml.ts'

/** Reads an unpacked bundle, such as the examples of the repository. @throws as `readArchive` */
export function readFolder(folder: string): Bundle {
  const files = new Map<string, Record<string, unknown>>()
  let metadata: Record<string, unknown> | undefined
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.ya?ml$/.test(entry.name)) continue
    const full = join(entry.parentPath, entry.name)
    const path = relative(folder, full).split(sep).join('/')
    const document = readYaml(readFileSync(full, 'utf8'), path)
    if (path === 'metadata.yaml') metadata = document
    else files.set(path, document)
  }
  return { metadata: checkMetadata(metadata), files }
}
