import type { SessionContext } from './driver.ts'

/**
 * What is checked of an encrypted connection. Without an authority of its own, and unless the operator allows it, a server must
 * show a certificate that the machine trusts.
 * @param isVerified  what the settings of the connection ask for by themselves
 */
export const buildTlsOptions = (
  { serverCert, unverifiedTls }: Pick<SessionContext, 'serverCert' | 'unverifiedTls'>,
  isVerified: boolean,
): { ca?: string; rejectUnauthorized: boolean } => ({
  ...(serverCert && { ca: serverCert }),
  rejectUnauthorized: Boolean(serverCert) || isVerified || !unverifiedTls,
})
