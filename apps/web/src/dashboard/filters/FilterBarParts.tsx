import { Button, Tag, useTranslate } from '@parquetry/ui'
import type { ReactNode } from 'react'
import { boot } from '../../shared/boot.ts'
import { can } from '../../shared/rights.ts'
import { useDashboardState } from '../state/context.ts'
import { useOutlining } from '../state/use-outlining.ts'
import { FilterSetsMenu, type FilterSetsMenuProps } from './FilterSetsMenu.tsx'
import { hasValue, formatEntry } from './mask.ts'
import type { FilterBarState } from './use-filter-bar.ts'
import styles from './Filters.module.css'

const hasFilterSets = boot.common.feature_flags.DASHBOARD_NATIVE_FILTERS_SET === true && can('can_list', 'FilterSets')

/** Filter sets, if the server supports them and the user may list them. */
export const FilterSets = (props: FilterSetsMenuProps) => hasFilterSets && <FilterSetsMenu {...props} />

/** Cross-filters of clicked charts, each removable. */
export function CrossFilterChips({ bar }: { bar: FilterBarState }) {
  const charts = useDashboardState(({ dashboard }) => dashboard.charts)
  return bar.crossFilters.map(([chart, entry]) => (
    <Outlining key={chart} reach={() => bar.reachOf(String(chart))}>
      <Tag onRemove={() => bar.removeCrossFilter(chart)}>
        {`${charts.get(chart)?.slice_name ?? chart}: ${formatEntry(entry)}`}
      </Tag>
    </Outlining>
  ))
}

function Outlining({ reach, children }: { reach(): number[]; children: ReactNode }) {
  return <span {...useOutlining(reach)}>{children}</span>
}

/** Filters whose charts are all hidden: listed with their values, but not queried. */
export function HiddenFilters({ bar }: { bar: FilterBarState }) {
  const t = useTranslate()
  if (bar.hidden.length === 0) return null
  return (
    <details className={styles.away}>
      <summary>{t('dashboard.outOfTab', 'Not on this tab ({count, number})', { count: bar.hidden.length })}</summary>
      <ul>
        {bar.hidden.map((filter) => (
          <li key={filter.id}>
            {filter.name}{' '}
            <span className={styles.note}>{hasValue(bar.chosen[filter.id]) && formatEntry(bar.chosen[filter.id])}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Clear, and Apply if the dashboard requires it. */
export function BarActions({ bar }: { bar: FilterBarState }) {
  const t = useTranslate()
  const count = bar.waiting.length
  return (
    <>
      <Button variant="quiet" onClick={bar.clear}>
        {t('dashboard.clear', 'Clear')}
      </Button>
      {bar.mode === 'button' && (
        <Button
          variant="primary"
          onClick={bar.apply}
          disabledReason={count === 0 ? t('dashboard.nothingToApply', 'No changes to apply') : undefined}
        >
          {count > 0 ? t('dashboard.applyCount', 'Apply {count, number}', { count }) : t('dashboard.apply', 'Apply')}
        </Button>
      )}
    </>
  )
}
