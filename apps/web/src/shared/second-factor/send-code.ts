import { api } from '../api.ts'
import { renewCsrfToken } from '../csrf.ts'

/**
 * Completes a sign-in with the code of the second factor.
 * @returns recovery codes, if this code has activated the second factor
 */
export async function sendCode(code: string): Promise<readonly string[] | undefined> {
  const { recovery_codes } = await api.post('/api/v1/security/second_step', { body: { code }, quiet: true })
  await renewCsrfToken()
  return recovery_codes
}
