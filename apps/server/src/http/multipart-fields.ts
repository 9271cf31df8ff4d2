import { AppError } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import { holdsNul, nulSentence } from './json-body.ts'

const usualLimit = 1 << 20

export const isMultipart = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false

async function bytesOf(request: FastifyRequest, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request.raw) {
    size += (piece as Buffer).length
    if (size > limit) throw new AppError('too_large')
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}

/**
 * The text fields of a small multipart form; the first of a name counts, files are left out.
 * @throws AppError `too_large`, `bad_request` for what is no form
 */
export async function multipartFields(request: FastifyRequest, limit = usualLimit): Promise<Record<string, string>> {
  const packed = await bytesOf(request, limit)
  let form: FormData
  try {
    form = await new Response(packed, { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData()
  } catch (cause) {
    throw new AppError('bad_request', { message: 'The form cannot be read.', cause })
  }
  const fields = Object.create(null) as Record<string, string>
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue
    if (holdsNul(name + value)) throw new AppError('bad_request', { message: nulSentence })
    fields[name] ??= value
  }
  return fields
}
