import Type from 'typebox'
import { openObject } from './fields.ts'
import { defineRoute } from './route.ts'

/** A resolved time range: ISO texts without a zone; empty for an open side. */
export interface ActualRange {
  since: string
  until: string
  /** The text that was resolved. */
  timeRange: string
  /** In answers to a list: the shift of the entry; null without one. */
  shift?: string | null
}

/** `q` is one range text, answered with an object, or a list of `{timeRange, shift?}` (since 4.1), answered with a list. */
export const timeRangeRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/time_range/',
  summary: 'Returns the start and end that a time range currently resolves to',
  rison: Type.Unsafe<string | { timeRange: string; shift?: string | null }[]>({}),
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
