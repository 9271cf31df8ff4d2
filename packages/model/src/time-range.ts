import Type from 'typebox'
import { answer } from './fields.ts'
import { defineRoute } from './route.ts'

/** `q` is one range text, or a list of `{timeRange, shift?}` (4.1 on). */
export const timeRangeRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/time_range/',
  summary: 'Start and end that a range text means now',
  rison: Type.Unknown(),
  body: 'none',
  reply: answer({ result: Type.Unknown() }),
  can: ['can_time_range', 'Api'],
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain',
  fails: ['bad_request'],
})
