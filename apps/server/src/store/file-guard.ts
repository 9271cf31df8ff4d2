import { statSync } from 'node:fs'
import { AppError, message } from '@parquetry/model'

const checkIntervalMs = 1000

/** Which file stands at a path; null when none does. */
function fileAt(path: string): string | null | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch (error) {
    // one that cannot be looked at is not called gone
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined
  }
}

/**
 * Watches over the place of a file that stays open: when it is renamed, replaced or deleted, what is written goes where nobody
 * will look for it.
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

  /** @throws AppError `unavailable` while another file, or none, stands at the path */
  recheck(): void {
    this.#checkedAt = performance.now()
    const now = fileAt(this.#path)
    this.#isLost = now !== undefined && now !== this.#opened
    this.#throwIfLost()
  }

  /** The same from what was seen a moment ago. @throws as `look` */
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
