import Type from 'typebox'
import { openObject } from './fields.ts'
import { defineRoute } from './route.ts'
import { jsonField } from './form.ts'

/**
 * `/kv/`, with the flag KV_STORE: links to unsaved SQL. Anyone with the key can read the text, so keys are random, never
 * sequential.
 */
export const kvRoutes = {
  store: defineRoute({
    method: 'POST',
    path: '/kv/store/',
    summary: 'Stores a JSON value (form field `data`) under a new key',
    body: 'form',
    form: Type.Object({ data: jsonField(Type.Unknown()) }),
    reply: openObject({ id: Type.Integer() }),
    can: ['can_store', 'KV'],
    object: 'none',
    rate: 'write',
    audit: 'kv.store',
    csrf: 'token',
    errors: 'legacy',
    fails: ['bad_request', 'not_found'],
  }),
  value: defineRoute({
    method: 'GET',
    path: '/kv/:key/',
    summary: 'Returns the JSON value of a key',
    params: Type.Object({ key: Type.Integer() }),
    body: 'none',
    /** The stored text as received: JSON of any shape. */
    reply: Type.Unknown(),
    can: ['can_get_value', 'KV'],
    object: 'callers who have the key',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'legacy',
    fails: ['not_found'],
  }),
}
