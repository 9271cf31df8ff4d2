import { subjectId, subjectTypes } from '@parquetry/model/subject'
import type { LoadOptions, Option, Translate } from '@parquetry/ui'
import { iconOfSubject, loadRelated, loadSubjects } from '../related-options.ts'

/** Name of a subject that says what it is, unless it is a user. */
export const nameSubject = (t: Translate, { id, label }: { id: number; label: string }): string =>
  id % 4 === subjectTypes.role
    ? t('share.role', '{name} (role)', { name: label })
    : id % 4 === subjectTypes.group
      ? t('share.group', '{name} (group)', { name: label })
      : label

/**
 * Users as options whose values are subject ids, and groups and roles as far as they can get access: groups only to dashboards.
 * @param withRoles  the user may give access to roles
 */
export const loadSharable =
  (t: Translate, kind: 'dashboard' | 'dataset', withRoles: boolean): LoadOptions<number> =>
  async (filter, page, signal) => {
    const none = { count: 0, options: [] }
    const [others, roles] = await Promise.all([
      kind === 'dashboard'
        ? loadSubjects('dashboard', 'viewers')(filter, page, signal)
        : loadRelated('dashboard', 'owners')(filter, page, signal),
      withRoles ? loadRelated('dashboard', 'roles')(filter, page, signal) : none,
    ])
    const toOption = (id: number, label: Option<string>['label']): Option<number> => ({
      value: id,
      label: nameSubject(t, { id, label: String(label) }),
      icon: iconOfSubject(id),
    })
    const options = [
      ...roles.options.map(({ value, label }) => toOption(subjectId('role', Number(value)), label)),
      ...others.options.map(({ value, label }) =>
        toOption(kind === 'dashboard' ? Number(value) : subjectId('user', Number(value)), label),
      ),
    ]
    // Roles come twice where the settings offer them as viewers.
    const unique = [...new Map(options.map((option) => [option.value, option])).values()]
    return { count: roles.count + others.count - (options.length - unique.length), options: unique }
  }
