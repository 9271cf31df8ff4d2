import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'

const isCertificateError = (code: string): boolean =>
  /^(ERR_TLS_CERT|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|ERR_OSSL_X509)/.test(code)

/**
 * Converts the error of a connection that failed without a server message of its protocol. The response, if any, is not revealed,
 * so that connection tests cannot scan a network; only an invalid certificate or an unknown host name is reported.
 */
export function toConnectError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code = '', message: reason = '' } = error as { code?: string; message?: string }
  if (isCertificateError(code))
    return new AppError('connection_failed', {
      message: message('errors.engines.certificate', 'The server certificate could not be verified: {reason}.', {
        reason: reason || code,
      }),
      details: { invalid: ['server_cert'] },
      cause: error,
    })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new AppError('connection_hostname', { cause: error })
  return new AppError('connection_failed', { cause: error })
}

/** @throws AppError `connection_missing` with the names of the `needed` settings that are missing or empty */
export function requireSettings(settings: Readonly<Record<string, unknown>>, needed: readonly string[]): void {
  const missing = needed.filter((name) => !settings[name])
  if (missing.length > 0)
    throw new AppError('connection_missing', {
      message: message('errors.engines.settingsMissing', 'Connection settings are missing: {names}.', {
        names: missing.join(', '),
      }),
    })
}
