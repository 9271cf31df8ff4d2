import Type, { type Static } from 'typebox'
import { AnyObject, flag, nullable, openObject, text } from './fields.ts'
import { defineRoute } from './route.ts'

/**
 * Kinds of notifications with their parameters. All have `name` and `type` of a report.
 * - `report_may_have_been_sent`: `recipients`, at most 20, to whom it may have been sent
 * - `report_failed`: `failures`, the number of runs that failed in a row, and `reason` of the last one
 * - `report_stopped`: the account whose rights it used was deactivated or deleted, so it was switched off
 */
export const notificationKinds = ['report_may_have_been_sent', 'report_failed', 'report_stopped'] as const
export type NotificationKind = (typeof notificationKinds)[number]

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
    audit: 'notification.read',
    csrf: 'token',
    errors: 'plain',
    fails: [],
  }),
}
