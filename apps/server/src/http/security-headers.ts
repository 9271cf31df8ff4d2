import type { FastifyInstance } from 'fastify'
import type { Settings } from '../settings/settings.ts'

/**
 * Content security policy of a page; each response has a new nonce.
 * @param images   other hosts that images may come from
 * @param domains  other hosts of this server that the page may call
 */
export const contentSecurityPolicy = (
  nonce: string,
  images: readonly string[] = [],
  domains: readonly string[] = [],
): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...images].join(' '),
    "worker-src 'self' blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...domains].join(' '),
    "form-action 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Policy of responses other than pages: opened in a browser they can do nothing. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

export function addSecurityHeaders(http: FastifyInstance, { baseUrl }: Pick<Settings, 'baseUrl'>): void {
  const transport = baseUrl?.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
  const headers = {
    ...transport,
    'Content-Security-Policy': dataPolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  }
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
