import type { Session } from '@parquetry/engines/drivers'
import type { Limits, Source, Statement } from '@parquetry/model'
import { abortable } from './abortable.ts'
import type { Job } from './job.ts'
import type { Sources } from './sources.ts'

/**
 * Milliseconds that a database may take to react to a cancel before the job ends without it. The server kills a process whose
 * jobs do not end, with jobs of other users in it.
 */
const cancelGraceMs = 1000

/**
 * Uses a session that is canceled with the job, even while it is being opened. It is closed in the background after the response:
 * a reset takes round trips, and a silent database never confirms the end.
 * @param use  may keep the session, and closes it then
 */
export async function withSession<T>(
  {
    source,
    statements,
    limits,
  }: { source: Source; statements: readonly Statement[]; limits: Pick<Limits, 'rows' | 'timeoutMs'> },
  job: Job,
  sources: Sources,
  use: (session: Session, statements: readonly Statement[], keepOpen: () => void) => Promise<T>,
): Promise<T> {
  let isKeptOpen = false
  const opening = sources.session(source, statements, limits)
  const opened = await abortable(opening, job.signal, (late) => late.session.close())
  const cancel = () => void opened.session.cancel()
  job.signal.addEventListener('abort', cancel)
  try {
    job.signal.throwIfAborted()
    const using = use(opened.session, opened.statements, () => (isKeptOpen = true))
    return await (source.kind === 'network' ? abortable(using, delayAbort(job.signal), () => {}) : using)
  } finally {
    job.signal.removeEventListener('abort', cancel)
    if (!isKeptOpen) void opened.session.close()
  }
}

/** Aborts for the same reason, after a delay to react. */
function delayAbort(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const abort = () => void setTimeout(() => controller.abort(signal.reason), cancelGraceMs)
  signal.addEventListener('abort', abort, { once: true })
  return controller.signal
}
