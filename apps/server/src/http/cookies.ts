import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../settings/settings.ts'

/** Cookies of a request; the first of each name counts. */
export function parseCookies(request: FastifyRequest): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const separator = part.indexOf('=')
    const name = part.slice(0, separator).trim()
    if (separator > 0 && !cookies.has(name)) cookies.set(name, part.slice(separator + 1).trim())
  }
  return cookies
}

/** Sets the `session` cookie; an empty value removes it. Secure when the server is reached over HTTPS. */
export function setSessionCookie(reply: FastifyReply, { baseUrl }: Pick<Settings, 'baseUrl'>, value: string): void {
  const parts = [`session=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (baseUrl?.startsWith('https:')) parts.push('Secure')
  if (value === '') parts.push('Max-Age=0')
  reply.header('Set-Cookie', parts.join('; '))
}
