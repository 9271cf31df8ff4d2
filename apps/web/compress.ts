import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const worthIt = /\.(js|css|svg|json)$/
const smallestBytes = 1024

/** Writes `.br` and `.gz` beside each built asset, so that the server sends finished bytes. */
export const compress = (): Plugin => ({
  name: 'parquetry-compress',
  apply: 'build',
  async writeBundle({ dir }) {
    if (!dir) return
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !worthIt.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      const bytes = await readFile(path)
      if (bytes.length < smallestBytes) continue
      const [br, gz] = await Promise.all([
        brotli(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
        zip(bytes, { level: 9 }),
      ])
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
    }
  },
})
