import { Icon, useTranslate } from '@parquetry/ui'
import type { ReactNode } from 'react'
import { FrameBadge } from '../../shared/FrameBadge.tsx'
import { useDashboard } from '../state/context.ts'
import type { Outlinable } from '../state/outline.ts'
import { useOutlining } from '../state/use-outlining.ts'
import type { ChartFilters, ActiveFilter } from './chart-filters.ts'
import styles from './Filters.module.css'

/** Shows which filters apply to a chart, which do not and why, and which are set in the chart itself. */
export function FilterIndicator({ filters, title }: { filters: ChartFilters; title: string }) {
  const t = useTranslate()
  const { applied, notApplied, own } = filters
  const outlining = useOutlining((part) => {
    const jump = part.closest<HTMLElement>('[data-jump]')
    return jump ? [toOutlinable(jump.dataset.jump!)] : applied.map(({ id }) => toOutlinable(id))
  })
  if (applied.length === 0 && notApplied.length === 0) return null
  const label = t(
    'dashboard.filterIndicator',
    '{title}: {applied, plural, one {# filter applied} other {# filters applied}}, {not, plural, one {# not applied} other {# not applied}}',
    { title, applied: applied.length, not: notApplied.length },
  )
  return (
    <span {...outlining}>
      <FrameBadge
        icon="filter"
        count={applied.length}
        label={label}
        more={notApplied.length > 0 && <Icon name="warning" size={12} />}
      >
        <div className={styles.indicatorList}>
          <Group title={t('dashboard.applied', 'Applied')} count={applied.length}>
            {applied.map(({ id, name, value, from }) => (
              <li key={id}>
                <Jump id={id} from={from} name={name} /> {value}
                <span className={styles.note}>
                  {from === 'bar' ? t('dashboard.fromBar', 'filter bar') : t('dashboard.fromChart', 'chart')}
                </span>
              </li>
            ))}
          </Group>
          <Group title={t('dashboard.notApplied', 'Not applied')} count={notApplied.length}>
            {notApplied.map(({ id, name, value, from, reason }) => (
              <li key={id}>
                <Jump id={id} from={from} name={name} /> {value}
                <span className={styles.note}>{reasonText(t, reason)}</span>
              </li>
            ))}
          </Group>
          <Group title={t('dashboard.ownFilters', 'Set in the chart')} count={own.length}>
            {own.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </Group>
        </div>
      </FrameBadge>
    </span>
  )
}

/** A numeric id of a mask entry is that of the clicked chart. */
const toOutlinable = (id: string): Outlinable => (/^\d+$/.test(id) ? Number(id) : id)

/** Name of a filter that jumps to its field in the bar, or to the clicked chart. */
function Jump({ id, from, name }: Pick<ActiveFilter, 'id' | 'from' | 'name'>) {
  const { store } = useDashboard()
  const go = (): void => {
    const node = Object.values(store.getState().history.present).find(({ meta }) => meta.chartId === Number(id))
    const selector =
      from === 'bar'
        ? `[data-filter="${CSS.escape(id)}"]`
        : `[data-node="${CSS.escape(node?.id ?? '')}"] [tabindex="0"]`
    const found = document.querySelector<HTMLElement>(selector)
    found?.scrollIntoView({ block: 'nearest' })
    const field = from === 'bar' ? found?.querySelector<HTMLElement>('input, button') : found
    field?.focus()
  }
  return (
    <button type="button" className={styles.jump} data-jump={id} onClick={go}>
      {name}
    </button>
  )
}

function Group({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null
  return (
    <section>
      <h3>
        {title} ({count})
      </h3>
      <ul>{children}</ul>
    </section>
  )
}

/** Text of a reason, from the server or the dashboard. */
const reasonText = (t: ReturnType<typeof useTranslate>, reason: string): string =>
  ({
    scope: t('dashboard.outOfScope', 'This chart is outside the filter’s scope'),
    not_in_datasource: t('dashboard.noColumn', 'The dataset doesn’t have this column'),
    no_temporal_column: t('dashboard.noTime', 'The dataset has no time column'),
    no_time_filter: t('dashboard.noTimeFilter', 'The chart has no time filter; add one in Explore'),
    no_time_axis: t('dashboard.noTimeAxis', 'The chart has no time axis'),
    overridden: t('dashboard.overridden', 'Overridden by another filter'),
    unused: t('dashboard.unusedFilter', 'This chart type doesn’t use this filter'),
  })[reason] ?? reason
