import { message, translateMessage, type Message } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorTranslator } from '../settings/messages.ts'
import type { Settings } from '../settings/settings.ts'
import { parseCookies } from './cookies.ts'

/**
 * Messages that a redirect can show once on the next page. The cookie contains only the code, so that the text cannot be forged.
 */
const messages = {
  wrong: ['danger', message('errors.signIn.wrong', 'Username or password is incorrect.')],
  stale: ['warning', message('errors.signIn.stale', 'The page was open for too long. Try again.')],
  denied: ['danger', message('errors.signIn.denied', 'You do not have access to this page.')],
  'link-over': [
    'danger',
    message('errors.signIn.linkOver', 'This link was already used or has expired. Ask an administrator for a new one.'),
  ],
  'password-short': ['danger', message('errors.signIn.passwordShort', 'The password is too short. Use a longer one.')],
  'password-long': [
    'danger',
    message('errors.security.passwordLong', 'The password must have at most 1024 characters.'),
  ],
  'password-weak': [
    'danger',
    message('errors.security.passwordWeak', 'This password is too easy to guess. Choose another one.'),
  ],
} satisfies Record<string, [category: string, text: Message]>

export type Flash = keyof typeof messages

export const setFlash = (reply: FastifyReply, { baseUrl }: Pick<Settings, 'baseUrl'>, code: Flash): void => {
  const secure = baseUrl?.startsWith('https:') ? '; Secure' : ''
  reply.header('Set-Cookie', `flash=${code}; Path=/; HttpOnly; SameSite=Lax; Max-Age=60${secure}`)
}

/** Returns the message of the last redirect once. */
export function takeFlash(
  request: FastifyRequest,
  reply: FastifyReply,
  settings: Pick<Settings, 'config'>,
): [category: string, text: string][] {
  const code = parseCookies(request).get('flash') ?? ''
  if (!Object.hasOwn(messages, code)) return []
  reply.header('Set-Cookie', 'flash=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  const [category, text] = messages[code as Flash]
  return [[category, translateMessage(text, errorTranslator(settings))]]
}
