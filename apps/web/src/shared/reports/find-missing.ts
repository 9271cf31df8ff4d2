import type { Translate } from '@parquetry/ui'
import type { ReportDraft } from './report-draft.ts'
import { toApiRecipients } from './recipients.ts'

/** Says what must be entered before the report can be saved; undefined when nothing is missing. */
export function findMissing(t: Translate, draft: ReportDraft): string | undefined {
  if (draft.name.trim() === '') return t('reports.missing.name', 'Enter a name')
  return (
    findMissingTarget(t, draft) ??
    (draft.crontab.trim() === '' ? t('reports.missing.schedule', 'Enter a schedule') : undefined) ??
    (draft.type === 'Alert' ? findMissingCondition(t, draft) : undefined) ??
    (toApiRecipients(draft.recipients).length === 0 ? t('reports.missing.recipients', 'Add a recipient') : undefined)
  )
}

/** Says what must be chosen before the content can be drawn. */
export const findMissingTarget = (
  t: Translate,
  { target, chart, dashboard }: Pick<ReportDraft, 'target' | 'chart' | 'dashboard'>,
): string | undefined => {
  if (target === 'chart') return chart === null ? t('reports.missing.chart', 'Select a chart') : undefined
  return dashboard === null ? t('reports.missing.dashboard', 'Select a dashboard') : undefined
}

/** Says what must be entered before the condition can be tested. */
export function findMissingCondition(t: Translate, draft: ReportDraft): string | undefined {
  if (draft.condition === 'sql') {
    if (draft.database === null) return t('reports.missing.database', 'Select a database')
    if (draft.sql.trim() === '') return t('reports.missing.sql', 'Enter the SQL of the condition')
  } else {
    if (draft.dataset === null) return t('reports.missing.dataset', 'Select a dataset')
    if (draft.metric === null) return t('reports.missing.metric', 'Select a metric')
  }
  return draft.operator !== 'not null' && draft.threshold === null
    ? t('reports.missing.threshold', 'Enter the value to compare with')
    : undefined
}
