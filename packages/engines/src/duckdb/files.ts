import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import type { EmbeddedTable } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'

/** Where a table's file really is, links followed. @throws AppError `table_missing` when a name leads out of the folder */
export function fileOf(folder: string, { file, name }: EmbeddedTable): string {
  if (isAbsolute(file)) return realpathSync(file)
  const real = realpathSync(join(folder, file))
  if (relative(realpathSync(folder), real).startsWith('..'))
    throw new AppError('table_missing', { message: `The file of table "${name}" lies outside of its folder.` })
  return real
}

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const readers: Record<'csv' | 'tsv' | 'json' | 'parquet', (path: string) => string> = {
  csv: (path) => `read_csv(${literal(path)})`,
  tsv: (path) => `read_csv(${literal(path)}, delim = '\t')`,
  json: (path) => `read_json_auto(${literal(path)})`,
  parquet: (path) => `read_parquet(${literal(path)})`,
}

/** The table function that reads a file of a format. */
export const readFile = (path: string, format: keyof typeof readers): string => readers[format](path)
