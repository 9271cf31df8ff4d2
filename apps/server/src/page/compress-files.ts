// `node compress-files.ts FOLDER`: compresses the built web files at the highest levels and the lowest priority.
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { constants as os, setPriority } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const compressible = /\.(js|css|svg|json)$/
const minBytes = 1024

/** Writes a file atomically: readers see the old or the complete new one. */
async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const partial = `${path}.${process.pid}.part`
  await writeFile(partial, bytes)
  await rename(partial, path)
}

/**
 * Writes `.gz` (level 9) and then `.br` (quality 11) beside each script, style, SVG and JSON file of 1 KB or more. Files that
 * already have a `.br` are skipped, so an interrupted run continues where it ended.
 */
export async function compressFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !compressible.test(entry.name) || existsSync(`${path}.br`)) continue
    const bytes = await readFile(path)
    if (bytes.length < minBytes) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    await writeAtomically(`${path}.gz`, await compressGzip(bytes, { level: 9 }))
    await writeAtomically(`${path}.br`, await compressBrotli(bytes, { params }))
  }
}

if (import.meta.main) {
  const [folder = ''] = process.argv.slice(2)
  setPriority(os.priority.PRIORITY_LOW)
  // The server holds the other end of this pipe, which closes however the server ends.
  process.stdin.resume().once('end', () => process.exit(1))
  await compressFiles(folder)
  process.exit(0)
}
