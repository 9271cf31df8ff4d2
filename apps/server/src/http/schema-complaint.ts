import type { TSchema } from 'typebox'

/** Placeholder until the recorded wording is written: names the first thing that does not fit. */
export const schemaComplaint = (_schema: TSchema, value: unknown): string => JSON.stringify(value)
