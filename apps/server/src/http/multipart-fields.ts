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

/** A small form: the first value of each name. */
export interface SmallForm {
  fields: Record<string, string>
  files: Map<string, Buffer>
}

/**
 * The fields and files of a multipart form that is small enough to be held.
 * @throws AppError `too_large`, `bad_request` for what is no form
 */
export async function multipartForm(request: FastifyRequest, limit = usualLimit): Promise<SmallForm> {
  const packed = await bytesOf(request, limit)
  let form: FormData
  try {
    form = await new Response(packed, { headers: { 'content-type': request.headers['content-type'] ?? '' } }).formData()
  } catch (cause) {
    throw new AppError('bad_request', { message: 'The form cannot be read.', cause })
  }
  const fields = Object.create(null) as Record<string, string>
  const files = new Map<string, Buffer>()
  for (const [name, value] of form) {
    if (holdsNul(typeof value === 'string' ? name + value : name))
      throw new AppError('bad_request', { message: nulSentence })
    if (typeof value === 'string') fields[name] ??= value
    else if (!files.has(name)) files.set(name, Buffer.from(await value.arrayBuffer()))
  }
  return { fields, files }
}

export const multipartFields = async (request: FastifyRequest, limit?: number): Promise<Record<string, string>> =>
  (await multipartForm(request, limit)).fields
