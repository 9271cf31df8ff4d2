import { AppError, message } from '@parquetry/model'

/** Codes of a full disk or an exhausted quota in SQLite, PostgreSQL and the file system. */
const diskFull: ReadonlySet<string> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100', 'ENOSPC', 'EDQUOT'])

export const isDiskFull = (thrown: unknown): boolean => diskFull.has(((thrown ?? {}) as { code?: string }).code ?? '')

/** Returns `disk_full` for an error caused by a full disk; undefined for all others. */
export function asDiskFull(thrown: unknown): AppError | undefined {
  return isDiskFull(thrown) ? new AppError('disk_full', { cause: thrown }) : undefined
}

/** Returns an error for a store that cannot be written or read; undefined for errors of a statement. 25006: PostgreSQL is read-only. */
export function asFileFailure(thrown: unknown): AppError | undefined {
  const { code = '' } = (thrown ?? {}) as { code?: string }
  const full = asDiskFull(thrown)
  if (full) return full
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return new AppError('unavailable', { message: damaged, cause: thrown })
  return /^(SQLITE_(IOERR|READONLY|CANTOPEN)|25006$)/.test(code)
    ? new AppError('unavailable', { message: notWritable, cause: thrown })
    : undefined
}

const damaged = message(
  'errors.store.damaged',
  'The file of the metadata store is damaged. Stop the server and restore a backup from the folder backups in its home folder.',
)
const notWritable = message(
  'errors.store.notWritable',
  'The metadata store cannot be written, because its disk is read-only or reports errors. Nothing was saved. Check the disk of the server.',
)

/** True for a transaction that failed only because of others running at the same time: it can be run again. */
export const isSerializationFailure = (thrown: unknown): boolean =>
  /^(40001|40P01)$/.test(((thrown ?? {}) as { code?: string }).code ?? '')

const busy = message(
  'errors.store.busy',
  'Several changes were made at the same time, and this one was not saved. Try again.',
)

/** True if another program holds the lock of a SQLite file. */
export const isLocked = (thrown: unknown): boolean =>
  /^SQLITE_BUSY(_RECOVERY)?$/.test(((thrown ?? {}) as { code?: string }).code ?? '')

export const storeLocked = message(
  'errors.store.locked',
  'Another program is writing to the metadata store, and nothing was saved. Try again in a moment.',
)

/** Converts an error for clients that wait for background work: `internal` is our bug. */
export const toAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError
    ? thrown
    : isSerializationFailure(thrown)
      ? new AppError('unavailable', { message: busy, cause: thrown })
      : (asDiskFull(thrown) ?? new AppError('internal', { cause: thrown }))
