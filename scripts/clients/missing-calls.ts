import { readRecordedClients } from '@parquetry/testing'
import type { RecordedCall } from './recorder.ts'

/** Method and path without ids and arguments, and the status. */
const kindOf = (call: string, status: number): string =>
  `${call.replace(/\?.*/, '').replace(/\/(?:\$\w+|\d+)(?=\/|$)/g, '/:id')} ${status}`

/** Tests whether a call loads a page, or a file that a page loads itself. */
const isPage = ({ answer, path }: RecordedCall): boolean =>
  /html|javascript|css|font|image/.test(answer.headers['content-type'] ?? '') || path.startsWith('/static/')

/**
 * Returns the kinds of calls that are missing in the file of the client, so that the test suite does not replay them.
 * @param client  name and version
 */
export function listMissingCalls(client: string, calls: readonly RecordedCall[]): string[] {
  const recorded = readRecordedClients<{ client: string; calls: { call: string; status: number }[] }>()
  const known = new Set(
    recorded.filter((one) => one.client === client).flatMap((one) => one.calls.map((c) => kindOf(c.call, c.status))),
  )
  const made = calls.filter((call) => !isPage(call)).map((c) => kindOf(`${c.method} ${c.path}`, c.status))
  return [...new Set(made)].filter((kind) => !known.has(kind)).toSorted()
}
