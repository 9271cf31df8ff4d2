import { csrfToken, renewCsrfToken } from './csrf.ts'
import { ApiError, readError } from './errors.ts'
import { t } from './intl.ts'

/**
 * Signs in with the same form that scripts send. The server answers a redirect either way, so the session itself is asked
 * whether it worked.
 * @throws ApiError with the sentence for the form
 */
export async function signIn(username: string, password: string): Promise<void> {
  const response = await fetch('/login/', {
    method: 'POST',
    redirect: 'manual',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams({ username, password, csrf_token: csrfToken() }),
  }).catch(() => {
    throw new ApiError(0, t('signIn.noAnswer', 'The server did not answer. Try again.'))
  })
  if (response.type !== 'opaqueredirect' && !response.ok) {
    const body: unknown = await response.json().catch(() => null)
    if (response.status !== 401 && body !== null) throw readError(response.status, response.statusText, body)
    throw wrong()
  }
  const me = await fetch('/api/v1/me/')
  if (!me.ok) throw wrong()
  await renewCsrfToken()
}

const wrong = (): ApiError => new ApiError(401, t('signIn.wrong', 'User name or password is wrong.'))
