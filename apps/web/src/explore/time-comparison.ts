import type { ChartForm } from '@parquetry/charts'
import { operators } from '../shared/filter-operators.ts'
import { simpleFilter, type AdhocFilter } from './controls/filters.ts'
import type { ExploreDataset } from './use-explore.ts'

const isRange = ({ operator }: AdhocFilter): boolean => operator === 'TEMPORAL_RANGE'

/** True for a range text with a start and an end. */
const isClosed = (range: unknown): boolean => {
  const text = typeof range === 'string' ? range.trim() : ''
  return text !== '' && text !== 'No filter' && !text.startsWith(': ') && !text.endsWith(' :')
}

/**
 * Returns the time column of a chart that compares with another time but has no range with a start and an end, which the comparison
 * needs; null for other charts.
 */
export function findComparedColumn(form: ChartForm, { main_dttm_col }: Pick<ExploreDataset, 'main_dttm_col'>) {
  if ([form['time_compare']].flat().filter(Boolean).length === 0) return null
  const column = [form['x_axis'], form['granularity_sqla'], main_dttm_col].find((each) => typeof each === 'string')
  const ranges = [
    form['time_range'],
    ...listFilters(form)
      .filter(isRange)
      .map(({ comparator }) => comparator),
  ]
  return column === undefined || ranges.some(isClosed) ? null : (column as string)
}

const listFilters = (form: ChartForm): AdhocFilter[] =>
  Array.isArray(form['adhoc_filters']) ? (form['adhoc_filters'] as AdhocFilter[]) : []

/** Sets the range of a time column, where the form has it: among its filters, or in the legacy setting. */
export function withTimeRange(form: ChartForm, column: string, range: string): ChartForm {
  const filters = listFilters(form)
  const isOfColumn = (filter: AdhocFilter) => isRange(filter) && filter.subject === column
  // A range of the form has precedence over those of filters.
  const own = form['time_range'] ? { time_range: range } : {}
  if (filters.some(isOfColumn))
    return {
      ...form,
      ...own,
      adhoc_filters: filters.map((each) => (isOfColumn(each) ? { ...each, comparator: range } : each)),
    }
  if (form['granularity_sqla'] === column) return { ...form, time_range: range }
  const operator = operators.find(({ operatorId }) => operatorId === 'TEMPORAL_RANGE')
  return { ...form, ...own, adhoc_filters: [...filters, simpleFilter(column, operator, range)] }
}
