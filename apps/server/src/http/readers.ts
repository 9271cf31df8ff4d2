import { AppError, decodeRison, message, type RouteContract } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { fieldMessages, missingField, wrongTypeMessage } from './check-fields.ts'
import { lazyCheck } from './check.ts'
import { noSuchAddress } from './errors.ts'
import { holdsNul, parseJson } from './json-body.ts'
import { type Adapted, hasUnchangeable } from './read-back.ts'
import { isMultipart, multipartFields } from './multipart.ts'
import { describeSchemaError } from './schema-error.ts'

interface Property {
  type?: string
  pattern?: string
}

const propertiesOf = (schema: TSchema): [string, Property][] =>
  Object.entries((schema as { properties?: Record<string, Property> }).properties ?? {})

/** Converts text of a path or query to the type in the schema; undefined when it does not match. */
function parseValue(type: string | undefined, text: string): unknown {
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
  if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
  if (type === 'boolean') {
    const lower = text.toLowerCase()
    return ['true', '1', 'false', '0'].includes(lower) ? lower === 'true' || lower === '1' : undefined
  }
  return holdsNul(text) ? undefined : text
}

/** Reads path parameters by the types in the schema. Values that do not match mean that the URL does not exist. */
export function paramsReader({ params }: RouteContract): (request: FastifyRequest) => unknown {
  if (!params) return () => undefined
  const fields = propertiesOf(params)
  return (request) => {
    const rawParams = request.params as Record<string, string>
    const read: Record<string, unknown> = {}
    for (const [name, { type, pattern }] of fields) {
      const text = rawParams[name] ?? ''
      const value = parseValue(type, text)
      if (value === undefined || (pattern !== undefined && !new RegExp(pattern, 'u').test(text))) throw noSuchAddress()
      read[name] = value
    }
    return read
  }
}

/** Reads query parameters in the schema; others are ignored. */
export function queryReader({ query }: RouteContract): (request: FastifyRequest) => unknown {
  if (!query) return () => undefined
  const fields = propertiesOf(query)
  const required = new Set((query as { required?: string[] }).required)
  return (request) => {
    const rawQuery = request.query as Record<string, string | string[] | undefined>
    const read: Record<string, unknown> = {}
    for (const [name, { type }] of fields) {
      const text = Array.isArray(rawQuery[name]) ? rawQuery[name].at(-1) : rawQuery[name]
      if (text === undefined) {
        if (required.has(name)) throw new AppError('invalid_payload', { fields: { [name]: [missingField] } })
        continue
      }
      const value = parseValue(type, text)
      if (value === undefined) throw new AppError('invalid_payload', { fields: { [name]: [wrongTypeMessage(type)] } })
      read[name] = value
    }
    return read
  }
}

/** Above Node's limit for URLs, and below the length of a list with more values than a statement of the store accepts. */
const maxQLength = 32 << 10

/** Parses `q` as Rison, or as JSON if it begins like JSON or is not Rison. */
function readQ(text: string): unknown {
  if (text.length > maxQLength)
    throw new AppError('too_large', {
      message: message('errors.http.qTooLong', 'The parameter q must have at most {max, number} characters.', {
        max: maxQLength,
      }),
    })
  if (holdsNul(text)) throw new AppError('invalid_rison')
  const parsers = /^\s*[[{"]/.test(text) ? [parseJson, decodeRison] : [decodeRison, parseJson]
  for (const read of parsers) {
    try {
      return read(text)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  throw new AppError('invalid_rison')
}

export function risonReader({ rison }: RouteContract): (request: FastifyRequest) => Promise<unknown> {
  if (!rison) return async () => undefined
  const isValid = lazyCheck(rison)
  return async (request) => {
    const { q } = request.query as { q?: string | string[] }
    const text = Array.isArray(q) ? q.at(-1) : q
    const value = text === undefined || text === '' ? {} : readQ(text)
    if (await isValid(value)) return value
    throw new AppError('invalid_rison', {
      message: message('errors.http.risonSchema', 'Not a valid rison schema {problem}', {
        problem: describeSchemaError(rison, value),
      }),
    })
  }
}

/** Accepts the string values of a JSON body as form fields. */
function textFields(body: unknown): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>
  if (typeof body !== 'object' || body === null) return fields
  for (const [name, value] of Object.entries(body)) if (typeof value === 'string') fields[name] = value
  return fields
}

const isUrlencoded = (request: FastifyRequest): boolean =>
  request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false

/** Fields of a form of either kind; undefined for any other body. */
async function formFields(request: FastifyRequest, limit?: number): Promise<Record<string, string> | undefined> {
  if (isMultipart(request)) return multipartFields(request, limit)
  return isUrlencoded(request) ? textFields(request.body) : undefined
}

/**
 * @param adapt  called with a JSON body that does not match the schema, before it is refused, or that has fields which cannot be changed
 */
export function bodyReader(
  { body, json, notJson, formField, bodyLimit }: RouteContract,
  adapt?: (request: FastifyRequest, value: unknown) => Promise<Adapted>,
): (request: FastifyRequest) => Promise<unknown> {
  if (body === 'multipart' && json) {
    const read = bodyReader({ body: json } as RouteContract)
    return async (request) => (isMultipart(request) ? undefined : read(request))
  }
  if (body === 'none' || body === 'multipart' || body === 'octets') return async () => undefined
  if (body === 'form')
    return async (request) => (isMultipart(request) ? multipartFields(request, bodyLimit) : textFields(request.body))
  const isValid = lazyCheck(body)
  const errorOptions = notJson !== undefined ? { message: notJson } : {}
  return async (request) => {
    let value = request.body
    const form = formField === undefined ? undefined : await formFields(request, bodyLimit)
    if (form) {
      const text = form[formField ?? '']
      if (text === undefined) throw new AppError('not_json', errorOptions)
      value = parseJson(text)
    } else if (value === undefined || !request.headers['content-type']?.startsWith('application/json'))
      throw new AppError('not_json', errorOptions)
    if ((await isValid(value)) && !(adapt && hasUnchangeable(body, value))) return value
    const adapted = (await adapt?.(request, value)) ?? { value }
    const isAdapted = await isValid(adapted.value)
    if (isAdapted && !adapted.errors) return adapted.value
    throw new AppError('invalid_payload', {
      fields: { ...adapted.errors, ...(!isAdapted && fieldMessages(body, adapted.value)) },
    })
  }
}
