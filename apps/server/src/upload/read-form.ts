import { rm } from 'node:fs/promises'
import { message } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import { isMultipart, readMultipart } from '../http/multipart.ts'
import { invalidPayload } from '../http/writing.ts'
import { formTooLarge } from './uploads.ts'

export interface UploadForm {
  /** Values by name, in their order. */
  fields: ReadonlyMap<string, string[]>
  fileName: string
  path: string
}

const fieldsLimit = 4 << 20

/**
 * Reads a form with one file, which is streamed to disk.
 * @param path  where the file is written; it is deleted when the form cannot be read
 * @throws AppError `invalid_payload` for a form without a file; `too_large`; `bad_request`; `disk_full`
 */
export async function readForm(request: FastifyRequest, path: string, limit: number): Promise<UploadForm> {
  const missing = () => invalidPayload({ file: [message('errors.fields.isRequired', 'Field is required')] })
  if (!isMultipart(request)) throw missing()
  const { fields, fileName } = await readMultipart(request, {
    limit: fieldsLimit,
    file: { fields: ['file'], path, limit, tooLarge: () => formTooLarge(limit) },
  })
  if (fileName === undefined) {
    await rm(path, { force: true })
    throw missing()
  }
  return { fields, fileName, path }
}
