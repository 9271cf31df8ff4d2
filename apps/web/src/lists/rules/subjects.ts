import type { LoadOptions, Translate } from '@parquetry/ui'
import { subjectTypes } from '@parquetry/model/subject'
import { api } from '../../shared/api.ts'

/** A user (type 1), role (2) or group (3) that a rule names. */
export interface Subject {
  id: number
  label: string
  type: number
}

export function subjectTypeLabel(t: Translate, type: number): string {
  if (type === subjectTypes.role) return t('lists.rules.roleType', 'Role')
  return type === subjectTypes.group ? t('lists.rules.groupType', 'Group') : t('lists.rules.userType', 'User')
}

const pageSize = 100

/**
 * Users, roles and groups that a rule can name, by name.
 * @param onLoaded  learns of each that is shown
 */
export const loadRuleSubjects =
  (t: Translate, onLoaded: (subjects: readonly Subject[]) => void): LoadOptions<string> =>
  async (filter, page, signal) => {
    const q = { filter, page, page_size: pageSize }
    const { count, result } = await api.get('/api/v1/rowlevelsecurity/related/:column', {
      params: { column: 'subjects' },
      q,
      signal,
    })
    const options = result.map(({ value, text, extra }) => {
      const { type, secondary_label, active } = extra as {
        type: number
        secondary_label: string
        active: boolean | null
      }
      const kind = active === false ? t('lists.rules.inactiveUser', 'Inactive user') : subjectTypeLabel(t, type)
      return { subject: { id: Number(value), label: text, type }, kind, secondary_label }
    })
    onLoaded(options.map(({ subject }) => subject))
    return {
      count,
      options: options.map(({ subject: { id, label, type }, kind, secondary_label }) => ({
        value: String(id),
        label,
        note: type === subjectTypes.user && secondary_label ? secondary_label : kind,
      })),
    }
  }
