import { dashboardData, framesType } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { ChartDeps } from '../chart/deps.ts'
import { sendEncoded } from '../chart/response-cache.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { dashboardStream } from './data-stream.ts'
import { DashboardOpener } from './open-dashboard.ts'
import { PrefetchedDashboards } from './prefetch-dashboard.ts'
import { RefreshIntervals } from './refresh-intervals.ts'
import { type FoundStream, StoredStreams, type StreamRequest } from './stored-streams.ts'

export function dashboardDataRoutes(app: App, deps: ChartDeps): void {
  const opener = new DashboardOpener(deps)
  const stored = new StoredStreams(deps)
  const intervals = new RefreshIntervals()
  const prefetched = new PrefetchedDashboards(deps, opener, stored)
  const streamRequests = new WeakMap<FastifyRequest, StreamRequest>()
  app.prefetchDashboard = (principal, idOrSlug) => prefetched.prefetch(principal, idOrSlug)
  serve(
    app,
    dashboardData,
    async ({ params, body, principal, signal, request, reply, event }) => {
      const opened = await opener.open(principal, params.id)
      const { dashboard, charts } = opened
      const isEdited = body.charts.some(({ form_data }) => form_data)
      const canEdit = isEdited && (await opened.canEdit())
      event.dashboard_id = dashboard.id
      prefetched.handOver(principal, dashboard.id)
      const streamRequest = streamRequests.get(request)
      const seconds = body.refresh_interval
      const interval = seconds === undefined ? undefined : intervals.current(dashboard.id, seconds, deps.now())
      const question = streamRequest && {
        dashboard: opened,
        signature: await opener.sign(principal, opened),
        body,
        canEdit,
        interval,
      }
      const found = question && (await stored.find(principal, streamRequest, question))
      if (found) return sendStored(reply, found)
      const recorder = question && stored.record(streamRequest, question)
      const stream = dashboardStream(dashboard, body, {
        deps,
        principal,
        signal,
        canEdit,
        charts,
        recorder,
        isInteractive: true,
        interval,
      })
      // Reads the first message before responding, so that a refused dashboard gets an error status, not a broken stream.
      const checked = after(await stream.next(), stream)
      return noStore(reply)
        .type(framesType)
        .send(Readable.from(checked, { objectMode: false }))
    },
    async (request, principal, text) => {
      const streamRequest = stored.toRequest(request, principal, (request.params as { id: string }).id, text)
      if (!streamRequest) return undefined
      streamRequests.set(request, streamRequest)
      const found = await stored.findRepeated(principal, streamRequest)
      return (
        found &&
        ((reply, event) => {
          event.dashboard_id = found.dashboardId
          prefetched.handOver(principal, found.dashboardId)
          return sendStored(reply, found)
        })
      )
    },
  )
}

const noStore = (reply: FastifyReply): FastifyReply => reply.header('Cache-Control', 'no-store')

const sendStored = (reply: FastifyReply, found: FoundStream): FastifyReply => sendEncoded(noStore(reply), found)

async function* after<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* rest
}
