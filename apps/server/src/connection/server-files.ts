import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, extname, isAbsolute, join, relative } from 'node:path'
import { message, type Message } from '@parquetry/model'
import { unprocessableFields } from '../http/writing.ts'

const formats: Record<string, 'parquet' | 'csv' | 'json'> = {
  '.parquet': 'parquet',
  '.csv': 'csv',
  '.json': 'json',
  '.ndjson': 'json',
}

export interface ServerFile {
  name: string
  file: string
  format: 'parquet' | 'csv' | 'json'
}

const wrong = (sentence: Message) => unprocessableFields({ sqlalchemy_uri: [sentence] })
export const noSuchFile = () =>
  wrong(message('errors.connection.file', 'The file does not exist in the folders listed in PARQUETRY_FILES.'))

/**
 * Resolves a path to its real file or folder, which must be below one of the roots; links are followed first.
 * @throws AppError `unprocessable`, with the same message for paths outside the roots and missing ones
 */
export function realPathBelow(path: string, roots: readonly string[]): string {
  const outside = noSuchFile()
  let real: string
  try {
    real = realpathSync(isAbsolute(path) ? path : join('/', path))
  } catch {
    throw outside
  }
  const isBelow = (root: string) => {
    const way = relative(realpathSync(root), real)
    return !way.startsWith('..') && !isAbsolute(way)
  }
  if (!roots.some(isBelow)) throw outside
  return real
}

/**
 * Lists the tables in a user's own file, or folder of files, below the roots that the operator listed in PARQUETRY_FILES. Links
 * are followed before the roots are checked. Reads only names.
 * @throws AppError `unprocessable` for a path outside the roots, a missing one (the same message), and unsupported files
 */
export function listServerFiles(path: string, roots: readonly string[]): ServerFile[] {
  const real = realPathBelow(path, roots)
  const files = statSync(real).isDirectory()
    ? readdirSync(real, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => join(real, name))
    : [real]
  const tables = files.flatMap((file) => {
    const format = formats[extname(file).toLowerCase()]
    return format ? [{ name: basename(file, extname(file)), file, format }] : []
  })
  if (tables.length === 0)
    throw wrong(message('errors.connection.fileFormat', 'Only Parquet, CSV and JSON files can be read.'))
  const names = new Set(tables.map(({ name }) => name.toLowerCase()))
  if (names.size !== tables.length)
    throw wrong(
      message(
        'errors.connection.sameTable',
        'Two files in the folder would become tables with the same name. Rename one of them.',
      ),
    )
  return tables
}
