import { expect, it } from 'vitest'
import { AppError, fromWire, toWire } from './errors.ts'
import { message } from './message.ts'
import { createTranslator } from './translate.ts'

const tooLong = message('errors.test.tooLong', 'Use at most {max, number} characters.', { max: 1024 })
const translate = createTranslator({
  locale: 'de',
  messages: { 'errors.test.tooLong': 'Höchstens {max, number} Zeichen.' },
})

it('translates messages and field errors, also in nested lists', () => {
  const fields = { items: [{ name: [tooLong] }, 'Not a valid list.'], name: tooLong }
  const error = new AppError('invalid_payload', { message: tooLong, fields })
  const english = 'Use at most 1,024 characters.'
  expect(error.message).toBe(english)
  expect(error.fields).toEqual({ items: [{ name: [english] }, 'Not a valid list.'], name: english })
  const german = 'Höchstens 1.024 Zeichen.'
  expect(error.translate(translate).message).toBe(german)
  expect(error.translate(translate).fields).toEqual({ items: [{ name: [german] }, 'Not a valid list.'], name: german })
})

it('keeps the id and values of a message between processes, and none of a message that replaced it', () => {
  const received = fromWire(toWire(new AppError('bad_request', { message: tooLong })))
  expect(received.translate(translate).message).toBe('Höchstens 1.024 Zeichen.')
  expect(toWire(received.wrap({ message: 'The query failed.' })).text).toBeUndefined()
})

it('translates a message inside another one, and messages among the details', () => {
  const failed = message('errors.test.failed', 'Error: {reason}', { reason: tooLong })
  const detailMessages = { 'charts/a.yaml': { name: [tooLong, 'required'] } }
  const error = new AppError('unprocessable', { message: failed, details: { statement: 1 }, detailMessages })
  const english = 'Use at most 1,024 characters.'
  expect(error.message).toBe(`Error: ${english}`)
  expect(error.details).toEqual({ statement: 1, 'charts/a.yaml': { name: [english, 'required'] } })
  const received = fromWire(toWire(error))
    .wrap({ details: { statement: 2 } })
    .translate(translate)
  const german = 'Höchstens 1.024 Zeichen.'
  expect(received.message).toBe(`Error: ${german}`)
  expect(received.details).toEqual({ statement: 2, 'charts/a.yaml': { name: [german, 'required'] } })
})
