import { afterEach, expect, it, vi } from 'vitest'

/** Statuses of the API calls after the form was sent. */
let statuses: { me: number; csrfToken: number }
let calls: string[]
afterEach(() => void vi.unstubAllGlobals())

async function signInOnPage(answers: typeof statuses): Promise<unknown> {
  statuses = answers
  calls = []
  vi.stubGlobal('document', { getElementById: () => null, querySelector: () => null })
  vi.stubGlobal(
    'DOMParser',
    class {
      parseFromString = () => ({ getElementById: () => null, querySelector: () => null })
    },
  )
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path)
    if (path === '/api/v1/me/')
      return Response.json({ message: 'The store is not responding.' }, { status: statuses.me })
    if (path === '/api/v1/security/csrf_token/')
      return Response.json({ result: 'token' }, { status: statuses.csrfToken })
    return new Response('')
  })
  const { signIn } = await import('./sign-in.ts')
  return signIn('lara', 'secret').catch((error: unknown) => error)
}

it('regression: a session means that signing in worked, even if no new CSRF token is available', async () => {
  expect(await signInOnPage({ me: 200, csrfToken: 403 })).toBeNull()
  expect(await signInOnPage({ me: 200, csrfToken: 200 })).toBeNull()
  expect(calls).toEqual(['/login/', '/api/v1/me/', '/api/v1/security/csrf_token/'])
})

it('reports a wrong password only if there is no session, and another failure as what it is', async () => {
  expect(await signInOnPage({ me: 401, csrfToken: 200 })).toMatchObject({
    status: 401,
    message: 'Username or password is incorrect.',
  })
  expect(await signInOnPage({ me: 503, csrfToken: 200 })).toMatchObject({
    status: 503,
    message: 'The store is not responding.',
  })
})
