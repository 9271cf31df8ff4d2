import { AppError, defaultBodyLimit, message, type RouteContract } from '@parquetry/model'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { type Deps, routes } from './routes.ts'
import type { App } from './http/app.ts'
import { connectionLimits } from './concurrency/load-limits.ts'
import { createCallSlots } from './http/call-slots.ts'
import { compressData } from './http/compress.ts'
import { ConnectionLimiter } from './http/connections.ts'
import { isSocketRequest, routeUpgrades } from './http/upgrade.ts'
import { createProxyCheck } from './http/trusted-proxies.ts'
import { closeStalledConnections } from './http/stalled-connections.ts'
import { answerErrors } from './http/error-handler.ts'
import { createUnreadableRequestHandler } from './http/unreadable-requests.ts'
import { createPrefixer } from './http/without-prefix.ts'
import { answerHeadRequests, headRequestOptions, omitHeadBodies } from './http/head-requests.ts'
import { watchOpenCalls } from './http/open-calls.ts'
import { addBodyParsers } from './http/parsers.ts'
import { createRateLimiter } from './http/rate-limiter.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { createAuthenticator } from './security/authenticator.ts'
import { createAuditLog } from './store/audit-log.ts'

export type { App } from './http/app.ts'

/**
 * Requests with incomplete headers are closed after this time. Node checks at an interval, so it happens within the sum of both.
 */
const headersMs = 10_000
const connectionCheckMs = 2000

/** `serve` validates contracts; Fastify's own validation and serialization would load 100 modules at every start. */
const noSchemas = (): never => {
  throw new Error('The schema of a route is in its contract.')
}

const tooManyConnections = (): AppError =>
  new AppError('unavailable', {
    message: message(
      'errors.http.tooManyConnections',
      'Too many connections are open from your address. Close some of them, or try again in a moment.',
    ),
    details: { retryAfter: connectionLimits.retrySeconds },
  })

const tooManyRequests = (): AppError =>
  new AppError('unavailable', {
    message: message(
      'errors.http.tooManyRequests',
      'Too many requests from your address are in progress. Try again in a moment.',
    ),
    details: { retryAfter: connectionLimits.retrySeconds },
  })

/** Creates the HTTP server with all routes, not yet listening. */
export function createApp(deps: Deps): App {
  const { settings, log } = deps
  const contracts: RouteContract[] = []
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: defaultBodyLimit,
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    clientErrorHandler: createUnreadableRequestHandler(settings),
    genReqId: () => crypto.randomUUID(),
    forceCloseConnections: 'idle',
    http: { connectionsCheckingInterval: connectionCheckMs, shouldUpgradeCallback: isSocketRequest },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000 },
    ...headRequestOptions(createPrefixer(contracts)),
  }) as unknown as FastifyInstance
  http.server.headersTimeout = headersMs
  const connections = new ConnectionLimiter(http.server, {
    isTrustedProxy: createProxyCheck(settings.trustedProxies),
    log,
  })
  closeStalledConnections(http.server)
  routeUpgrades(http, connections)
  const authenticator = createAuthenticator(deps)
  const app: App = {
    http,
    deps,
    authenticator,
    openCalls: watchOpenCalls(authenticator),
    audit: createAuditLog(deps.db, log, deps.now),
    rate: createRateLimiter(settings.config.RATE_LIMITS, deps.steadyMs),
    callSlots: createCallSlots(settings.config.API_CALLS_PER_USER),
    connections,
    contracts,
    readObject: new Map(),
    isStopping: false,
    renderPage: () => Promise.reject(new Error('the pages are not registered')),
    pageSubjects: {},
    prefetchDashboard: () => Promise.resolve(),
  }
  http.decorateRequest('identity', null)
  http.decorateRequest('startedAt', 0)
  http.decorateRequest('early', null)
  http.decorateRequest('slot', null)
  http.decorateRequest('startStep', null)
  answerHeadRequests(http)
  http.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    reply.header('X-Request-Id', request.id)
    const isEndless = request.routeOptions.config.contract?.isEndless === true
    const refusal = connections.isRefused(request.raw.socket)
      ? tooManyConnections()
      : isEndless || connections.beginRequest(request.ip, reply.raw)
        ? null
        : tooManyRequests()
    if (refusal) {
      // `ConnectionLimiter` writes one line a minute.
      request.log.level = 'silent'
      reply.header('Connection', 'close')
      return done(refusal)
    }
    done(app.isStopping ? new AppError('restarting') : undefined)
  })
  // Clients open no further request on a connection that is about to be closed.
  http.addHook('onSend', (_request, reply, payload, done) => {
    if (app.isStopping) reply.header('Connection', 'close')
    done(null, payload)
  })
  // Request lines are written for every call and contain nothing confidential, so they skip redaction.
  const requestLog = log.child({}, { redact: [] })
  http.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round((performance.now() - request.startedAt) * 10) / 10
    const route = request.routeOptions.url ?? request.url.split('?')[0]
    const user = request.identity?.principal.id ?? null
    requestLog.info({ reqId: request.id, method: request.method, route, status: reply.statusCode, user, ms }, 'request')
    done()
  })
  addSecurityHeaders(http, settings)
  addBodyParsers(http)
  compressData(http)
  omitHeadBodies(http)
  answerErrors(app)
  for (const register of routes) register(app, deps)
  http.addHook('onClose', () => {
    app.openCalls.close()
    return app.audit.flush()
  })
  return app
}
