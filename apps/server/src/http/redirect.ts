import type { FastifyReply } from 'fastify'

/** A redirect with a body for clients that do not follow it. */
export const redirect = (reply: FastifyReply, to: string): FastifyReply =>
  reply
    .code(302)
    .header('Location', to)
    .type('text/html; charset=utf-8')
    .send('<!doctype html><title>Redirecting...</title>')
