import type { Translate } from '@parquetry/ui'
import type { TemplateCompletion } from '../../shared/sql-field/sql-completions.ts'

/** Templates about the current user, which the clause of a rule may contain. */
export const clauseTemplates = (t: Translate): TemplateCompletion[] => [
  {
    name: 'user_attribute',
    text: "{{ user_attribute('region') }}",
    note: t('lists.rules.attributeTemplate', 'Value of an attribute'),
  },
  {
    name: 'user_attribute, many',
    text: "{{ user_attribute('region', many=true)|where_in }}",
    note: t('lists.rules.attributesTemplate', 'List of values, for IN'),
  },
  {
    name: 'current_username',
    text: "'{{ current_username() }}'",
    note: t('lists.rules.usernameTemplate', 'User name'),
  },
  {
    name: 'current_user_email',
    text: "'{{ current_user_email() }}'",
    note: t('lists.rules.emailTemplate', 'E-mail address'),
  },
  { name: 'current_user_id', text: '{{ current_user_id() }}', note: t('lists.rules.idTemplate', 'ID of the user') },
  {
    name: 'current_user_roles',
    text: '{{ current_user_roles()|where_in }}',
    note: t('lists.rules.rolesTemplate', 'Names of roles, for IN'),
  },
]
