import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@parquetry/model'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.ts'
import { asDiskFull } from '../store/failure.ts'
import type { KeptResult, ResultStore } from './result-store.ts'

const keptMs = 24 * 3_600_000
const largestTotalBytes = 1 << 30
/** The folder is looked at after each so many bytes; housekeeping does so once an hour. */
const lookAfterBytes = 128 << 20
const keyForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const forms = ['frames', 'json'] as const

export interface FileResultsDeps {
  settings: Settings
  log: Logger
  now(): Date
}

const orNothing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ENOENT' ? new AppError('gone', { cause }) : cause
  }
}

/** Results as files in the home. */
export class FileResults implements ResultStore {
  readonly #deps: FileResultsDeps
  #sinceLook = 0

  constructor(deps: FileResultsDeps) {
    this.#deps = deps
  }

  get #folder(): string {
    return join(this.#deps.settings.home, 'results')
  }

  async keep(key: string, form: KeptResult['form'], parts: readonly Uint8Array[]): Promise<void> {
    const path = join(this.#folder, `${key}.${form}`)
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const file = await open(`${path}.part`, 'w', 0o600)
      try {
        await file.writev(parts.filter(({ length }) => length > 0))
      } finally {
        await file.close()
      }
      await rename(`${path}.part`, path)
    } catch (error) {
      await rm(`${path}.part`, { force: true })
      throw asDiskFull(error) ?? error
    }
    for (const { length } of parts) this.#sinceLook += length
    if (this.#sinceLook > lookAfterBytes) {
      this.#sinceLook = 0
      await this.tidy()
    }
  }

  async find(key: string): Promise<KeptResult | null> {
    if (!keyForm.test(key)) return null
    for (const form of forms) {
      const path = join(this.#folder, `${key}.${form}`)
      const found = await stat(path).catch(orNothing)
      if (found && found.mtimeMs >= this.#deps.now().getTime() - keptMs) return { form, read: () => bytesOf(path) }
    }
    return null
  }

  async tidy(totalBytes = largestTotalBytes): Promise<void> {
    const oldest = this.#deps.now().getTime() - keptMs
    const names = (await readdir(this.#folder).catch(orNothing)) ?? [] // nothing was ever kept
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name)
        const found = await stat(path).catch(orNothing) // another call was quicker
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
