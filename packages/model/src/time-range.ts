import Type from 'typebox'
import { openObject } from './fields.ts'
import { defineRoute } from './route.ts'

/** A resolved time range: ISO texts without a zone; empty for an open side. */
export interface ActualRange {
  since: string
  until: string
}

/** `q` is one range text, or a list of `{timeRange, shift?}` (since 4.1). */
export const timeRangeRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/time_range/',
  summary: 'Returns the start and end that a time range currently resolves to',
  rison: Type.Unsafe<string | { timeRange: string; shift?: string }[]>({}),
  body: 'none',
  reply: openObject({ result: Type.Unsafe<ActualRange | ActualRange[]>({ type: ['object', 'array'] }) }),
  can: ['can_time_range', 'Api'],
  object: 'none',
  rate: 'read',
  audit: 'none',
  csrf: 'none',
  errors: 'plain-legacy',
  fails: ['bad_request'],
})
