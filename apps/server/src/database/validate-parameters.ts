import { engineOf } from '@parquetry/engines'
import { AppError, type DatabaseParameters, message, type Message } from '@parquetry/model'
import { connect } from 'node:net'
import { errorTranslator } from '../settings/messages.ts'
import type { Settings } from '../settings/settings.ts'
import { typedError } from '../http/errors.ts'
import { resolveOutgoing, outgoingPolicy } from '../runners/outgoing.ts'
import { noParametersMessage, missingParametersMessage } from '../connection/connection.ts'
import { requiredParameters } from '../connection/parameters.ts'

type ParameterError =
  | ReturnType<typeof typedError>
  | (Omit<ReturnType<typeof typedError>, 'level'> & { level: 'warning' })

const timeoutMs = 5000

const invalidPort = message('errors.connection.port', 'The port must be between 1 and 65535.')

/** Refused, filtered and lost connections are not distinguished. */
const isPortOpen = (host: string, port: number): Promise<boolean> =>
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

const invalidParameters = (text: Message, ...invalid: string[]): AppError =>
  new AppError('invalid_payload', { message: text, details: { invalid } })

/**
 * Errors in the fields of the connection form, as entries of the typed body; empty when there are none. Reveals no more about a
 * host than that its name is unknown, that it may not be reached, or that its port is closed.
 */
export async function validateParameters(
  body: Partial<DatabaseParameters>,
  settings: Settings,
): Promise<ParameterError[]> {
  const toParameterError = (error: AppError): ParameterError => typedError(error, errorTranslator(settings))
  const absent = (['configuration_method', 'engine'] as const).filter((field) => typeof body[field] !== 'string')
  if (absent.length > 0) {
    const text = message('errors.fields.missing', 'Missing data for required field.')
    return absent.map((field) => toParameterError(invalidParameters(text, field)))
  }
  const engine = engineOf(String(body.engine))
  if (!engine) {
    const text = noParametersMessage(String(body.engine))
    return [toParameterError(new AppError('unsupported', { message: text }))]
  }
  const parameters = body.parameters ?? {}
  const missing = requiredParameters(engine).filter(
    (field) => parameters[field] === undefined || parameters[field] === null || parameters[field] === '',
  )
  if (missing.length > 0) {
    const error = new AppError('connection_missing', {
      message: missingParametersMessage(missing),
      details: { missing },
    })
    return [{ ...toParameterError(error), level: 'warning' }]
  }
  if (engine.kind === 'embedded' || parameters['host'] === undefined) return []
  const port = Number(parameters['port'])
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return [toParameterError(invalidParameters(invalidPort, 'port'))]
  // Only the SSH server can resolve the host of a tunnelled connection.
  if (body.ssh_tunnel || parameters['ssh'] === true) return []
  try {
    const [address = ''] = await resolveOutgoing(String(parameters['host']), outgoingPolicy(settings))
    if (await isPortOpen(address, port)) return []
    return [toParameterError(new AppError('connection_port_closed', { details: { invalid: ['port'] } }))]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return [toParameterError(new AppError(error.code, { message: error.sentence, details: { invalid: ['host'] } }))]
  }
}
