import { ApiError } from '@parquetry/client'
import { expect, it } from 'vitest'
import { fieldErrors } from './field-errors.ts'

const failed = (error_type: string, extra: object) =>
  new ApiError(422, 'x', [{ message: 'Port closed', error_type, level: 'error', extra: { ...extra } }])
const required = 'This is a required field'

it('DB-003: assigns a message to the fields that it names', () => {
  const error = failed('CONNECTION_PORT_CLOSED_ERROR', { invalid: ['host', 'port'] })
  expect(fieldErrors(error, false, required)).toEqual({ host: 'Port closed', port: 'Port closed' })
})

it('DB-005, DB-006: reports missing or refused values only when the user requested the check', () => {
  const missing = failed('CONNECTION_MISSING_PARAMETERS_ERROR', { missing: ['username'] })
  const denied = failed('CONNECTION_ACCESS_DENIED_ERROR', { invalid: ['username', 'password'] })
  expect([fieldErrors(missing, false, required), fieldErrors(denied, false, required)]).toEqual([{}, {}])
  expect(fieldErrors(missing, true, required)).toEqual({ username: required })
  expect(fieldErrors(denied, true, required)).toEqual({ username: 'Port closed', password: 'Port closed' })
})
