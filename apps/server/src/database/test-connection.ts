import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type { Connection } from './connection.ts'
import { checkHost } from './outgoing.ts'
import { ownFiles } from './own-files.ts'

const timeoutMs = 10_000

/**
 * Tries a connection. Files are looked at instead of opened: an embedded engine starts when it is first asked.
 * @throws AppError `connection_*` as the runner reports it; `unprocessable` for a file that may not be read
 */
export async function pingConnection(deps: Deps, { engine, settings }: Connection, signal: AbortSignal): Promise<void> {
  if (engine.kind === 'embedded') {
    if (typeof settings['path'] === 'string') ownFiles(settings['path'], deps.settings.files)
    return
  }
  await checkHost(String(settings['host'] ?? ''))
  const source = { kind: 'network', engine: engine.name, id: `test-${randomUUID()}`, settings, schema: null } as const
  await deps.runners.describe(source, { what: 'ping' }, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
}
