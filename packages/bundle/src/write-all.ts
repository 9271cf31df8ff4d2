import { writeSync } from 'node:fs'
import { AppError } from '@parquetry/model/errors'

const full: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT']

/** Appends bytes to an open file. @throws AppError `disk_full` */
export function writeAll(file: number, bytes: Buffer): void {
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
  } catch (error) {
    throw full.includes((error as NodeJS.ErrnoException).code) ? new AppError('disk_full', { cause: error }) : error
  }
}
