import { open, readFile, stat } from 'node:fs/promises'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { BundleEntry } from './entries.ts'
import { type ArchiveLimits, bundleLimits } from './limits.ts'
import { readOldExport } from './old-export.ts'
import { placeDocument } from './place-document.ts'
import { checkSize, fileTooLarge, importError, readYamlValue } from './yaml.ts'

/** Every entry of an archive and its directory begin with these letters. */
const signature = 'PK'

/** Tests if a file begins like a ZIP archive. */
export async function isArchive(packed: Buffer | string): Promise<boolean> {
  const start = typeof packed === 'string' ? await readStart(packed) : packed.subarray(0, signature.length)
  return start.toString('latin1') === signature
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(signature.length), 0, signature.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Stands for the name of the file, which is not known here. */
const names = { json: 'export.json', yaml: 'export.yaml' }

/**
 * Reads a file that is not an archive as a bundle: the JSON and YAML exports of Superset 1.x, or one document of a bundle.
 * @throws AppError `unprocessable` for any other file
 */
export async function readSingleFile(packed: Buffer | string, limits: ArchiveLimits): Promise<BundleEntry[]> {
  const size = typeof packed === 'string' ? (await stat(packed)).size : packed.length
  if (size > bundleLimits.fileBytes) throw importError(names.yaml, fileTooLarge)
  const text = (typeof packed === 'string' ? await readFile(packed) : packed).toString('utf8').replace(/^\uFEFF/, '')
  if (text.includes('\0')) throw notArchive()
  const value = readValue(text)
  const documents =
    typeof value === 'object' && value !== null ? (readOldExport(value) ?? placeDocument(value)) : undefined
  if (!documents) throw notArchive()
  for (const [path, document] of documents) checkSize(document, path)
  if (documents.length - 1 > limits.objects)
    throw importError(
      names.json,
      message(
        'errors.bundle.fileObjects',
        'The file contains more than {max, number} objects, the limit IMPORT_OBJECT_LIMIT of this server.',
        { max: limits.objects },
      ),
    )
  return documents
}

const notArchive = (cause?: unknown): AppError =>
  new AppError('unprocessable', {
    message: message('errors.bundle.notExport', 'The file is neither a ZIP archive nor an export in JSON or YAML.'),
    cause,
  })

/** How a YAML document begins: with a marker, an item or a key. */
const yamlStart = /^(?:---|- |["']?\w[\w ]*["']?:(?:\s|$))/
const startLength = 200

function isYaml(text: string): boolean {
  const line = text.split('\n', 1000).find((one) => one.trim() !== '' && !one.startsWith('#'))
  return line !== undefined && yamlStart.test(line.slice(0, startLength))
}

/** Undefined for a text that is neither JSON nor YAML. JSON is read as YAML when it is not valid, for an error with a line. */
function readValue(text: string): unknown {
  if (/^\s*[{[]/.test(text))
    try {
      return JSON.parse(text) as unknown
    } catch {
      return readYamlValue(text, names.json)
    }
  return isYaml(text) ? readYamlValue(text, names.yaml) : undefined
}
