import type { AppError, ErrorCode, RouteContract } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'
import { toResponseError, errorBody, type ErrorForm, errorStatus, noSuchAddress, noSuchMethod } from './errors.ts'
import { errorTranslator } from '../settings/messages.ts'
import { setFlash } from './flash.ts'
import { signInPath } from './local-path.ts'
import { redirect } from './redirect.ts'
import { createAuditEvent } from './serve.ts'

/** `Retry-After` of errors that do not contain it. */
const retrySeconds: Partial<Record<ErrorCode, number>> = { too_many: 60, unavailable: 2, restarting: 2 }

/** Converts all failures to responses. */
export function answerErrors(app: App): void {
  const { http } = app
  const translate = errorTranslator(app.deps.settings)
  function send(reply: FastifyReply, error: AppError, form: ErrorForm) {
    const { retryAfter = retrySeconds[error.code] } = error.details
    if (typeof retryAfter === 'number') reply.header('Retry-After', String(retryAfter))
    const body = errorBody(error, form, translate)
    return reply.code(errorStatus(error, form)).type('application/json; charset=utf-8').send(body)
  }
  http.setErrorHandler((thrown, request, reply) => {
    const { contract } = request.routeOptions.config
    const responseError = toResponseError(thrown, request.log)
    const error =
      responseError.code === 'not_json' && contract?.notJson !== undefined
        ? responseError.wrap({ message: contract.notJson })
        : responseError
    if (error.code === 'forbidden' && contract) auditRefusal(app, contract, request)
    if (contract?.reply === 'page' && (error.code === 'forbidden' || error.code === 'not_signed_in')) {
      if (error.code === 'forbidden' && wantsPage(request) && request.identity)
        return app.renderPage(request, reply.code(403), request.identity.principal, { no_access: true })
      if (error.code === 'forbidden') setFlash(reply, app.deps.settings, 'denied')
      return redirect(reply, signInPath(request.url))
    }
    return send(reply, error, contract?.errors ?? defaultErrorForm(request))
  })
  http.setNotFoundHandler(async (request, reply) => {
    if (wantsPage(request)) {
      request.identity = await app.authenticator.identify(request, true)
      return app.renderPage(request, reply.code(404), request.identity.principal)
    }
    const error = isKnownPath(app, request) ? noSuchMethod() : noSuchAddress()
    return send(reply, error, 'typed')
  })
}

/** Requests for pages by a browser get an error page; all others get JSON. */
const wantsPage = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && !/^\/(api|static)\//.test(url) && (headers.accept ?? '').includes('text/html')

const defaultErrorForm = (request: FastifyRequest): ErrorForm => (request.url.startsWith('/api/') ? 'typed' : 'legacy')

function auditRefusal(app: App, contract: RouteContract, request: FastifyRequest): void {
  if (!request.identity) return
  const event = {
    ...createAuditEvent(contract, request.identity),
    action: 'refused',
    json: { route: contract.path, method: contract.method },
  }
  app.audit.later(event, performance.now() - request.startedAt, null)
}

/** Tests if another method is served at this path. */
function isKnownPath(app: App, request: FastifyRequest): boolean {
  const path = (request.url.split('?')[0] ?? '').replace(/\/$/, '').split('/')
  return app.contracts.some(({ path: pattern }) => {
    const parts = pattern.replace(/\/$/, '').split('/')
    return parts.length === path.length && parts.every((part, index) => part.startsWith(':') || part === path[index])
  })
}
