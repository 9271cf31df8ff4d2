import { AppError } from '@parquetry/model'

/** A full disk or a used up quota, as SQLite, PostgreSQL and the file system say it. */
const diskFull: ReadonlySet<string> = new Set(['SQLITE_FULL', '53100', 'ENOSPC', 'EDQUOT'])

/** The `disk_full` of what was thrown because the disk is full; undefined for everything else. */
export function asDiskFull(thrown: unknown): AppError | undefined {
  const { code } = (thrown ?? {}) as { code?: string }
  return code !== undefined && diskFull.has(code) ? new AppError('disk_full', { cause: thrown }) : undefined
}

/** What a thrown thing is to whoever waits for work that no call answers for: `internal` is our bug. */
export const toAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : (asDiskFull(thrown) ?? new AppError('internal', { cause: thrown }))
