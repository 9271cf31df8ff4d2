import { realpathSync, renameSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, relative } from 'node:path'
import type { EmbeddedTable } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'

/**
 * Returns the real path of a table's file, with links resolved. @throws AppError `table_missing` when a name leads out of the
 * folder
 */
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

/** A file changed more recently than this may still be incomplete, for example while a backup is restored. */
const stableAfterMs = 60_000

/**
 * Renames a damaged file of the data folder, because loading the table again would delete it.
 * @returns the new name; null for a user's own file, for a recently written one, and when it cannot be renamed
 */
export function quarantineFile(folder: string, { file }: EmbeddedTable, now: Date): string | null {
  if (isAbsolute(file)) return null
  const path = join(folder, file)
  const quarantinePath = `${path}.damaged-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  try {
    if (now.getTime() - statSync(path).mtimeMs < stableAfterMs) return null
    renameSync(path, quarantinePath)
    return basename(quarantinePath)
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

/** Returns the table function call that reads a file of the format. */
export const readFileSql = (path: string, format: keyof typeof readers): string => readers[format](path)
