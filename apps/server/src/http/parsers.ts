import type { FastifyInstance, FastifyRequest } from 'fastify'
import { urlencodedFields } from './form-fields.ts'
import { parseJson } from './json-body.ts'

/** Parses JSON on all routes, forms and multipart where declared; any other content type is 415. */
export function addBodyParsers(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      const { lookEarly } = request.routeOptions.config
      await request.startStep?.()
      if (lookEarly && request.identity)
        request.early = (await lookEarly(request, request.identity.principal, text)) ?? null
      return text === '' || request.early ? undefined : parseJson(text)
    },
  )
  http.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => urlencodedFields(text),
  )
  // not parsed: the few routes that accept files read the stream themselves
  for (const kind of ['multipart/form-data', 'application/octet-stream'])
    http.addContentTypeParser(kind, (_request, _payload, done) => done(null))
}
