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

const invalidUri = (text: Message) => unprocessableFields({ sqlalchemy_uri: [text] })
export const noSuchFile = () =>
  invalidUri(message('errors.connection.file', 'The file does not exist in the folders listed in PARQUETRY_FILES.'))

/**
 * Resolves a path to its real file or folder, which must be below one of the roots; links are followed first.
 * @throws AppError `unprocessable`, with the same message for paths outside the roots and missing ones
 */
export function realPathBelow(path: string, roots: readonly string[]): string {
  const pathError = noSuchFile()
  let realPath: string
  try {
    realPath = realpathSync(isAbsolute(path) ? path : join('/', path))
  } catch {
    throw pathError
  }
  const isBelow = (root: string) => {
    const relativePath = relative(realpathSync(root), realPath)
    return !relativePath.startsWith('..') && !isAbsolute(relativePath)
  }
  if (!roots.some(isBelow)) throw pathError
  return realPath
}

/**
 * Lists the tables in a user's own file, or folder of files, below the roots that the operator listed in PARQUETRY_FILES. Links
 * are followed before the roots are checked. Reads only names.
 * @throws AppError `unprocessable` for a path outside the roots, a missing one (the same message), and unsupported files
 */
export function listServerFiles(path: string, roots: readonly string[]): ServerFile[] {
  const realPath = realPathBelow(path, roots)
  const files = statSync(realPath).isDirectory()
    ? readdirSync(realPath, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => join(realPath, name))
    : [realPath]
  const tables = files.flatMap((file) => {
    const format = formats[extname(file).toLowerCase()]
    return format ? [{ name: basename(file, extname(file)), file, format }] : []
  })
  if (tables.length === 0)
    throw invalidUri(message('errors.connection.fileFormat', 'Only Parquet, CSV and JSON files can be read.'))
  const names = new Set(tables.map(({ name }) => name.toLowerCase()))
  if (names.size !== tables.length)
    throw invalidUri(
      message(
        'errors.connection.sameTable',
        'Two files in the folder would become tables with the same name. Rename one of them.',
      ),
    )
  return tables
}
