import Type, { type Static } from 'typebox'
import { AnyObject, flag, nullable, openObject, text } from './fields.ts'
import { defineRoute } from './route.ts'

/** Something that a user should know. `kind` selects its text, `parameters` fill it, `path` is the page that it links to. */
export const Notification = openObject({
  uuid: text(),
  kind: text(),
  parameters: AnyObject,
  path: nullable(text()),
  /** ISO text in UTC without a zone. */
  created_on: text(),
  is_read: flag(),
})
export type Notification = Static<typeof Notification>

/** `/api/v1/notification/`: what the caller should know, newest first, at most 50. Older ones are deleted after 90 days. */
export const notificationRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/v1/notification/',
    summary: 'Lists the notifications of the caller',
    body: 'none',
    reply: openObject({ unread: Type.Integer(), result: Type.Array(Notification) }),
    can: 'signed-in',
    object: 'own notifications only',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: [],
  }),
  markRead: defineRoute({
    method: 'POST',
    path: '/api/v1/notification/read',
    summary: 'Marks all notifications of the caller as read',
    body: 'none',
    reply: openObject({ message: text() }),
    can: 'signed-in',
    object: 'own notifications only',
    rate: 'write',
    audit: 'none',
    csrf: 'token',
    errors: 'plain',
    fails: [],
  }),
}
