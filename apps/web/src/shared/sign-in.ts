import type { Boot } from '@parquetry/model/boot'
import { csrfToken, renewCsrfToken, setCsrfToken } from './csrf.ts'
import { ApiError } from './errors.ts'
import { t } from './intl.ts'

/**
 * Signs in with the same form that scripts send. The server answers with a redirect either way, so the session is asked whether
 * it worked, and the sign-in page for the sentence when it did not.
 * @throws ApiError with the sentence for the form
 */
export async function signIn(username: string, password: string): Promise<void> {
  try {
    if (await sendForm(username, password)) return
    const page = await readSignInPage()
    // The form was too old, because the cookie that it belongs to is gone: the page just read has a new one.
    const again = page.message?.[0] === 'warning' && page.csrf !== ''
    if (again) {
      setCsrfToken(page.csrf)
      if (await sendForm(username, password)) return
    }
    const message = again ? (await readSignInPage()).message : page.message
    throw new ApiError(401, message?.[1] ?? t('signIn.wrong', 'User name or password is wrong.'))
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(0, t('signIn.noAnswer', 'The server did not answer. Try again.'))
  }
}

async function sendForm(username: string, password: string): Promise<boolean> {
  await fetch('/login/', {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ username, password, csrf_token: csrfToken() }),
  })
  const me = await fetch('/api/v1/me/')
  return me.ok && (await renewCsrfToken())
}

async function readSignInPage(): Promise<{ csrf: string; message: [category: string, text: string] | undefined }> {
  const page = new DOMParser().parseFromString(await (await fetch('/login/')).text(), 'text/html')
  const boot = JSON.parse(page.getElementById('boot')?.textContent ?? '{}') as Partial<Boot>
  return {
    csrf: page.querySelector<HTMLInputElement>('#csrf_token')?.value ?? '',
    message: boot.common?.flash_messages[0],
  }
}

/** Where to go after signing in: an address of our own, else home. */
export const localAddress = (next: string | undefined): string =>
  next && /^\/(?![/\\])/.test(next) ? next : '/superset/welcome/'
