import { AppError, type AsyncEvent, asyncEventRoutes } from '@parquetry/model'
import { Readable } from 'node:stream'
import type { App } from '../http/app.ts'
import { isSameOrigin } from '../http/csrf.ts'
import { serve } from '../http/serve.ts'
import { type PublishedEvent, type PubSub, queryChannel, userChannel } from '../jobs/pub-sub.ts'
import { openEventSocket } from './event-socket.ts'
import { followEvents } from './follow-events.ts'

const beatMs = 15_000

/** Events of a user's jobs and queries, polled or pushed to the browser. */
export function eventRoutes(app: App, { events }: { events: PubSub }): void {
  serve(app, asyncEventRoutes.socket, ({ query, principal, request, reply }) => {
    // Browsers send cookies with sockets that other sites open.
    if (!isSameOrigin(app, request)) throw new AppError('forbidden')
    const options = { userId: principal.id ?? -1, lastId: query.last_id ?? '', beatMs }
    return openEventSocket(events, { request, reply }, options)
  })

  serve(app, asyncEventRoutes.list, async ({ query, principal }) => ({
    // Events on a user's channel have this type.
    result: (principal.id === null
      ? []
      : await events.since(userChannel(principal.id), query.last_id ?? '')) as unknown as AsyncEvent[],
  }))

  serve(app, asyncEventRoutes.stream, ({ query, principal, request, reply, signal }) => {
    const lastId = request.headers['last-event-id']?.toString() ?? query.last_id
    const channels = [
      ['job', userChannel(principal.id ?? -1)],
      ['query', queryChannel(principal.id ?? -1)],
    ] as const
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .header('X-Accel-Buffering', 'no')
      .send(Readable.from(streamEvents(channels, lastId, events, signal), { objectMode: false }))
  })
}

/** Yields events as they are published, with heartbeats in between. */
async function* streamEvents(
  channels: readonly (readonly [type: string, channel: string])[],
  lastId: string | undefined,
  events: PubSub,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let waiting: string[] = []
  let wake = () => {}
  const push = (text: string) => {
    waiting.push(text)
    wake()
  }
  const formatEvent = (type: string, event: PublishedEvent) =>
    `id: ${event.id}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`
  const unsubscribes: (() => void)[] = []
  const heartbeat = setInterval(() => push(': beat\n\n'), beatMs)
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    for (const [type, channel] of channels)
      unsubscribes.push(await followEvents(events, channel, lastId, (event) => push(formatEvent(type, event))))
    yield ': here\n\n'
    while (!signal.aborted) {
      const batch = waiting
      waiting = []
      if (batch.length > 0) yield batch.join('')
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    clearInterval(heartbeat)
    for (const end of unsubscribes) end()
    signal.removeEventListener('abort', onAbort)
  }
}
