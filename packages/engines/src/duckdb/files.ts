import { realpathSync, renameSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, relative } from 'node:path'
import type { EmbeddedTable } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'

/** Where a table's file really is, links followed. @throws AppError `table_missing` when a name leads out of the folder */
export function resolveTableFile(folder: string, { file, name }: EmbeddedTable): string {
  if (isAbsolute(file)) return realpathSync(file)
  const real = realpathSync(join(folder, file))
  if (relative(realpathSync(folder), real).startsWith('..'))
    throw new AppError('table_missing', {
      message: message('errors.engines.fileOutside', 'The file of table "{table}" is outside its folder.', {
        table: name,
      }),
    })
  return real
}

/** A file that changed later than this may be on its way here, from a backup for example. */
const stableAfterMs = 60_000

/**
 * Moves a damaged file of ours out of the way, beside itself: loading the table again would remove it for good.
 * @returns its new name; null for a file of the user's own, for one that has just been written, and when it cannot be moved
 */
export function quarantineFile(folder: string, { file }: EmbeddedTable, now: Date): string | null {
  if (isAbsolute(file)) return null
  const path = join(folder, file)
  const aside = `${path}.damaged-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  try {
    if (now.getTime() - statSync(path).mtimeMs < stableAfterMs) return null
    renameSync(path, aside)
    return basename(aside)
  } catch {
    return null
  }
}

export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

const readers: Record<'csv' | 'tsv' | 'json' | 'parquet', (path: string) => string> = {
  csv: (path) => `read_csv(${quoteLiteral(path)})`,
  tsv: (path) => `read_csv(${quoteLiteral(path)}, delim = '\t')`,
  json: (path) => `read_json_auto(${quoteLiteral(path)})`,
  parquet: (path) => `read_parquet(${quoteLiteral(path)})`,
}

/** The table function that reads a file of a format. */
export const readFileSql = (path: string, format: keyof typeof readers): string => readers[format](path)
