import type { SessionContext } from './driver.ts'

/**
 * Checks of an encrypted connection. Without its own certificate authority, and unless the operator allows otherwise, the server
 * must present a certificate that this machine trusts.
 * @param isVerified  the settings of the connection require verification themselves
 */
export const buildTlsOptions = (
  { serverCert, unverifiedTls }: Pick<SessionContext, 'serverCert' | 'unverifiedTls'>,
  isVerified: boolean,
): { ca?: string; rejectUnauthorized: boolean } => ({
  ...(serverCert && { ca: serverCert }),
  rejectUnauthorized: Boolean(serverCert) || isVerified || !unverifiedTls,
})
