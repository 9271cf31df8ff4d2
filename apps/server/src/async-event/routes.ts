import { asyncEventRoutes } from '@parquetry/model'
import { Readable } from 'node:stream'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { type PublishedEvent, queryChannel, userChannel } from '../jobs/pub-sub.ts'

const beatMs = 15_000

/** What a user's jobs and queries say: asked for, or pushed to the browser. */
export function eventRoutes(app: App, { events }: Deps): void {
  serve(app, asyncEventRoutes.list, ({ query, principal }) => ({
    result: principal.id === null ? [] : events.since(userChannel(principal.id), query.last_id ?? ''),
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
      .send(Readable.from(pushed(channels, lastId, events, signal), { objectMode: false }))
  })
}

/** Events as they are published, and a sign of life between them. */
async function* pushed(
  channels: readonly (readonly [type: string, channel: string])[],
  lastId: string | undefined,
  events: Deps['events'],
  signal: AbortSignal,
): AsyncGenerator<string> {
  let waiting: string[] = []
  let wake = () => {}
  const text = (type: string, event: PublishedEvent) =>
    `id: ${event.id}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`
  const missed =
    lastId === undefined
      ? []
      : channels.flatMap(([type, name]) => events.since(name, lastId).map((event) => ({ type, event })))
  const ends = channels.map(([type, name]) =>
    events.subscribe(name, (event) => {
      waiting.push(text(type, event))
      wake()
    }),
  )
  const beat = setInterval(() => {
    waiting.push(': beat\n\n')
    wake()
  }, beatMs)
  const leave = () => wake()
  signal.addEventListener('abort', leave, { once: true })
  try {
    yield ': here\n\n'
    for (const { type, event } of missed) yield text(type, event)
    while (!signal.aborted) {
      const now = waiting
      waiting = []
      if (now.length > 0) yield now.join('')
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    clearInterval(beat)
    for (const end of ends) end()
    signal.removeEventListener('abort', leave)
  }
}
