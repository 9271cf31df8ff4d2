import { ApiError, parseErrorResponse } from '@parquetry/client'
import type { SecondStep } from '@parquetry/model'
import type { Boot } from '@parquetry/model/boot'
import { csrfToken, renewCsrfToken, setCsrfToken } from './csrf.ts'
import { t } from './intl.ts'

/**
 * Signs in with the same form that scripts post. Only the session tells whether it worked; without one, the sign-in page provides
 * the message.
 * @returns the second step that the account needs; null when the user is signed in
 * @throws ApiError with the message for the form
 */
export async function signIn(username: string, password: string): Promise<SecondStep | null> {
  try {
    const refusal = await sendForm(username, password)
    if (!refusal) return null
    let page = await readPage(refusal)
    // The form was outdated because its cookie no longer exists: the page just read has a new one.
    if (page.message?.[0] === 'warning' && page.csrf !== '') {
      setCsrfToken(page.csrf)
      const again = await sendForm(username, password)
      if (!again) return null
      page = await readPage(again)
    }
    if (page.step) {
      setCsrfToken(page.csrf)
      return page.step
    }
    throw new ApiError(401, page.message?.[1] ?? t('signIn.wrong', 'Username or password is incorrect.'))
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(0, t('signIn.noAnswer', 'The server did not respond. Try again.'))
  }
}

/** Returns the page with the reason of a failure; undefined on success. */
async function sendForm(username: string, password: string): Promise<Response | undefined> {
  const response = await fetch('/login/', {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ username, password, csrf_token: csrfToken() }),
  })
  // Too many attempts return the page itself, all other failures a redirect to it.
  if (response.status === 429) return response
  const me = await fetch('/api/v1/me/')
  if (me.status === 401) return fetch('/login/')
  if (!me.ok) throw await parseErrorResponse(me)
  // If this fails, the first call that changes data renews the token.
  await renewCsrfToken()
  return undefined
}

interface ReadPage {
  csrf: string
  message: [category: string, text: string] | undefined
  step: SecondStep | undefined
}

async function readPage(response: Response): Promise<ReadPage> {
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const boot = JSON.parse(page.getElementById('boot')?.textContent ?? '{}') as Partial<Boot>
  return {
    csrf: page.querySelector<HTMLInputElement>('#csrf_token')?.value ?? '',
    message: boot.common?.flash_messages[0],
    step: boot.common?.['second_factor'] as SecondStep | undefined,
  }
}
