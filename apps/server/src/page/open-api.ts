import { defineRoute, errorCodes, type RouteContract } from '@parquetry/model'
import Type from 'typebox'
import type { App } from '../http/app.ts'
import { resolveOrigin } from '../http/origin.ts'
import { serve } from '../http/serve.ts'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const errorBody = {
  type: 'object',
  properties: { message: {}, errors: { type: 'array', items: { type: 'object' } } },
}

const buildParameters = (contract: RouteContract): object[] => {
  const listParameters = (location: 'path' | 'query', schema: unknown) => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: string[] }
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      schema: property,
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
            content: { 'application/json': { schema: contract.rison } },
          },
        ]
      : []),
  ]
}

function buildRequestBody({ body, json: instead }: RouteContract): object | undefined {
  if (body === 'none') return undefined
  if (body === 'form') return { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } }
  if (body === 'octets')
    return { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
  if (body === 'multipart')
    return { content: { 'multipart/form-data': { schema: { type: 'object' } }, ...(instead && json(instead).content) } }
  return { required: true, ...json(body) }
}

/** Statuses of the errors that a route declares, and of those that every route of its kind may return. */
export function listErrorStatuses({ can, fails, body, params, method, rate }: RouteContract): number[] {
  const changes = method !== 'GET'
  return [
    ...new Set([
      400,
      429,
      503,
      ...(can === 'anyone' ? [] : [401, 403]),
      ...(params ? [404] : []),
      ...(body === 'none' ? [] : [413, 415, 422]),
      ...(changes ? [422, 507] : []),
      ...(method === 'PUT' ? [409] : []),
      // The file of a table is damaged.
      ...(rate === 'query' ? [410] : []),
      ...fails.map((code) => errorCodes[code].status),
    ]),
  ].toSorted((a, b) => a - b)
}

function buildOperation(contract: RouteContract): object {
  const { can, summary, reply, success = [200] } = contract
  const body = buildRequestBody(contract)
  return {
    summary,
    description: typeof can === 'string' ? undefined : `Requires the permission \`${can[0]}\` on \`${can[1]}\`.`,
    tags: [/^\/api\/v1\/([^/]+)/.exec(contract.path)?.[1] ?? 'other'],
    parameters: buildParameters(contract),
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(
        success.map((status) => [
          String(status),
          { description: 'Success', ...(typeof reply === 'object' && status <= 201 ? json(reply) : {}) },
        ]),
      ),
      ...Object.fromEntries(
        listErrorStatuses(contract).map((code) => [String(code), { description: 'Error', ...json(errorBody) }]),
      ),
    },
    security: can === 'anyone' ? [] : [{ bearer: [] }, { session: [] }],
  }
}

/** The OpenAPI document of all API routes, without pages and files. */
function buildOpenApi(contracts: readonly RouteContract[]): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {}
  for (const contract of contracts) {
    if (contract.reply === 'page' || contract.path.startsWith('/static/')) continue
    const path = contract.path.replace(/:(\w+)/g, '{$1}')
    ;(paths[path] ??= {})[contract.method.toLowerCase()] = buildOperation(contract)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parquetry', version: 'v1', description: 'HTTP API for SQL Lab, charts and dashboards.' },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
      },
    },
    paths,
  }
}

const contract = defineRoute({
  method: 'GET',
  path: '/api/v1/_openapi',
  summary: 'Returns this OpenAPI document',
  body: 'none',
  reply: Type.Object({}, { additionalProperties: true }),
  can: ['can_get', 'OpenApi'],
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: [],
})

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** The routes of the OpenAPI document as an HTML table. */
function renderRouteTable(contracts: readonly RouteContract[]): string {
  const rows = contracts
    .filter(({ reply, path }) => reply !== 'page' && !path.startsWith('/static/'))
    .map(({ method, path, summary, can }) => [method, path, summary, typeof can === 'string' ? can : can.join(' on ')])
    .sort(([, a], [, b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parquetry API</title></head><body>
<h1>Parquetry API</h1><p><a href="/api/v1/_openapi">OpenAPI document</a></p>
<table><thead><tr><th>Method</th><th>Path</th><th>Description</th><th>Access</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></body></html>`
}

export function openApiRoutes(app: App): void {
  let document: Record<string, unknown> | undefined
  serve(app, contract, ({ request }) => {
    document ??= buildOpenApi(app.contracts)
    return { ...document, servers: [{ url: resolveOrigin(app.deps.settings, request) }] }
  })
  serve(
    app,
    {
      ...contract,
      path: '/swagger/v1',
      summary: 'Shows the API reference',
      reply: 'page',
      can: ['can_show', 'SwaggerView'],
    },
    ({ reply }) => reply.type('text/html; charset=utf-8').send(renderRouteTable(app.contracts)),
  )
}
