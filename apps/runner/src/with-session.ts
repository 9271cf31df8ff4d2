import type { Session } from '@parquetry/engines/drivers'
import type { Limits, Source, Statement } from '@parquetry/model'
import { abortable } from './abortable.ts'
import type { Job } from './job.ts'
import type { Sources } from './sources.ts'

/**
 * Uses a session that a cancel of the job reaches, also while it is being opened. It is closed behind the answer's back: a
 * reset takes round trips.
 */
export async function withSession<T>(
  {
    source,
    statements,
    limits,
  }: { source: Source; statements: readonly Statement[]; limits: Pick<Limits, 'rows' | 'timeoutMs'> },
  job: Job,
  sources: Sources,
  use: (session: Session, statements: readonly Statement[]) => Promise<T>,
): Promise<T> {
  const opening = sources.session(source, statements, limits)
  const opened = await abortable(opening, job.signal, (late) => late.session.close())
  const cancel = () => void opened.session.cancel()
  job.signal.addEventListener('abort', cancel)
  try {
    job.signal.throwIfAborted()
    return await use(opened.session, opened.statements)
  } finally {
    job.signal.removeEventListener('abort', cancel)
    void opened.session.close()
  }
}
