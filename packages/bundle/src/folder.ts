import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { toBundle, type BundleEntry } from './entries.ts'
import type { Bundle } from './bundle.ts'
import { readYaml } from './yaml.ts'

/** Reads an unpacked bundle that we trust, such as the examples of the repository, file by file. @throws as `readArchive` */
export async function readFolder(folder: string): Promise<Bundle> {
  const documents: BundleEntry[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.ya?ml$/.test(entry.name)) continue
    const full = join(entry.parentPath, entry.name)
    const path = relative(folder, full).split(sep).join('/')
    documents.push([path, readYaml(readFileSync(full, 'utf8'), path)])
    await setImmediate()
  }
  return toBundle(documents)
}
