import Type, { type Static } from 'typebox'
import { body, emailAddress, optional, row, text } from './fields.ts'
import { readingRoutes, writingRoutes } from './resource.ts'

const name = () => text(1, 64)

export const UserRegistrationPost = body({
  username: text(1, 250),
  first_name: name(),
  last_name: name(),
  email: emailAddress(),
})
export type UserRegistrationPost = Static<typeof UserRegistrationPost>

export const UserRegistrationPut = body({
  username: optional(text(1, 250)),
  first_name: optional(name()),
  last_name: optional(name()),
  email: optional(emailAddress()),
})
export type UserRegistrationPut = Static<typeof UserRegistrationPut>

const Registration = row({
  id: Type.Integer(),
  username: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  registration_date: Type.String(),
})

const part = {
  name: 'user_registration',
  view: 'UserRegistrationsRestAPI',
  path: 'security/user_registrations',
  permissions: {
    list: 'can_list',
    item: 'can_show',
    info: 'can_list',
    create: 'can_add',
    update: 'can_edit',
    remove: 'can_delete',
  },
} as const

/** `/api/v1/security/user_registrations/`: people who asked for an account and have no account yet. */
export const userRegistrationRoutes = (() => {
  const { list, item, info } = readingRoutes({ ...part, listed: Registration, detail: Registration })
  return { list, item, info, ...writingRoutes({ ...part, post: UserRegistrationPost, put: UserRegistrationPut }) }
})()
