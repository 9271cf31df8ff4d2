import { statSync } from 'node:fs'
import { AppError, message } from '@parquetry/model'

const checkIntervalMs = 1000

/** Identity of the file at a path; null when there is none, undefined when it cannot be inspected. */
function fileAt(path: string): string | null | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch (error) {
    // a file that cannot be inspected is not reported as missing
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined
  }
}

/**
 * Watches the path of a file that stays open: after it is renamed, replaced or deleted, writes go to a file that will not be
 * found.
 */
export class FileGuard {
  readonly #path: string
  readonly #opened: string | null | undefined
  #checkedAt = performance.now()
  #isLost = false

  constructor(path: string) {
    this.#path = path
    this.#opened = fileAt(path)
  }

  /** @throws AppError `unavailable` while the path has another file, or none */
  recheck(): void {
    this.#checkedAt = performance.now()
    const now = fileAt(this.#path)
    this.#isLost = now !== undefined && now !== this.#opened
    this.#throwIfLost()
  }

  /** The same, from a check within the last second. @throws as `recheck` */
  check(): void {
    if (performance.now() - this.#checkedAt > checkIntervalMs) this.recheck()
    else this.#throwIfLost()
  }

  #throwIfLost(): void {
    if (!this.#isLost) return
    throw new AppError('unavailable', {
      message: message(
        'errors.store.fileMoved',
        'The file of the metadata store was moved, replaced or deleted while the server was running. Put it back, or restart the server.',
      ),
    })
  }
}
