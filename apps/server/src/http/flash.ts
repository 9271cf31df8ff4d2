import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.ts'
import { parseCookies } from './cookies.ts'

/**
 * Messages that a redirect can show once on the next page. The cookie contains only the code, so that the text cannot be forged.
 */
const texts = {
  wrong: ['danger', 'Username or password is incorrect.'],
  stale: ['warning', 'The page was open for too long. Try again.'],
  denied: ['danger', 'You do not have access to this page.'],
  'link-over': [
    'danger',
    'This link was already used or has expired. An administrator can create a new one with: parquetry user link NAME',
  ],
  'password-short': ['danger', 'The password must have at least 8 characters.'],
  'password-long': ['danger', 'The password must have at most 1024 characters.'],
  'password-weak': ['danger', 'This password is too easy to guess. Choose another one.'],
} as const satisfies Record<string, [category: string, text: string]>

export type Flash = keyof typeof texts

export const setFlash = (reply: FastifyReply, { baseUrl }: Pick<Settings, 'baseUrl'>, code: Flash): void => {
  const secure = baseUrl?.startsWith('https:') ? '; Secure' : ''
  reply.header('Set-Cookie', `flash=${code}; Path=/; HttpOnly; SameSite=Lax; Max-Age=60${secure}`)
}

/** Returns the message of the last redirect once. */
export function takeFlash(request: FastifyRequest, reply: FastifyReply): [category: string, text: string][] {
  const code = parseCookies(request).get('flash') ?? ''
  if (!Object.hasOwn(texts, code)) return []
  reply.header('Set-Cookie', 'flash=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  return [[...texts[code as Flash]]]
}
