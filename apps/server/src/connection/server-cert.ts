import { secretMask } from '@parquetry/engines'
import { message } from '@parquetry/model'
import { X509Certificate } from 'node:crypto'
import { invalidPayload } from '../http/writing.ts'

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * Reads `server_cert` of a body: one or several PEM certificates. The stored one remains when it is omitted or masked; null and
 * an empty text remove it.
 * @throws AppError `invalid_payload` for anything else, including a private key
 */
export function readServerCert(value: string | null | undefined, stored: string | null): string | null {
  if (value === undefined || value === secretMask) return stored
  const text = (value ?? '').trim()
  if (text === '') return null
  const found = text.match(block) ?? []
  const rest = text.replace(block, '').trim()
  try {
    if (found.length === 0 || rest !== '') throw new Error('no certificate, or more than certificates')
    for (const pem of found) new X509Certificate(pem)
  } catch {
    throw invalidPayload({ server_cert: [message('errors.connection.certificate', 'Invalid certificate')] })
  }
  return found.join('\n')
}
