import { errorCodes, type RouteContract } from '@parquetry/model'
import { Components } from './components.ts'
import { referToError } from './error-schemas.ts'
import { computeOperationId } from './operation-id.ts'
import { listErrorStatuses } from '../http/statuses.ts'

type Contents = Record<string, { schema: unknown }>

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'
const empty = { type: 'string', maxLength: 0 }
const binary = { type: 'string', format: 'binary' }

const json = (schema: unknown): Contents => ({ 'application/json': { schema } })

function buildParameters(contract: RouteContract, components: Components): object[] {
  const listParameters = (location: 'path' | 'query', schema: unknown) => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: string[] }
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      schema: components.refer(property),
    }))
  }
  return [
    ...listParameters('path', contract.params),
    ...listParameters('query', contract.query),
    ...(contract.rison
      ? [
          {
            name: 'q',
            in: 'query',
            description: 'Arguments in Rison or JSON',
            content: json(components.refer(contract.rison)),
          },
        ]
      : []),
  ]
}

function buildRequestBody(contract: RouteContract, components: Components): object | undefined {
  const { body, json: instead, formField } = contract
  const fields = components.refer(contract.form ?? { type: 'object' })
  if (body === 'none') return contract.documentedBody && { content: json(components.refer(contract.documentedBody)) }
  if (body === 'form') return { content: { [form]: { schema: fields }, [multipart]: { schema: fields } } }
  if (body === 'octets') return { required: true, content: { 'application/octet-stream': { schema: binary } } }
  if (body === 'multipart')
    return {
      required: true,
      content: { [multipart]: { schema: fields }, ...(instead && json(components.refer(instead))) },
    }
  const schema = components.refer(contract.documentedBody ?? body)
  const field = { type: 'string', contentMediaType: 'application/json', contentSchema: schema }
  const formContent = formField !== undefined && {
    schema: { type: 'object', required: [formField], properties: { [formField]: field } },
  }
  const inForm = formContent && { [form]: formContent, [multipart]: formContent }
  return { required: true, content: { ...json(schema), ...inForm } }
}

const successTexts: Readonly<Record<number, string>> = {
  200: 'The result',
  201: 'The object was created',
  202: 'The work was accepted and goes on in the background',
  204: 'There is no result',
  302: 'The object is at another address',
  304: 'The object has not changed',
}

function buildSuccess({ reply }: RouteContract, status: number, components: Components): object {
  const description = successTexts[status] ?? 'Success'
  if (status >= 202) return { description }
  if (typeof reply === 'object') return { description, content: json(components.refer(reply)) }
  return { description, content: { '*/*': { schema: binary } } }
}

/** Errors that every route of its kind may return. */
const generalErrors: ReadonlyMap<number, string> = new Map(
  (
    [
      'bad_request',
      'not_signed_in',
      'forbidden',
      'not_found',
      'conflict',
      'gone',
      'too_large',
      'unsupported_media',
      'unprocessable',
      'too_many',
      'headers_too_large',
      'unavailable',
      'disk_full',
    ] as const
  ).map((code) => [errorCodes[code].status, errorCodes[code].message]),
)

/** The sentences of the errors that the route declares for a status. */
const describeError = ({ fails }: RouteContract, status: number): string =>
  [
    ...new Set(
      fails
        .map((code) => errorCodes[code])
        .filter((error) => error.status === status)
        .map(({ message }) => message),
    ),
  ].join(' ')

/** Most responses of a status are equal and shared. */
function buildError(contract: RouteContract, status: number, components: Components): object {
  const isLegacy = contract.errors === 'legacy'
  const general = generalErrors.get(status)
  const description = describeError(contract, status) || general || 'Error'
  const isEmpty = contract.emptyErrors?.includes(status) === true
  const content = { ...json(referToError(components, isLegacy)), ...(isEmpty && { 'text/html': { schema: empty } }) }
  const response = { description, content }
  if (description !== general || isEmpty) return response
  return components.add('responses', `${isLegacy ? 'LegacyCallError' : 'Error'}${status}`, response)
}

const describeAccess = ({ can, object }: RouteContract): string => {
  const permission =
    typeof can === 'string'
      ? {
          anyone: 'Anyone can call it.',
          identified: 'Requires a user or the token of an embedded dashboard.',
          'signed-in': 'Requires a signed-in user.',
        }[can]
      : `Requires the permission \`${can[0]}\` on \`${can[1]}\`.`
  return object.startsWith('none') ? permission : `${permission} Object: ${object}.`
}

/** Requests with a session also need a CSRF token where they change something; those with a token do not. */
function buildSecurity({ can, csrf }: RouteContract): object[] {
  if (can === 'anyone') return []
  return [{ bearer: [] }, { session: [], ...(csrf === 'token' && { csrf: [] }) }]
}

/** `/api/v1/chart/:id` → `chart`; older calls by the start of their address. */
export const groupOf = (path: string): string =>
  /^\/api\/v1\/_?([^/]+)/.exec(path)?.[1] ?? (path.startsWith('/superset/') ? 'superset' : 'other')

function buildOperation(contract: RouteContract, components: Components): object {
  const body = buildRequestBody(contract, components)
  return {
    operationId: computeOperationId(contract),
    summary: contract.summary,
    description: describeAccess(contract),
    tags: [groupOf(contract.path)],
    parameters: buildParameters(contract, components),
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        (contract.success ?? [200]).map((status) => [String(status), buildSuccess(contract, status, components)]),
      ),
      ...Object.fromEntries(
        listErrorStatuses(contract).map((status) => [String(status), buildError(contract, status, components)]),
      ),
    },
    security: buildSecurity(contract),
  }
}

/** Files of the web client, which are there once it has been built: below `/static/`, and such as `/favicon.svg`. */
const webFile = /^\/(?:static\/|[^/]+\.\w+$)/

/** True for calls of the API; pages and the files of the web client are not in the document. */
export const isApiCall = ({ reply, path }: RouteContract): boolean => reply !== 'page' && !webFile.test(path)

/** The OpenAPI document of all API routes. */
export function buildDocument(contracts: readonly RouteContract[]): Record<string, unknown> {
  const components = new Components()
  const paths: Record<string, Record<string, object>> = {}
  for (const contract of contracts.filter(isApiCall)) {
    const path = contract.path.replace(/:(\w+)/g, '{$1}')
    ;(paths[path] ??= {})[contract.method.toLowerCase()] = buildOperation(contract, components)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parquetry', version: 'v1', description: 'HTTP API for SQL Lab, charts and dashboards.' },
    paths,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token of `POST /api/v1/security/login`, or an API key',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'The session of a browser' },
        csrf: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRFToken',
          description: 'The token of `GET /api/v1/security/csrf_token/`, for changes with a session',
        },
      },
    },
  }
}
