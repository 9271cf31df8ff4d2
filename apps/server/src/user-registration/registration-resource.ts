import { UserRegistrationPost, UserRegistrationPut } from '@parquetry/model'
import type { Selectable } from 'kysely'
import { textFilter, timeFilter } from '../http/filters.ts'
import type { Resource } from '../http/resource.ts'
import type { UserRegistrationTable } from '../store/tables.ts'

export type RegistrationRow = Selectable<UserRegistrationTable>

const texts = ['username', 'email', 'first_name', 'last_name'] as const
const announced = ['id', ...texts, 'registration_date']

/** Resource definition of `/api/v1/security/user_registrations/`. */
export const registrationResource: Resource<RegistrationRow> & { kind: 'user_registration' } = {
  kind: 'user_registration',
  title: 'User Registration',
  listTitle: 'List User Registrations',
  view: 'UserRegistrationsRestAPI',
  list: { announced },
  show: { announced },
  order: Object.fromEntries(announced.map((column) => [column, `user_registration.${column}`])),
  defaultOrder: ['id', 'asc'],
  filters: {
    ...Object.fromEntries(texts.map((column) => [column, textFilter(`user_registration.${column}`)])),
    registration_date: timeFilter('user_registration.registration_date'),
  },
  resolvers: {},
  related: {},
  distinct: [],
  bodies: { add: UserRegistrationPost, edit: UserRegistrationPut },
}
