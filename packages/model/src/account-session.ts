import Type, { type Static } from 'typebox'
import { ById } from './resource.ts'
import { openObject } from './fields.ts'
import { defineRoute } from './route.ts'

/** A place where a user is signed in. Times are ISO text in UTC without a zone. */
export const AccountSession = openObject({
  id: Type.String(),
  kind: Type.Unsafe<'browser' | 'api'>({ type: 'string', enum: ['browser', 'api'] }),
  /** Header of the browser or program; null for sessions of earlier versions. */
  user_agent: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  created_on: Type.String(),
  /** Accurate to a minute. */
  last_seen_on: Type.String(),
  expires_on: Type.String(),
  /** The session of this request. */
  is_current: Type.Boolean(),
})
export type AccountSession = Static<typeof AccountSession>

const SessionList = openObject({ count: Type.Integer(), result: Type.Array(AccountSession) })
const EndedSessions = openObject({ message: Type.String(), count: Type.Integer() })
const BySession = Type.Object({ session: Type.String() })

const read = { method: 'GET', body: 'none', rate: 'read', audit: 'none', csrf: 'none', errors: 'plain' } as const
const end = {
  method: 'DELETE',
  body: 'none',
  rate: 'write',
  audit: 'session.end',
  csrf: 'token',
  errors: 'plain',
  reply: EndedSessions,
} as const
const own = { can: 'signed-in', object: 'own sessions only', refusesApiKeys: true } as const
const ofUser = { object: 'none: the permission covers all users' } as const

/** Sessions of the caller and, for administrators, of any user. */
export const sessionRoutes = {
  list: defineRoute({
    ...read,
    ...own,
    path: '/api/v1/me/sessions/',
    summary: 'Lists the sessions of the caller, the latest used first',
    reply: SessionList,
    fails: [],
  }),
  end: defineRoute({
    ...end,
    ...own,
    path: '/api/v1/me/sessions/:session',
    summary: 'Ends a session of the caller',
    params: BySession,
    fails: ['not_found'],
  }),
  endOthers: defineRoute({
    ...end,
    ...own,
    path: '/api/v1/me/sessions/',
    summary: 'Ends all sessions of the caller except the one of this request',
    fails: [],
  }),
  userList: defineRoute({
    ...read,
    ...ofUser,
    path: '/api/v1/security/users/:id/sessions/',
    summary: 'Lists the sessions of a user, the latest used first',
    params: ById,
    reply: SessionList,
    can: ['can_get', 'User'],
    fails: ['not_found'],
  }),
  userEnd: defineRoute({
    ...end,
    ...ofUser,
    path: '/api/v1/security/users/:id/sessions/:session',
    summary: 'Ends a session of a user',
    params: Type.Object({ id: Type.Integer(), session: Type.String() }),
    can: ['can_put', 'User'],
    fails: ['not_found', 'forbidden'],
  }),
  userEndAll: defineRoute({
    ...end,
    ...ofUser,
    path: '/api/v1/security/users/:id/sessions/',
    summary: 'Ends all sessions of a user except the one of this request',
    params: ById,
    can: ['can_put', 'User'],
    fails: ['not_found', 'forbidden'],
  }),
}
