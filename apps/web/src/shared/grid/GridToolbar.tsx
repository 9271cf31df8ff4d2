import { genericOf, type Frame } from '@parquetry/frame'
import { Button, IconButton, Select, TextInput, useTranslate } from '@parquetry/ui'
import type { ColumnFilter, FilterOperator } from './row-view.ts'
import styles from './DataGrid.module.css'

export interface GridToolbarProps {
  frame: Frame
  shownRows: number
  isBusy: boolean
  isSorted: boolean
  hiddenColumns: number
  filters: readonly ColumnFilter[]
  /** Null hides the search field. */
  search: string | null
  headingOf(name: string): string
  onSearch(text: string | null): void
  onFilters(filters: readonly ColumnFilter[]): void
  onShowAll(): void
  onReset(): void
}

const listOperators = (generic: 0 | 1 | 2 | 3): FilterOperator[] =>
  generic === 1 || generic === 3
    ? ['contains', 'is', 'isNot', 'isNull', 'isNotNull']
    : ['is', 'isNot', 'above', 'below', 'contains', 'isNull', 'isNotNull']

/** Bar above the rows: shows and resets sorting, filters and hidden columns, which apply to the fetched rows only. */
export function GridToolbar(props: GridToolbarProps) {
  const { frame, shownRows, isBusy, isSorted, hiddenColumns, filters, search, headingOf } = props
  const { onSearch, onFilters, onShowAll, onReset } = props
  const t = useTranslate()
  const operatorLabels: Record<FilterOperator, string> = {
    contains: t('shared.grid.contains', 'contains'),
    is: t('shared.grid.is', 'is'),
    isNot: t('shared.grid.isNot', 'is not'),
    above: t('shared.grid.above', 'is greater than'),
    below: t('shared.grid.below', 'is less than'),
    isNull: t('shared.grid.isNull', 'is null'),
    isNotNull: t('shared.grid.isNotNull', 'is not null'),
  }
  const isNarrowed = filters.length > 0 || (search ?? '').trim() !== ''
  const change = (at: number, part: Partial<ColumnFilter>): void =>
    onFilters(filters.map((filter, index) => (index === at ? { ...filter, ...part } : filter)))

  return (
    <div className={styles.strip} role="group" aria-label={t('shared.grid.here', 'Search, sorting and filters')}>
      {search !== null && (
        <TextInput
          className={styles.searchField}
          icon="search"
          data-autofocus
          aria-label={t('shared.grid.search', 'Search loaded rows')}
          placeholder={t('shared.grid.search', 'Search loaded rows')}
          value={search}
          onChange={onSearch}
          autoFocus
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            onSearch(null)
          }}
          suffix={
            <IconButton
              icon="close"
              label={t('shared.grid.searchClose', 'Close search')}
              onClick={() => onSearch(null)}
            />
          }
        />
      )}
      {filters.map((filter, at) => {
        const column = frame.columns[filter.column]
        if (!column) return null
        const name = headingOf(column.name)
        return (
          <span key={filter.column} className={styles.filter}>
            <span className={styles.filterName}>{name}</span>
            <Select<FilterOperator>
              compact
              aria-label={t('shared.grid.operatorOf', 'Filter condition for {name}', { name })}
              value={filter.operator}
              options={listOperators(genericOf(column)).map((value) => ({ value, label: operatorLabels[value] }))}
              onChange={(operator) => operator && change(at, { operator })}
            />
            {filter.operator !== 'isNull' && filter.operator !== 'isNotNull' && (
              <TextInput
                className={styles.filterValue}
                aria-label={t('shared.grid.valueOf', 'Filter value for {name}', { name })}
                value={filter.value}
                autoFocus={filter.value === ''}
                onChange={(value) => change(at, { value })}
              />
            )}
            <IconButton
              icon="close"
              label={t('shared.grid.filterRemove', 'Remove filter on {name}', { name })}
              onClick={() => onFilters(filters.filter((_, index) => index !== at))}
            />
          </span>
        )
      })}
      <span role="status">
        {isNarrowed
          ? t('shared.grid.shown', '{shown, number} of {rows, number} loaded rows', {
              shown: shownRows,
              rows: frame.rows,
            })
          : isSorted && t('shared.grid.sorted', 'Sorting applies to loaded rows only')}
        {isBusy && ` · ${t('shared.grid.busy', 'updating…')}`}
      </span>
      {hiddenColumns > 0 && (
        <Button variant="quiet" onClick={onShowAll}>
          {t('shared.grid.showAll', 'Show {hidden, plural, one {# hidden column} other {# hidden columns}}', {
            hidden: hiddenColumns,
          })}
        </Button>
      )}
      {(isNarrowed || isSorted) && (
        <Button variant="quiet" onClick={onReset}>
          {t('shared.grid.reset', 'Clear sort and filters')}
        </Button>
      )}
    </div>
  )
}
