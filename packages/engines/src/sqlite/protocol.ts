import type { Frame } from '@parquetry/frame'
import type { Describe, Described, Limits, Value, WireError } from '@parquetry/model'
import type { CheckedFile } from './reader.ts'

/** One question at a time; each has one answer. */
export type ToChild =
  | { ask: 'open'; file: CheckedFile }
  | { ask: 'begin'; text: string; values: Value[]; limits: Pick<Limits, 'cellBytes'> }
  | { ask: 'next'; rows: number }
  | { ask: 'drop' }
  | { ask: 'describe'; what: Describe }

export type FromChild = { frame: Frame } | { described: Described } | { done: true } | { error: WireError }
