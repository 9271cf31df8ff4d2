import Type, { type Static } from 'typebox'
import { id, openObject, text } from './fields.ts'

/** A tag of an object in lists and details. `type` is one of `tagTypes`. */
export const TagSummary = openObject({ id: id(), name: text(), type: Type.Integer() })
export type TagSummary = Static<typeof TagSummary>
