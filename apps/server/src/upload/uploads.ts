import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError, message, type UploadFormat, type UploadState } from '@parquetry/model'
import { asDiskFull } from '../store/failure.ts'
import type { UploadDeps } from './deps.ts'
import { removeLeftovers } from './leftovers.ts'

export interface Upload {
  state: UploadState
  userId: number
  format: UploadFormat
  path: string
  /** A part is being written. */
  isBusy: boolean
  /** Aborts the running load. */
  running: AbortController | null
  seenAt: number
}

/** Maximum number of files of one user that are not in a table yet. */
const maxWaiting = 20
/** A file that is neither continued nor loaded within this time is discarded. */
const forgetAfterMs = 6 * 3_600_000
/** One that was not used for this time makes room when its user has too many. */
const leftAfterMs = 15 * 60_000
const spareBytes = 64 * 2 ** 20

/**
 * Files on their way into tables: sent in parts into a folder of the home, under generated names. They live as long as this
 * server; a client whose upload no longer exists starts over.
 */
export class Uploads {
  #deps: UploadDeps
  #folder: string
  #uploads = new Map<string, Upload>()
  #ready: Promise<void>

  constructor(deps: UploadDeps) {
    this.#deps = deps
    this.#folder = join(deps.settings.home, 'uploads')
    rmSync(this.#folder, { recursive: true, force: true })
    this.#ready = removeLeftovers(deps)
    this.#ready.catch((error: unknown) => deps.log.error({ err: error }, 'could not remove leftover upload files'))
  }

  /** Maximum size of a file in bytes. */
  get limit(): number {
    return this.#deps.settings.config.UPLOAD_LIMIT_MB * 2 ** 20
  }

  /** @throws AppError `too_large`, `disk_full`, `too_many` */
  async begin(userId: number, size: number, format: UploadFormat): Promise<Upload> {
    await this.#ready
    this.#removeExpired()
    if (size > this.limit) throw tooLarge(this.limit)
    const waiting = [...this.#uploads.values()].filter(
      (upload) => upload.userId === userId && upload.state.state !== 'ready',
    )
    if (waiting.length >= maxWaiting && !this.#removeForgotten(waiting))
      throw new AppError('too_many', {
        message: message(
          'errors.upload.tooManyWaiting',
          '{max, number} files are already waiting. Add or cancel some of them first.',
          { max: maxWaiting },
        ),
      })
    const path = await this.newPath(size)
    const id = randomUUID()
    const upload: Upload = {
      state: {
        id,
        state: size === 0 ? 'received' : 'receiving',
        size,
        received: 0,
        progress: 0,
        database_id: null,
        table_name: null,
        dataset_id: null,
        result: null,
        error: null,
      },
      userId,
      format,
      path,
      isBusy: false,
      running: null,
      seenAt: performance.now(),
    }
    writeFileSync(path, '', { mode: 0o600 })
    this.#uploads.set(id, upload)
    return upload
  }

  /** A path for the bytes of a file. @throws AppError `disk_full` when they would not fit */
  async newPath(size: number): Promise<string> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize < size + spareBytes) throw new AppError('disk_full')
    return join(this.#folder, randomUUID())
  }

  /** @throws AppError `not_found`, also for an upload of another user */
  find(id: string, userId: number | null): Upload {
    const upload = this.#uploads.get(id)
    if (!upload || upload.userId !== userId)
      throw new AppError('not_found', {
        message: message('errors.upload.gone', 'This upload no longer exists. Upload the file again.'),
      })
    upload.seenAt = performance.now()
    return upload
  }

  /**
   * Writes a part that starts where the last one ended. The received bytes of an interrupted part count.
   * @throws AppError `conflict` for another offset, or while a part is being written; `too_large` for more bytes than announced
   */
  async receive(upload: Upload, offset: number, bytes: Readable): Promise<void> {
    const { state, path } = upload
    if (state.state !== 'receiving' || upload.isBusy || offset !== state.received) {
      bytes.resume()
      throw new AppError('conflict', {
        message: message('errors.upload.offset', 'Continue the upload at byte {offset}.', { offset: state.received }),
      })
    }
    upload.isBusy = true
    const out = createWriteStream(path, { flags: 'r+', start: offset })
    const remaining = state.size - offset
    let size = 0
    try {
      await pipeline(
        bytes,
        async function* (parts: AsyncIterable<Buffer>) {
          for await (const part of parts) {
            size += part.length
            if (size > remaining)
              throw new AppError('too_large', {
                message: message(
                  'errors.upload.largerThanSaid',
                  'The file is larger than the size given at the start of the upload.',
                ),
              })
            yield part
          }
        },
        out,
      )
    } catch (error) {
      throw asDiskFull(error) ?? error
    } finally {
      upload.isBusy = false
      state.received = offset + Math.min(out.bytesWritten, remaining)
      if (this.#uploads.has(state.id)) truncateSync(path, state.received)
    }
    if (state.received === state.size) state.state = 'received'
  }

  /** Deletes the file of an upload whose table is ready; its state can still be read. */
  async finish(upload: Upload): Promise<void> {
    await rm(upload.path, { force: true })
  }

  async remove(upload: Upload): Promise<void> {
    upload.running?.abort(new AppError('query_stopped'))
    this.#uploads.delete(upload.state.id)
    await rm(upload.path, { force: true })
  }

  #removeExpired(): void {
    for (const upload of this.#uploads.values()) if (isIdle(upload, forgetAfterMs)) void this.remove(upload)
  }

  /** Makes room for another file by removing the one that its user left longest ago, as with a closed tab. */
  #removeForgotten(waiting: readonly Upload[]): boolean {
    const [oldest] = waiting.filter((upload) => isIdle(upload, leftAfterMs)).toSorted((a, b) => a.seenAt - b.seenAt)
    if (oldest) void this.remove(oldest)
    return oldest !== undefined
  }
}

const isIdle = ({ seenAt, running, isBusy }: Upload, ms: number): boolean =>
  seenAt < performance.now() - ms && !running && !isBusy

const inMb = (bytes: number): number => Math.floor(bytes / 2 ** 20)

const tooLarge = (limit: number): AppError =>
  new AppError('too_large', {
    message: message(
      'errors.upload.tooLarge',
      'The file is larger than {mb, number} MB, the limit of this server. Split it, save it as Parquet, or ask an administrator to raise the limit.',
      { mb: inMb(limit) },
    ),
  })

/** The same for endpoints that receive a file in a form. */
export const formTooLarge = (limit: number): AppError =>
  new AppError('too_large', {
    message: message(
      'errors.upload.formTooLarge',
      'The file is larger than {mb, number} MB, the limit of this server for one request. Send it in parts with /api/v1/upload/.',
      { mb: inMb(limit) },
    ),
  })
