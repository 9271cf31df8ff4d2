import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@parquetry/model'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.ts'
import { asDiskFull } from '../store/failure.ts'
import type { CachedResult, ResultStore } from './result-store.ts'

const resultTtlMs = 24 * 3_600_000
const maxTotalBytes = 1 << 30
/** Bytes written between two cleanups of the folder; housekeeping also cleans up hourly. */
const pruneEveryBytes = 128 << 20
const keyForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const forms = ['frames', 'json'] as const

export interface FileResultStoreDeps {
  settings: Settings
  log: Logger
  now(): Date
}

const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}

/** Files begin with the number of bytes that follow, so that one that lost some is recognized before it is sent. */
const lengthBytes = 8

function encodeLength(parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(lengthBytes)
  head.writeBigUInt64LE(BigInt(parts.reduce((sum, { length }) => sum + length, 0)))
  return head
}

async function isComplete(path: string, size: number): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(lengthBytes), 0, lengthBytes, 0)
    return bytesRead === lengthBytes && buffer.readBigUInt64LE() === BigInt(size - lengthBytes)
  } finally {
    await file.close()
  }
}

async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { start: lengthBytes, highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ENOENT' ? new AppError('gone', { cause }) : cause
  }
}

/** Stores results as files in the home folder. */
export class FileResultStore implements ResultStore {
  readonly #deps: FileResultStoreDeps
  #bytesSincePrune = 0

  constructor(deps: FileResultStoreDeps) {
    this.#deps = deps
  }

  get #folder(): string {
    return join(this.#deps.settings.home, 'results')
  }

  async save(key: string, form: CachedResult['form'], parts: readonly Uint8Array[]): Promise<void> {
    const path = join(this.#folder, `${key}.${form}`)
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const file = await open(`${path}.part`, 'w', 0o600)
      try {
        await file.writev([encodeLength(parts), ...parts.filter(({ length }) => length > 0)])
      } finally {
        await file.close()
      }
      await rename(`${path}.part`, path)
    } catch (error) {
      await rm(`${path}.part`, { force: true })
      throw asDiskFull(error) ?? error
    }
    for (const { length } of parts) this.#bytesSincePrune += length
    if (this.#bytesSincePrune > pruneEveryBytes) {
      this.#bytesSincePrune = 0
      await this.prune()
    }
  }

  async find(key: string): Promise<CachedResult | null> {
    if (!keyForm.test(key)) return null
    for (const form of forms) {
      const path = join(this.#folder, `${key}.${form}`)
      const found = await stat(path).catch(ignoreMissing)
      if (!found || found.mtimeMs < this.#deps.now().getTime() - resultTtlMs) continue
      if (await isComplete(path, found.size)) return { form, read: () => readBytes(path) }
      this.#deps.log.warn({ path }, 'the file of a stored result is damaged')
    }
    return null
  }

  async prune(totalBytes = maxTotalBytes): Promise<void> {
    const oldest = this.#deps.now().getTime() - resultTtlMs
    const names = (await readdir(this.#folder).catch(ignoreMissing)) ?? [] // no result stored yet
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name)
        const found = await stat(path).catch(ignoreMissing) // deleted by a concurrent call
        return found ? [{ path, mtimeMs: found.mtimeMs, size: found.size }] : []
      }),
    )
    let total = 0
    for (const { path, mtimeMs, size } of files.flat().toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
      total += size
      if (mtimeMs < oldest || total > totalBytes) await rm(path, { force: true })
    }
  }
}
