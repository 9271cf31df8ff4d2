import {
  type AccountPower,
  AppError,
  type DescribeResult,
  type DescribeRequest,
  type ErrorCode,
  type Source,
  type TestReport,
  type TestStep,
} from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import type { Principal } from '../access/principal.ts'
import { type Connection, requireSupported } from '../connection/connection.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import { toRunnerSettings } from '../connection/runner-settings.ts'
import { listServerFiles } from '../connection/server-files.ts'

/** Upper limit of the setting: a longer test could be used to hold connections open. */
const maxSeconds = 10

type DescriptionOf<W extends DescribeResult['what']> = Extract<DescribeResult, { what: W }>

/** The user as whom the database is tested if the connection impersonates; null for its own account. */
export const testUser = (
  { engine }: Connection,
  { username }: Pick<Principal, 'username'>,
  impersonates: boolean,
): string | null => (impersonates && engine.supports.impersonate ? username : null)

/**
 * Tests a connection: reaches the server, signs in, lists the schemas. For files, only the path is checked: an embedded engine
 * starts with its first query.
 * @param user  as `testUser`
 * @throws AppError `engine_unsupported`; `connection_*` with the failed step and those before in `details.parquetry`; `unprocessable` for a file that
 * may not be read
 */
export async function testConnection(
  deps: ConnectionDeps,
  connection: Connection,
  user: string | null,
  signal: AbortSignal,
): Promise<TestReport> {
  const { engine, settings, serverCert, tunnel } = connection
  requireSupported(engine)
  const steps: TestStep[] = []
  if (engine.kind === 'embedded') {
    if (typeof settings['path'] === 'string') listServerFiles(settings['path'], deps.settings.files)
    return { steps, schemas: null, warnings: [], host_key: null }
  }
  const seconds = Math.min(maxSeconds, deps.settings.config.TEST_DATABASE_CONNECTION_TIMEOUT)
  const limit = AbortSignal.timeout(seconds * 1000)
  const source: Source = {
    kind: 'network',
    engine: engine.name,
    id: `test-${randomUUID()}`,
    settings: toRunnerSettings(deps, engine, settings),
    schema: null,
    server_cert: serverCert,
    tunnel,
    ...(user !== null && { user }),
  }
  const describe = (what: DescribeRequest) => deps.runners.describe(source, what, AbortSignal.any([signal, limit]))
  async function runStep<W extends 'reach' | 'ping' | 'schemas'>(
    step: TestStep['step'],
    what: DescribeRequest & { what: W },
  ) {
    const startedAt = performance.now()
    try {
      const found = (await describe(what)) as DescriptionOf<W>
      steps.push({ step, ms: Math.round(performance.now() - startedAt) })
      return found
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw toTestError(error, step, steps, limit.aborted)
    }
  }
  const host_key = engine.isFileBased ? null : (await runStep('reach', { what: 'reach' })).host_key
  await runStep('sign_in', { what: 'ping' })
  const { schemas } = await runStep('schemas', { what: 'schemas' })
  return { steps, schemas: schemas.length, warnings: await findWarnings(describe), host_key }
}

const warningTexts: Record<AccountPower, string> = {
  superuser: 'The account is a superuser: it can do anything on the server.',
  accounts: 'The account can create accounts or grant permissions.',
  files: 'The account can access files, programs or other servers from the database server.',
  write: 'The account can change data.',
}

/** Permissions of the account beyond reading, where the engine lists them. Failing to list them is not an error. */
async function findWarnings(
  describe: (what: DescribeRequest) => Promise<DescribeResult>,
): Promise<TestReport['warnings']> {
  try {
    const { powers } = (await describe({ what: 'powers' })) as DescriptionOf<'powers'>
    return powers.map((power) => ({ power, message: `${warningTexts[power]} A read-only account is enough.` }))
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

/** Form fields that an error refers to, for drivers that do not report them. */
const fieldsByErrorCode: Partial<Record<ErrorCode, readonly string[]>> = {
  connection_username: ['username'],
  connection_password: ['username', 'password'],
  connection_database: ['database'],
  connection_hostname: ['host'],
}

/**
 * Reports timeouts and servers that are not a database like a refused connection, at the same step, so that a test does not
 * reveal what is behind a firewall.
 */
function toTestError(error: AppError, step: TestStep['step'], steps: TestStep[], isLate: boolean): AppError {
  const invalid = fieldsByErrorCode[error.code]
  const isSilent = isLate || ['query_timeout', 'connection_port_closed', 'connection_failed'].includes(error.code)
  const reported = isSilent && step === 'sign_in' ? { step: 'reach', steps: [] } : { step, steps }
  const details = { ...(invalid && { invalid }), ...error.details, parquetry: reported }
  if (isSilent && error.code !== 'connection_failed')
    return new AppError('connection_failed', { details, cause: error })
  return new AppError(error.code, { message: error.sentence, details, status: error.status, cause: error })
}
