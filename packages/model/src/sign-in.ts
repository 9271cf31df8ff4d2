import Type from 'typebox'
import { defineRoute } from './route.ts'

const pageRoute = {
  reply: 'page',
  can: 'anyone',
  object: 'none',
  csrf: 'none',
  errors: 'plain',
} as const

const show = { ...pageRoute, method: 'GET', body: 'none', rate: 'read', audit: 'none', fails: [] } as const
/** The form has its own CSRF token, bound to the browser's cookie; an invalid token leads back to the form. */
const send = { ...pageRoute, method: 'POST', body: 'form', rate: 'sign-in', fails: ['too_many'] } as const

const next = Type.Object({ next: Type.Optional(Type.String()) })
const link = Type.Object({ token: Type.String() })

/** Sign-in page. The form's fields are `username`, `password`, `csrf_token`; `next` is a local path. */
export const signInPage = defineRoute({ ...show, path: '/login/', summary: 'Shows the sign-in page', query: next })
export const signIn = defineRoute({
  ...send,
  path: '/login/',
  summary: 'Signs in with the form on the sign-in page',
  query: next,
  audit: 'sign-in',
})
export const signOut = defineRoute({ ...show, path: '/logout/', summary: 'Ends the session', audit: 'sign-out' })

/**
 * "Set your password" by a one-time link. The page reads `common.one_time_link: { username }` from its boot data; its form posts
 * `password` and `csrf_token` to the same address and leads to Home, signed in. An expired link leads to the sign-in page with a
 * message.
 */
export const oneTimeLinkPage = defineRoute({
  ...show,
  path: '/login/link/:token/',
  summary: 'Shows the page of a one-time link',
  params: link,
})
export const redeemOneTimeLink = defineRoute({
  ...send,
  path: '/login/link/:token/',
  summary: 'Sets a password with a one-time link and signs in',
  params: link,
  audit: 'sign-in by link',
})

/**
 * Page on which an invited person chooses a username and a password. It reads `common.invitation` from its boot data:
 * `{ username, first_name, last_name, email }`.
 */
export const invitationPage = defineRoute({
  ...show,
  path: '/invitation/:token/',
  summary: 'Shows the page of an invitation',
  params: link,
})
