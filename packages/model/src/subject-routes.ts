import Type from 'typebox'
import { nullable, row, UserSummary } from './fields.ts'
import { readingRoutes } from './resource.ts'

const summary = {
  id: Type.Integer(),
  uuid: Type.String(),
  label: Type.String(),
  secondary_label: Type.String(),
  /** 1 user, 2 role, 3 group. */
  type: Type.Integer(),
  /** Whether a user may sign in; null for roles and groups. */
  active: nullable(Type.Boolean()),
  extra_search: Type.String(),
  img: nullable(Type.String()),
  user_id: nullable(Type.Integer()),
  role_id: nullable(Type.Integer()),
  group_id: nullable(Type.Integer()),
  created_on: Type.String(),
  changed_on: Type.String(),
  changed_by: nullable(UserSummary),
}

const Detail = row({
  ...summary,
  user: nullable(
    row({
      id: Type.Integer(),
      username: Type.String(),
      first_name: Type.String(),
      last_name: Type.String(),
      email: Type.String(),
      active: Type.Boolean(),
    }),
  ),
  role: nullable(row({ id: Type.Integer(), name: Type.String() })),
  group: nullable(
    row({
      id: Type.Integer(),
      name: Type.String(),
      label: nullable(Type.String()),
      description: nullable(Type.String()),
    }),
  ),
})

/** `/api/v1/security/subject/`: everyone to whom something can be granted. */
export const subjectRoutes = (() => {
  const { list, item, info } = readingRoutes({
    name: 'subject',
    view: 'Subject',
    path: 'security/subject',
    listed: row(summary),
    detail: Detail,
  })
  return { list, item, info }
})()
