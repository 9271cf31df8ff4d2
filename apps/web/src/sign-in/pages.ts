import { definePage } from '../shared/page.ts'

export const signInPage = definePage({
  name: 'signIn',
  frame: 'bare',
  search: ({ next }) => ({ next }),
  load: async () => (await import('./SignInPage.tsx')).SignInPage,
})

/** Page of a one-time link. */
export const passwordPage = definePage({
  name: 'password',
  frame: 'bare',
  load: async () => (await import('./PasswordPage.tsx')).PasswordPage,
})

export const invitationPage = definePage({
  name: 'invitation',
  frame: 'bare',
  load: async () => (await import('./InvitationPage.tsx')).InvitationPage,
})

export const pages = [signInPage, passwordPage, invitationPage]
