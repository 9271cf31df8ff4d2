import { AppError, type Described, type Describe, type ErrorCode, type Source } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type { Connection } from './connection.ts'
import { checkedSettings } from './own-database-file.ts'
import { ownFiles } from './own-files.ts'

/** Whatever the setting says: longer, and a test would be a way to hold connections open. */
const mostSeconds = 10

export interface TestStep {
  step: 'reach' | 'sign_in' | 'schemas'
  ms: number
}
export interface TestReport {
  steps: TestStep[]
  schemas: number | null
  /** Fingerprint of the tunnel's server. */
  host_key: string | null
}

type Of<W extends Described['what']> = Extract<Described, { what: W }>

/**
 * Tries a connection: reaches the server, signs in, lists the schemas. Files are looked at instead of opened: an embedded engine
 * starts when it is first asked.
 * @throws AppError `connection_*`, its `details.parquetry` with the step that failed and those before; `unprocessable` for a
 *   file that may not be read
 */
export async function testConnection(deps: Deps, connection: Connection, signal: AbortSignal): Promise<TestReport> {
  const { engine, settings, serverCert, tunnel } = connection
  const steps: TestStep[] = []
  if (engine.kind === 'embedded') {
    if (typeof settings['path'] === 'string') ownFiles(settings['path'], deps.settings.files)
    return { steps, schemas: null, host_key: null }
  }
  const seconds = Math.min(mostSeconds, deps.settings.config.TEST_DATABASE_CONNECTION_TIMEOUT)
  const limit = AbortSignal.timeout(seconds * 1000)
  const source: Source = {
    kind: 'network',
    engine: engine.name,
    id: `test-${randomUUID()}`,
    settings: checkedSettings(deps, engine, settings),
    schema: null,
    server_cert: serverCert,
    tunnel,
  }
  async function take<W extends 'reach' | 'ping' | 'schemas'>(step: TestStep['step'], what: Describe & { what: W }) {
    const since = performance.now()
    try {
      const found = (await deps.runners.describe(source, what, AbortSignal.any([signal, limit]))) as Of<W>
      steps.push({ step, ms: Math.round(performance.now() - since) })
      return found
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw asFailure(error, step, steps, limit.aborted)
    }
  }
  const host_key = engine.ofFile ? null : (await take('reach', { what: 'reach' })).host_key
  await take('sign_in', { what: 'ping' })
  const { schemas } = await take('schemas', { what: 'schemas' })
  return { steps, schemas: schemas.length, host_key }
}

/** Fields that a refusal is about, where the driver does not say. */
const fieldsOf: Partial<Record<ErrorCode, readonly string[]>> = {
  connection_username: ['username'],
  connection_password: ['username', 'password'],
  connection_database: ['database'],
  connection_hostname: ['host'],
}

/** What took too long failed like what was refused: nobody is to learn what stands behind a firewall. */
function asFailure(error: AppError, step: TestStep['step'], steps: TestStep[], isLate: boolean): AppError {
  const invalid = fieldsOf[error.code]
  const details = { ...(invalid && { invalid }), ...error.details, parquetry: { step, steps } }
  if (isLate || error.code === 'query_timeout' || error.code === 'connection_port_closed')
    return new AppError('connection_failed', { details, cause: error })
  return new AppError(error.code, { message: error.message, details, status: error.status, cause: error })
}
