import type { Frame } from '@parquetry/frame'
import type { DescribeRequest, DescribeResult, Limits, Value, WireError } from '@parquetry/model'
import type { CheckedFile } from './reader.ts'

/** Requests are sent one at a time; each has one response. */
export type ChildRequest =
  | { ask: 'open'; file: CheckedFile }
  | { ask: 'begin'; text: string; values: Value[]; limits: Pick<Limits, 'cellBytes'> }
  | { ask: 'next'; rows: number }
  | { ask: 'drop' }
  | { ask: 'describe'; what: DescribeRequest }

export type ChildResponse = { frame: Frame } | { described: DescribeResult } | { done: true } | { error: WireError }
