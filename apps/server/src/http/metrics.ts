import { defineRoute } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { App } from './app.ts'
import { noSuchAddress } from './errors.ts'
import { serve } from './serve.ts'

const contract = defineRoute({
  method: 'GET',
  path: '/metrics',
  summary: 'Figures for monitoring: from this machine, or with the token of an administrator',
  body: 'none',
  reply: 'bytes',
  can: 'anyone',
  object: 'the caller: loopback or an administrator by bearer token',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: ['not_found'],
})

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** A program on this machine itself, not somebody whom a proxy on this machine let through. */
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  loopback.has(socket.remoteAddress ?? '') &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined

/** Prometheus figures. The client library is loaded at the first question; requests are counted from the start. */
export function metricsRoutes(app: App, { cache, runners }: Deps): void {
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
      ['parquetry_requests_total', 'Requests answered', 'count'],
      ['parquetry_request_milliseconds_total', 'Time spent on them', 'ms'],
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
    gauge('parquetry_cache_bytes', 'Bytes of results in the cache', () => cache.stats().bytes)
    gauge('parquetry_cache_entries', 'Results in the cache', () => cache.stats().entries)
    gauge('parquetry_cache_hits', 'Questions that the cache answered', () => cache.stats().hits)
    gauge('parquetry_cache_misses', 'Questions that it did not', () => cache.stats().misses)
    gauge('parquetry_queries_running', 'Queries that run', () => runners.stats().running)
    gauge('parquetry_runners', 'Runner processes', () => runners.stats().runners.length)
    return found
  }

  serve(app, contract, async ({ request, reply, principal }) => {
    const isAdminByToken = request.identity?.via === 'bearer' && principal.isAdmin
    if (!isLocal(request) && !isAdminByToken) throw noSuchAddress()
    const found = await (registry ??= build())
    return reply.type(found.contentType).send(await found.metrics())
  })
}
