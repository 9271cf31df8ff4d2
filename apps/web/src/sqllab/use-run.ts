import { concat, frameOf, type Frame, type MessageHead } from '@parquetry/frame'
import type { ExecuteAnswer, ExecuteHead, WireError } from '@parquetry/model'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, send } from '../shared/api.ts'
import { ApiError } from '../shared/errors.ts'
import { framesType, messagesOf } from '../shared/message-stream.ts'

export interface Asked {
  database_id: number
  schema: string | null
  sql: string
  queryLimit: number
  tab: string
  /** Where the text begins in the editor, so that an error's place can be shown there. */
  from: number
}

export interface RunError {
  message: string
  /** Offset in the text that ran, where the engine told one. */
  offset: number | null
  line: number | null
  column: number | null
}

export type Run =
  | { phase: 'idle' }
  | { phase: 'running'; asked: Asked; since: number; before: Frame | null }
  | { phase: 'success'; asked: Asked; answer: ExecuteAnswer; frame: Frame; ms: number }
  | { phase: 'failed'; asked: Asked; error: RunError }
  | { phase: 'stopped'; asked: Asked }

const newClientId = (): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(11)),
    (byte) => 'abcdefghijklmnopqrstuvwxyz0123456789_-'[byte % 38],
  ).join('')

/** One run at a time; a new one stops the one before it, down to the engine. Leaving the page does the same. */
export function useRun(): { run: Run; start(asked: Asked): void; stop(): void } {
  const [run, setRun] = useState<Run>({ phase: 'idle' })
  const current = useRef<{ clientId: string; abort: AbortController } | null>(null)

  const stop = useCallback(() => {
    const running = current.current
    if (!running) return
    current.current = null
    void api.post('/api/v1/query/stop', { body: { client_id: running.clientId }, quiet: true }).catch(() => undefined)
    running.abort.abort()
    setRun((now) => (now.phase === 'running' ? { phase: 'stopped', asked: now.asked } : now))
  }, [])

  const start = useCallback(
    (asked: Asked) => {
      stop()
      const mine = { clientId: newClientId(), abort: new AbortController() }
      current.current = mine
      const since = performance.now()
      setRun((before) => ({
        phase: 'running',
        asked,
        since: Date.now(),
        before: before.phase === 'success' ? before.frame : null,
      }))
      execute(asked, mine.clientId, mine.abort.signal).then(
        ({ answer, frame }) => {
          if (current.current !== mine) return
          current.current = null
          setRun({ phase: 'success', asked, answer, frame, ms: performance.now() - since })
        },
        (error: unknown) => {
          if (current.current !== mine) return
          current.current = null
          setRun({ phase: 'failed', asked, error: readRunError(error) })
        },
      )
    },
    [stop],
  )

  useEffect(() => () => current.current?.abort.abort(), [])
  return { run, start, stop }
}

async function execute(
  { database_id, schema, sql, queryLimit, tab }: Asked,
  clientId: string,
  signal: AbortSignal,
): Promise<{ answer: ExecuteAnswer; frame: Frame }> {
  const body = { database_id, schema, sql, queryLimit, tab, client_id: clientId, runAsync: false }
  const response = await send('POST', '/api/v1/sqllab/execute/', {
    body,
    signal,
    accept: framesType,
  })
  const frames: Frame[] = []
  let answer: ExecuteAnswer | undefined
  for await (const { head, frame } of messagesOf(response)) {
    if (frame) frames.push(frame)
    if (head.type === 'answer') answer = (head as MessageHead & ExecuteHead).answer
    if (head.type === 'error') throw wireError((head as MessageHead & { error: WireError }).error)
  }
  if (!answer) throw new ApiError(0, 'Network error.')
  return { answer, frame: frames.length > 0 ? concat(frames) : frameOf({}) }
}

const wireError = ({ message, details }: WireError): ApiError =>
  new ApiError(400, message, [{ message, error_type: 'GENERIC_DB_ENGINE_ERROR', level: 'error', extra: details }])

function readRunError(error: unknown): RunError {
  const extra = error instanceof ApiError ? (error.errors[0]?.extra ?? {}) : {}
  const number = (name: string): number | null => (typeof extra[name] === 'number' ? extra[name] : null)
  return {
    message: error instanceof Error ? error.message : String(error),
    offset: number('offset'),
    line: number('line'),
    column: number('column'),
  }
}
