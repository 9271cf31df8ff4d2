import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { BusboyHeaders } from '@fastify/busboy'
import { AppError } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import { holdsNul, nulSentence } from '../http/json-body.ts'
import { isMultipart } from '../http/multipart-fields.ts'
import { wrongFields } from '../http/writing.ts'
import { tooLarge } from './uploads.ts'

export interface SentForm {
  /** The values of a name in their order. */
  fields: ReadonlyMap<string, string[]>
  fileName: string
  path: string
}

const maxFields = 200
const maxFieldBytes = 1 << 20

/**
 * Reads a form with one file, which goes to disk as it comes.
 * @param path  where the file goes; it is removed when the form cannot be read
 * @throws AppError `invalid_payload` for a form without a file; `too_large`; `bad_request`; `disk_full`
 */
export async function readForm(request: FastifyRequest, path: string, limit: number): Promise<SentForm> {
  if (!isMultipart(request)) throw wrongFields({ file: ['Field is required'] })
  const { Busboy } = await import('@fastify/busboy')
  const fields = new Map<string, string[]>()
  let fileName: string | undefined
  let saving: Promise<void> = Promise.resolve()
  let failure: unknown
  try {
    const form = new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { files: 1, fields: maxFields, fieldSize: maxFieldBytes, fileSize: limit, headerPairs: 100 },
    })
    form.on('field', (name, value, _nameCut, valueCut) => {
      if (holdsNul(name + value)) failure ??= new AppError('bad_request', { message: nulSentence })
      if (valueCut) failure ??= new AppError('too_large')
      fields.set(name, [...(fields.get(name) ?? []), value])
    })
    form.on('file', (name, stream, given) => {
      if (name !== 'file') return void stream.resume()
      fileName = given ?? ''
      saving = pipeline(stream, createWriteStream(path, { mode: 0o600 })).catch((error: NodeJS.ErrnoException) => {
        failure ??= error.code === 'ENOSPC' ? new AppError('disk_full', { cause: error }) : error
      })
      stream.on('limit', () => (failure ??= tooLarge(limit, 'Send it in parts, by /api/v1/upload/.')))
    })
    await pipeline(request.raw, form)
    await saving
  } catch (cause) {
    failure ??= new AppError('bad_request', { message: 'The form cannot be read.', cause })
  }
  if (fileName === undefined) failure ??= wrongFields({ file: ['Field is required'] })
  if (failure) {
    await saving
    await rm(path, { force: true })
    throw failure
  }
  return { fields, fileName: fileName ?? '', path }
}
