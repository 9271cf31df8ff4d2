import type { DataMaskEntry } from '@parquetry/model'
import { Button, Icon, useTranslate } from '@parquetry/ui'
import { boot } from '../../shared/boot.ts'
import { can } from '../../shared/rights.ts'
import { useChartNames } from '../state/chart-names.ts'
import { useDashboard, useDashboardState } from '../state/context.ts'
import { datasetOfForm } from '../state/dashboard-colors.ts'
import { useOutlining } from '../state/use-outlining.ts'
import { filteredColumnsOf } from './cross-filter.ts'
import { FilterSetsMenu, type FilterSetsMenuProps } from './FilterSetsMenu.tsx'
import { hasValue, formatEntry } from './mask.ts'
import type { FilterBarState } from './use-filter-bar.ts'
import styles from './Filters.module.css'

const hasFilterSets = boot.common.feature_flags.DASHBOARD_NATIVE_FILTERS_SET === true && can('can_list', 'FilterSets')

/** Filter sets, if the server supports them and the user may list them. */
export const FilterSets = (props: FilterSetsMenuProps) => hasFilterSets && <FilterSetsMenu {...props} />

/** Cross-filters of clicked charts under their heading; nothing if there are none. */
export function CrossFilters({ bar }: { bar: FilterBarState }) {
  const t = useTranslate()
  const { crossFilters } = bar
  if (crossFilters.length === 0) return null
  const heading = t('dashboard.fromCharts', 'Cross-filters')
  return (
    <section className={styles.cross} aria-label={heading}>
      <header>
        <h3>{heading}</h3>
        {crossFilters.length > 1 && (
          <Button variant="quiet" onClick={bar.removeCrossFilters}>
            {t('dashboard.clearCrossFilters', 'Clear all')}
          </Button>
        )}
      </header>
      <CrossFilterChips bar={bar} crossFilters={crossFilters} />
    </section>
  )
}

interface CrossFilterChipsProps {
  bar: FilterBarState
  crossFilters: FilterBarState['crossFilters']
}

/** Cross-filters with the chart, the columns and the values of the clicked marks, each removable. */
export function CrossFilterChips({ bar, crossFilters }: CrossFilterChipsProps) {
  const { datasets } = useDashboard()
  const charts = useDashboardState(({ dashboard }) => dashboard.charts)
  const nameOf = useChartNames()
  const columnsOf = (chart: number, entry: DataMaskEntry): string => {
    const columns = datasetOfForm(charts.get(chart)?.form_data ?? {}, datasets)?.columns ?? []
    const labelOf = (name: string) => columns.find(({ column_name }) => column_name === name)?.verbose_name || name
    return filteredColumnsOf(entry).map(labelOf).join(', ')
  }
  return (
    <ul className={styles.chips}>
      {crossFilters.map(([chart, entry]) => (
        <CrossFilterChip
          key={chart}
          chart={nameOf(chart)}
          columns={columnsOf(chart, entry)}
          value={formatEntry(entry)}
          reach={() => bar.reachOf(String(chart))}
          onRemove={() => bar.removeCrossFilter(chart)}
        />
      ))}
    </ul>
  )
}

interface CrossFilterChipProps {
  chart: string
  columns: string
  value: string
  reach(): number[]
  onRemove(): void
}

function CrossFilterChip({ chart, columns, value, reach, onRemove }: CrossFilterChipProps) {
  const t = useTranslate()
  const source = [chart, columns].filter(Boolean).join(' · ')
  const name = `${source}: ${value}`
  return (
    <li className={styles.chip} {...useOutlining(reach)}>
      <span className={styles.chipText} title={name}>
        <span className={styles.chipSource}>{source}</span>
        <span className={styles.chipValue}>{value}</span>
      </span>
      <button
        type="button"
        className={styles.chipRemove}
        aria-label={t('dashboard.removeCrossFilter', 'Remove {name}', { name })}
        onClick={onRemove}
      >
        <Icon name="close" size={12} />
      </button>
    </li>
  )
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
