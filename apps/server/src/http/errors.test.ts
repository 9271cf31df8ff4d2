import { AppError, englishTranslator } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { defaultConfig } from '../settings/config.ts'
import { errorTranslator } from '../settings/messages.ts'
import { errorBody, typedError } from './errors.ts'
import { takeFlash } from './flash.ts'

const settings = { config: { ...defaultConfig, BABEL_DEFAULT_LOCALE: 'en_XA' } }

it('writes the message and the issue codes of an error in the language of the server', () => {
  const error = new AppError('connection_port_closed')
  expect(typedError(error, englishTranslator)).toMatchObject({
    message: 'The port is closed.',
    extra: { issue_codes: [{ code: 1008, message: 'Issue 1008 - The port is closed.' }] },
  })
  const { message, extra } = typedError(error, errorTranslator(settings))
  expect(message).toMatch(/^⟦Thé pört îs çlöséd/)
  expect(JSON.stringify(extra)).toContain('Îssûé 1008 - ⟦Thé pört')
})

it('writes a refusal of a legacy route in the language of the server', () => {
  expect(errorBody(new AppError('forbidden'), 'legacy', errorTranslator(settings))).toMatchObject({
    message: expect.stringMatching(/^⟦Åççéss îs Dé/) as string,
  })
})

it('shows the message of a redirect in the language of the server', () => {
  const request = { headers: { cookie: 'flash=wrong' } } as FastifyRequest
  const reply = { header: () => reply } as unknown as FastifyReply
  expect(takeFlash(request, reply, settings)).toEqual([['danger', expect.stringMatching(/^⟦Ûsérñåmé/) as string]])
})
