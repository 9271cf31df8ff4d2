const ends: ReadonlySet<unknown> = new Set(['success', 'failed', 'stopped', 'timed_out'])

/**
 * Calls back with the client id of each run of the user that the server reports as ended. Only while the window is visible: a
 * browser has six connections per server, and a stream holds one. Polling finds missed events.
 * @returns a function that stops listening
 */
export function onQueryEnded(onEnded: (id: string) => void): () => void {
  let source: EventSource | undefined
  const receive = ({ data }: MessageEvent<string>): void => {
    const { query } = JSON.parse(data) as { query: { id: string; state: string } }
    if (ends.has(query.state)) onEnded(query.id)
  }
  const follow = (): void => {
    source?.close()
    source = undefined
    if (document.visibilityState === 'hidden') return
    source = new EventSource('/api/v1/async_event/stream')
    source.addEventListener('query', receive)
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    source?.close()
  }
}
