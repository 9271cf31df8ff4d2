import { AppError } from '@parquetry/model'
import type { FastifyInstance } from 'fastify'
import { holdsNul, nulSentence, parseJson } from './json-body.ts'

/** JSON always, forms and multipart as declared by routes; any other content type is 415. */
export function addBodyParsers(http: FastifyInstance): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => (text === '' ? undefined : parseJson(text)),
  )
  http.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => {
      const fields = Object.create(null) as Record<string, string>
      for (const [name, value] of new URLSearchParams(text)) {
        if (holdsNul(name + value)) throw new AppError('bad_request', { message: nulSentence })
        fields[name] ??= value
      }
      return fields
    },
  )
  // left unread: the few routes that take files read the stream themselves
  for (const kind of ['multipart/form-data', 'application/octet-stream'])
    http.addContentTypeParser(kind, (_request, _payload, done) => done(null))
}
