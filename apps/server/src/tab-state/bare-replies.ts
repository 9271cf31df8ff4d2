import type { FastifyReply } from 'fastify'

/** The API's response for objects of other users: a status and an empty body. */
export const sendEmpty = (reply: FastifyReply, status: 403 | 404): FastifyReply =>
  reply.code(status).type('text/html; charset=utf-8').send('')

/** A bare JSON value: an id, or "OK". */
export const sendBareJson = (reply: FastifyReply, value: number | 'OK'): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(value))
