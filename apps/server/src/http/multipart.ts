import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyHeaders } from '@fastify/busboy'
import { AppError, message } from '@parquetry/model'
import { asDiskFull } from '../store/failure.ts'
import type { FastifyRequest } from 'fastify'
import { maxFormFields, tooManyFields } from './form-fields.ts'
import { holdsNul, nulSentence } from './json-body.ts'

const usualLimit = 1 << 20
/** Bytes passed to the parser in one piece, so that errors are found before more is read. */
const pieceBytes = 16 << 10
/** Allowance for headers and boundaries around fields and files. */
const envelopeBytes = 1 << 20

export const isMultipart = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false

export interface MultipartForm {
  /** Values by name, in their order. */
  fields: ReadonlyMap<string, string[]>
  /** Name of the requested file; undefined when it was not sent. */
  fileName: string | undefined
}

/** The one file of a form that is accepted; all others are skipped. */
export interface WantedFile {
  /** Form fields that may contain it; the first file counts. */
  fields: readonly string[]
  /** Path to which the file is streamed; it is deleted when the form cannot be read. */
  path: string
  limit: number
  tooLarge: () => AppError
}

/**
 * Reads a form as a stream: fields are held in memory, the file is written to disk.
 * @param limit  bytes of all fields together
 * @throws AppError `too_large`, `bad_request` for an invalid form, `disk_full`
 */
export async function readMultipart(
  request: FastifyRequest,
  { limit, file }: { limit: number; file?: WantedFile },
): Promise<MultipartForm> {
  const fileLimit = file?.limit ?? 0
  if (Number(request.headers['content-length'] ?? 0) > limit + fileLimit + envelopeBytes)
    throw file ? file.tooLarge() : new AppError('too_large')
  const { Busboy } = await import('@fastify/busboy')
  const fields = new Map<string, string[]>()
  let fieldBytes = 0
  let fileName: string | undefined
  let saving: Promise<void> = Promise.resolve()
  const abandon = new AbortController()
  let failure: unknown
  try {
    const form = new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { fields: maxFormFields, parts: maxFormFields, fieldSize: limit, fileSize: fileLimit, headerPairs: 100 },
    })
    form.on('field', (name, value, _nameCut, valueCut) => {
      fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value)
      if (holdsNul(name + value)) failure ??= new AppError('bad_request', { message: nulSentence })
      if (valueCut || fieldBytes > limit) failure ??= new AppError('too_large')
      const values = fields.get(name)
      if (failure) fields.clear()
      else if (values) values.push(value)
      else fields.set(name, [value])
    })
    for (const event of ['fieldsLimit', 'partsLimit'] as const) form.on(event, () => (failure ??= tooManyFields()))
    form.on('file', (name, stream, sentName) => {
      // The form fails with the same error. Without a listener the process would end.
      stream.on('error', () => abandon.abort())
      if (!file?.fields.includes(name) || fileName !== undefined || failure) return void stream.resume()
      fileName = sentName ?? ''
      saving = save(stream, file.path, abandon.signal).catch((error: NodeJS.ErrnoException) => {
        failure ??= asDiskFull(error) ?? error
      })
      stream.on('limit', () => (failure ??= file.tooLarge()))
    })
    await pipeline(
      request.raw,
      async function* (pieces: AsyncIterable<Buffer>) {
        for await (const piece of pieces)
          for (let index = 0; index < piece.length && !failure; index += pieceBytes)
            yield piece.subarray(index, index + pieceBytes)
      },
      form,
    )
    await saving
  } catch (cause) {
    failure ??= new AppError('bad_request', {
      message: message('errors.http.formNotReadable', 'The form could not be read.'),
      cause,
    })
  }
  if (!failure) return { fields, fileName }
  // When the connection is lost, the stream of the file neither ends nor fails.
  abandon.abort()
  await saving
  if (file) await rm(file.path, { force: true })
  throw failure
}

/** Ends only after the file is closed, so that it can be deleted. */
async function save(stream: Readable, path: string, signal: AbortSignal): Promise<void> {
  const out = createWriteStream(path, { mode: 0o600 })
  signal.addEventListener('abort', () => out.destroy())
  // The parser waits until its file is read, also when the disk is full.
  out.on('error', () => {
    stream.unpipe(out)
    stream.resume()
  })
  stream.pipe(out)
  await once(out, 'close')
}

/** Returns the form fields, the first value of each name; files are skipped. @throws as `readMultipart` */
export async function multipartFields(request: FastifyRequest, limit = usualLimit): Promise<Record<string, string>> {
  const { fields } = await readMultipart(request, { limit })
  return firstValues(fields)
}

export function firstValues(fields: MultipartForm['fields']): Record<string, string> {
  const first = Object.create(null) as Record<string, string>
  for (const [name, [value = '']] of fields) first[name] = value
  return first
}
