import type { DescribeRequest, DescribeResult, Source } from '@parquetry/model'
import { abortable } from './abortable.ts'
import type { Job } from './job.ts'
import type { Sources } from './sources.ts'
import { withSession } from './with-session.ts'

/** Timeout of metadata queries, which pages wait for. */
const describeMs = 30_000

export async function describeSource(
  source: Source,
  request: DescribeRequest,
  job: Job,
  sources: Sources,
): Promise<DescribeResult> {
  job.setTimeLimit(describeMs)
  if (request.what === 'reach')
    return { what: 'reach', host_key: await abortable(sources.reach(source), job.signal, () => {}) }
  const statements = request.what === 'columns' ? [{ name: 'columns', text: request.sql, values: [] }] : []
  const limits = { rows: Number.MAX_SAFE_INTEGER - 1, timeoutMs: describeMs }
  return withSession({ source, statements, limits }, job, sources, (session) => session.describe(request))
}
