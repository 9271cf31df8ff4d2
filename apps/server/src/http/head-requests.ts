import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const headRequests = new WeakSet<IncomingMessage>()

/**
 * Options for `answerHeadRequests`: HEAD is routed as GET. Fastify would add a second route for each GET, which takes a quarter of
 * the time of all routes at every start.
 * @param rewrite  returns the address as the routes have it
 */
export const headRequestOptions = (rewrite: (method: string, url: string) => string) => ({
  exposeHeadRoutes: false,
  rewriteUrl(request: { url?: string | undefined; method?: string | undefined }): string {
    if (request.method === 'HEAD') {
      request.method = 'GET'
      headRequests.add(request as IncomingMessage)
    }
    return rewrite(request.method ?? '', request.url ?? '')
  },
})

/** Answers HEAD with the status and headers of GET. Call it before other hooks are added, which then see the method HEAD. */
export function answerHeadRequests(http: FastifyInstance): void {
  http.addHook('onRequest', (request, _reply, done) => {
    if (headRequests.has(request.raw)) request.raw.method = 'HEAD'
    done()
  })
}

/** Leaves out the body of responses to HEAD. Call it after the hooks that change the body, such as compression. */
export function omitHeadBodies(http: FastifyInstance): void {
  http.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (request.method !== 'HEAD') return done(null, payload)
    if (typeof payload === 'string' || Buffer.isBuffer(payload))
      reply.header('Content-Length', Buffer.byteLength(payload))
    else if (isStream(payload)) payload.on('error', (err: unknown) => request.log.error({ err }, 'HEAD')).destroy()
    done(null, null)
  })
}

const isStream = (payload: unknown): payload is NodeJS.ReadableStream & { destroy(): void } =>
  typeof (payload as { destroy?: unknown } | null)?.destroy === 'function'
