import { Field, SegmentedControl, Select, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { ReportTarget } from './report-draft.ts'
import { listFormats } from './report-draft.ts'
import type { ReportFormPart } from './report-form.ts'
import { loadTargets, useDashboardTabs } from './report-options.ts'
import styles from './reports.module.css'

/** Which chart or dashboard is sent: its tab and its filters. */
export function TargetFields({ draft, set, stored, page, errorOf }: ReportFormPart) {
  const t = useTranslate()
  const [names, setNames] = useState<Record<string, string>>({})
  const isChart = draft.target === 'chart'
  const id = isChart ? draft.chart : draft.dashboard
  const tabs = useDashboardTabs(isChart ? null : draft.dashboard)
  const tabNames = Object.entries(tabs.data ?? {})
  const storedName = isChart ? stored?.chart?.slice_name : stored?.dashboard?.dashboard_title
  const storedId = isChart ? stored?.chart?.id : stored?.dashboard?.id
  const setTarget = (target: ReportTarget): void =>
    set({ target, tab: '', ...(!listFormats(target).includes(draft.format) && { format: 'PDF' }) })
  const pick = (next: number | null, label: string | undefined): void => {
    if (next !== null && label) setNames({ ...names, [`${draft.target} ${next}`]: label })
    set(isChart ? { chart: next } : { dashboard: next, tab: '', filters: 'saved' })
  }
  const label = isChart ? t('reports.chart', 'Chart') : t('reports.dashboard', 'Dashboard')
  return (
    <>
      <div className={styles.line}>
        <Field label={t('reports.target', 'Send a')}>
          <SegmentedControl<ReportTarget>
            value={draft.target}
            onChange={setTarget}
            label={t('reports.target', 'Send a')}
            options={[
              { value: 'dashboard', label: t('reports.dashboard', 'Dashboard'), icon: 'dashboard' },
              { value: 'chart', label: t('reports.chart', 'Chart'), icon: 'chart' },
            ]}
          />
        </Field>
        <div className={styles.grow}>
          <Field label={label} required={draft.format !== 'NONE'} error={errorOf(draft.target, 'target', draft.target)}>
            <Select
              key={draft.target}
              value={id}
              onChange={(next, option) => pick(next, option?.label)}
              load={loadTargets(draft.target)}
              selectedLabel={
                id === null
                  ? undefined
                  : (names[`${draft.target} ${id}`] ?? (id === storedId ? (storedName ?? undefined) : draft.name))
              }
              icon={isChart ? 'chart' : 'dashboard'}
            />
          </Field>
        </div>
      </div>
      {!isChart && draft.dashboard !== null && (
        <div className={styles.two}>
          {(tabNames.length > 0 || draft.tab !== '') && (
            <Field label={t('reports.tab', 'Tab')} error={errorOf('extra', 'tab', 'dashboard')}>
              <Select
                value={draft.tab === '' ? 'all' : draft.tab}
                onChange={(tab) => set({ tab: tab === null || tab === 'all' ? '' : tab })}
                options={[
                  { value: 'all', label: t('reports.tab.all', 'All') },
                  ...tabNames.map(([value, name]) => ({ value, label: name })),
                ]}
              />
            </Field>
          )}
          <Field label={t('reports.filters', 'Filters')} help={<FilterHelp draft={draft} />}>
            <Select
              value={draft.filters}
              onChange={(filters) => filters && set({ filters })}
              options={[
                ...(page
                  ? [{ value: 'page' as const, label: t('reports.filters.page', 'Current filters of the page') }]
                  : []),
                ...(stored && Object.keys(stored.extra.dashboard?.dataMask ?? {}).length > 0
                  ? [{ value: 'stored' as const, label: t('reports.filters.stored', 'Filters stored in the report') }]
                  : []),
                { value: 'saved' as const, label: t('reports.filters.saved', 'Default filters of the dashboard') },
              ]}
            />
          </Field>
        </div>
      )}
    </>
  )
}

function FilterHelp({ draft }: Pick<ReportFormPart, 'draft'>) {
  const t = useTranslate()
  return draft.filters === 'saved'
    ? t('reports.filters.savedHelp', 'As they are whenever the report runs.')
    : t('reports.filters.keptHelp', 'Their values stay the same in every run.')
}
