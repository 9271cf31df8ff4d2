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
