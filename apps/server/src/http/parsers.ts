import type { FastifyInstance, FastifyRequest } from 'fastify'
import { urlencodedFields } from './form-fields.ts'
import { parseJson } from './json-body.ts'

/** JSON always, forms and multipart as declared by routes; any other content type is 415. */
export function addBodyParsers(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      const { lookEarly } = request.routeOptions.config
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
  // left unread: the few routes that take files read the stream themselves
  for (const kind of ['multipart/form-data', 'application/octet-stream'])
    http.addContentTypeParser(kind, (_request, _payload, done) => done(null))
}
