import { defineRoute } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { Cache } from '../cache/cache.ts'
import type { ResponseStore } from '../cache/response-store.ts'
import type { App } from '../http/app.ts'
import { noSuchAddress } from '../http/errors.ts'
import { serve } from '../http/serve.ts'
import type { Runners } from '../runners/runners.ts'
import type { Settings } from '../settings/settings.ts'

interface MetricsDeps {
  cache: Cache
  responses: ResponseStore
  runners: Runners
}

const contract = defineRoute({
  method: 'GET',
  path: '/metrics',
  summary: 'Returns Prometheus metrics to local clients and administrators with a bearer token',
  body: 'none',
  reply: 'bytes',
  can: 'anyone',
  object: 'the caller must be local, or an administrator with a bearer token',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: ['not_found'],
})

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const loopbackHosts = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * True for a program on this machine. A local proxy may not identify its clients, so no request counts as local when trusted
 * proxies or a public base URL are configured.
 */
const isLocal = ({ baseUrl, trustedProxies }: Settings, { socket, headers }: FastifyRequest): boolean =>
  (baseUrl === null || loopbackHosts.test(new URL(baseUrl).hostname)) &&
  trustedProxies.length === 0 &&
  loopback.has(socket.remoteAddress ?? '') &&
  ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'].every((name) => headers[name] === undefined)

/** Prometheus metrics. The client library is loaded on the first request; requests are counted from the start. */
export function metricsRoutes(app: App, { cache, responses, runners }: MetricsDeps): void {
  const requests = new Map<string, { count: number; ms: number }>()
  app.http.addHook('onResponse', (request, reply, done) => {
    const key = `${request.method} ${request.routeOptions.url ?? 'none'} ${Math.floor(reply.statusCode / 100)}xx`
    const entry = requests.get(key) ?? { count: 0, ms: 0 }
    entry.count += 1
    entry.ms += performance.now() - request.startedAt
    requests.set(key, entry)
    done()
  })

  let registry: Promise<import('prom-client').Registry> | undefined
  async function build(): Promise<import('prom-client').Registry> {
    const { Registry, Counter, Gauge, collectDefaultMetrics } = await import('prom-client')
    const found = new Registry()
    collectDefaultMetrics({ register: found })
    const registers = [found]
    const labelNames = ['method', 'route', 'status'] as const
    for (const [name, help, field] of [
      ['parquetry_requests_total', 'Requests served', 'count'],
      ['parquetry_request_milliseconds_total', 'Milliseconds spent on requests', 'ms'],
    ] as const)
      new Counter({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset()
          for (const [key, entry] of requests) {
            const [method = '', route = '', status = ''] = key.split(' ')
            this.inc({ method, route, status }, entry[field])
          }
        },
      })
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
        },
      })
    gauge('parquetry_cache_bytes', 'Size of cached results in bytes', () => cache.stats().bytes)
    gauge('parquetry_cache_entries', 'Number of cached results', () => cache.stats().entries)
    gauge('parquetry_cache_hits', 'Cache hits', () => cache.stats().hits)
    gauge('parquetry_cache_misses', 'Cache misses', () => cache.stats().misses)
    gauge('parquetry_responses_bytes', 'Size of stored responses in bytes', () => responses.stats().bytes)
    gauge('parquetry_responses_entries', 'Number of stored responses', () => responses.stats().entries)
    gauge('parquetry_responses_hits', 'Requests answered with a stored response', () => responses.stats().hits)
    gauge('parquetry_responses_misses', 'Look-ups without a valid stored response', () => responses.stats().misses)
    gauge('parquetry_queries_running', 'Running and waiting queries', () => runners.stats().running)
    gauge('parquetry_queries_waiting', 'Queries waiting in the queue', () => runners.stats().waiting)
    new Counter({
      name: 'parquetry_queries_refused_total',
      help: 'Queries and dashboards refused because too many queries were waiting',
      labelNames: ['reason'],
      registers,
      collect() {
        this.reset()
        for (const [reason, count] of Object.entries(runners.stats().refused)) this.inc({ reason }, count)
      },
    })
    new Counter({
      name: 'parquetry_limits_exceeded_total',
      help: 'Connections, requests and streams refused because one client had too many',
      labelNames: ['limit'],
      registers,
      collect() {
        this.reset()
        for (const [limit, count] of Object.entries(app.connections.counts)) this.inc({ limit }, count)
      },
    })
    gauge('parquetry_runners', 'Number of runner processes', () => runners.stats().runners.length)
    return found
  }

  serve(app, contract, async ({ request, reply, principal }) => {
    const isAdminByToken = request.identity?.via === 'bearer' && principal.isAdmin
    if (!isLocal(app.deps.settings, request) && !isAdminByToken) throw noSuchAddress()
    const found = await (registry ??= build())
    return reply.type(found.contentType).send(await found.metrics())
  })
}
