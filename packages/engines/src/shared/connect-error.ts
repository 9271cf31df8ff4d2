import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'

const isCertificateError = (code: string): boolean =>
  /^(ERR_TLS_CERT|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|ERR_OSSL_X509)/.test(code)

/**
 * A connection that did not come about, where the server said nothing that its protocol knows. What answered, if anything, is
 * not told, so that a test of a connection is no scanner of a network; only a certificate that does not hold is named.
 */
export function toConnectError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code = '', message: said = '' } = error as { code?: string; message?: string }
  if (isCertificateError(code))
    return new AppError('connection_failed', {
      message: `The server certificate could not be verified: ${said || code}.`,
      details: { invalid: ['server_cert'] },
      cause: error,
    })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new AppError('connection_hostname', { cause: error })
  return new AppError('connection_failed', { cause: error })
}

/** @throws AppError `connection_missing` that names those of `needed` that are missing or empty */
export function requireSettings(settings: Readonly<Record<string, unknown>>, needed: readonly string[]): void {
  const missing = needed.filter((name) => !settings[name])
  if (missing.length > 0)
    throw new AppError('connection_missing', {
      message: message('errors.engines.settingsMissing', 'Connection settings are missing: {names}.', {
        names: missing.join(', '),
      }),
    })
}
