import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { type BundleMetadata, packDocuments, type UnpackedEntry, writeArchive } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-pack-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [documents, output] = [join(folder, 'documents'), join(folder, 'packed.zip')]
const metadata: BundleMetadata = { version: '1.0.0', type: 'Slice', timestamp: '2026-01-02T03:04:05+00:00' }

function store(files: [string, Record<string, unknown>][]): UnpackedEntry[] {
  const lines = files.map(([path, document]) => [path, `${JSON.stringify(document)}\n`] as const)
  writeFileSync(documents, lines.map(([, line]) => line).join(''))
  let end = 0
  return lines.map(([path, line]) => {
    const length = Buffer.byteLength(line)
    end += length
    return [path, end - length, length]
  })
}

const image = (bytes: Buffer) => ({ base64: bytes.toString('base64') })
const files: [string, Record<string, unknown>][] = [
  ['charts/ä.yaml', { slice_name: 'ä', params: { a: [1, null, '001'] } }],
  ['charts/b.yaml', { slice_name: 'b' }],
  [`images/${'0'.repeat(64)}.png`, image(Buffer.from([0, 1, 255]))],
]

async function pack(entries: Iterable<UnpackedEntry>, { to = output, unpackedBytes = 1 << 20 } = {}): Promise<void> {
  writeFileSync(output, '')
  await packDocuments({ documents, output: to, metadata, root: 'r', unpackedBytes }, entries)
}

describe('documents in a file', () => {
  it('become the archive that they become in memory', async () => {
    await pack(store(files))
    expect(readFileSync(output).equals(await writeArchive({ metadata, files }, 'r'))).toBe(true)
  })

  it('are refused when they are larger as YAML than an import may be', async () => {
    const entries = store(files)
    await expect(pack(entries, { unpackedBytes: 200 })).resolves.toBeUndefined()
    await expect(pack(entries, { unpackedBytes: 40 })).rejects.toMatchObject({
      code: 'unprocessable',
      message: expect.stringContaining('the limit IMPORT_UNPACKED_LIMIT_MB') as unknown,
    })
  })

  it('are in memory one at a time, also compressed', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const count = 40
    const [place] = store([['x', image(randomBytes(512 << 10))]])
    // Buffers are freed in a thread after a collection; the next one waits for it.
    const heldBytes = (): number => {
      collect()
      collect()
      return process.memoryUsage().arrayBuffers
    }
    const before = heldBytes()
    let held = 0
    function* entries(): Generator<UnpackedEntry> {
      for (let at = 0; at < count; at += 1) yield [`images/${String(at).padStart(64, '0')}.png`, place![1], place![2]]
      held = heldBytes() - before
    }
    await pack(entries(), { unpackedBytes: 64 << 20 })
    // All of them are 20 MB.
    expect(held).toBeLessThan(10 << 20)
  })

  // The device behaves as a full disk; only Linux has it.
  if (existsSync('/dev/full'))
    it('are refused when the disk is full', async () => {
      await expect(pack(store(files), { to: '/dev/full' })).rejects.toMatchObject({ code: 'disk_full' })
    })
})
