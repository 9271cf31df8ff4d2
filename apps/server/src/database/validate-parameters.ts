import { engineOf } from '@parquetry/engines'
import { AppError, type DatabaseParameters } from '@parquetry/model'
import { connect } from 'node:net'
import { typedError } from '../http/errors.ts'
import { checkHost } from './outgoing.ts'

type Entry = ReturnType<typeof typedError> | (Omit<ReturnType<typeof typedError>, 'level'> & { level: 'warning' })

const required = ['database', 'host', 'port', 'username'] as const
const timeoutMs = 5000

const opens = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })

const failed = (code: 'connection_hostname' | 'connection_port_closed', field: string): Entry =>
  typedError(new AppError(code, { details: { invalid: [field] } }))

/**
 * What is wrong with the fields of the connection form, as entries of the typed body; none when nothing is. Says no more of
 * a host than that its name is unknown or its port closed.
 */
export async function parameterErrors(body: Partial<DatabaseParameters>): Promise<Entry[]> {
  const absent = (['configuration_method', 'engine'] as const).filter((field) => typeof body[field] !== 'string')
  if (absent.length > 0)
    return absent.map((field) =>
      typedError(
        new AppError('invalid_payload', { message: 'Missing data for required field.', details: { invalid: [field] } }),
      ),
    )
  const engine = engineOf(String(body.engine))
  if (!engine)
    return [
      typedError(
        new AppError('unsupported', { message: `Engine "${body.engine}" cannot be configured through parameters.` }),
      ),
    ]
  if (engine.kind === 'embedded') return []
  const parameters = body.parameters ?? {}
  const missing = required.filter(
    (field) => parameters[field] === undefined || parameters[field] === null || parameters[field] === '',
  )
  if (missing.length > 0) {
    const message = `One or more parameters are missing: ${missing.join(', ')}`
    return [{ ...typedError(new AppError('connection_missing', { message, details: { missing } })), level: 'warning' }]
  }
  const host = String(parameters['host'])
  const port = Number(parameters['port'])
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return [
      typedError(
        new AppError('invalid_payload', {
          message: 'Port must be between 1 and 65535.',
          details: { invalid: ['port'] },
        }),
      ),
    ]
  try {
    await checkHost(host)
  } catch (error) {
    if (error instanceof AppError) return [failed('connection_hostname', 'host')]
    throw error
  }
  return (await opens(host, port)) ? [] : [failed('connection_port_closed', 'port')]
}
