import { subjectId } from '@parquetry/model/subject'
import type { LoadOptions, Option, Translate } from '@parquetry/ui'
import { loadRelated } from '../related-options.ts'

/** People, and roles if wanted, as options whose values are subject ids. */
export const loadSubjects =
  (t: Translate, withRoles: boolean): LoadOptions<number> =>
  async (filter, page, signal) => {
    const [users, roles] = await Promise.all([
      loadRelated('dashboard', 'owners')(filter, page, signal),
      withRoles ? loadRelated('dashboard', 'roles')(filter, page, signal) : { count: 0, options: [] },
    ])
    const toOption =
      (type: 'user' | 'role') =>
      ({ value, label }: Option<string>): Option<number> => ({
        value: subjectId(type, Number(value)),
        label: type === 'role' ? t('share.role', '{name} (role)', { name: String(label) }) : label,
        icon: type === 'role' ? 'certified' : 'user',
      })
    return {
      count: users.count + roles.count,
      options: [...roles.options.map(toOption('role')), ...users.options.map(toOption('user'))],
    }
  }
