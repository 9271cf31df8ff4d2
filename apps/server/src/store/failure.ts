import { AppError } from '@parquetry/model'

/** Codes of a full disk or an exhausted quota in SQLite, PostgreSQL and the file system. */
const diskFull: ReadonlySet<string> = new Set(['SQLITE_FULL', '53100', 'ENOSPC', 'EDQUOT'])

/** Returns `disk_full` for an error caused by a full disk; undefined for all others. */
export function asDiskFull(thrown: unknown): AppError | undefined {
  const { code } = (thrown ?? {}) as { code?: string }
  return code !== undefined && diskFull.has(code) ? new AppError('disk_full', { cause: thrown }) : undefined
}

/** Converts an error for clients that wait for background work: `internal` is our bug. */
export const toAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : (asDiskFull(thrown) ?? new AppError('internal', { cause: thrown }))
