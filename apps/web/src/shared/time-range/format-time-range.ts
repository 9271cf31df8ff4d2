import type { Translate } from '@parquetry/ui'

/** Describes a range text; one without a description is shown unchanged. */
export function formatTimeRange(t: Translate, range: string): string {
  const rangeLabels: Record<string, string> = {
    'Last day': t('timeRange.lastDay', 'last day'),
    'Last week': t('timeRange.lastWeek', 'last week'),
    'Last month': t('timeRange.lastMonth', 'last month'),
    'Last quarter': t('timeRange.lastQuarter', 'last quarter'),
    'Last year': t('timeRange.lastYear', 'last year'),
    'previous calendar week': t('timeRange.previousWeek', 'previous calendar week'),
    'previous calendar month': t('timeRange.previousMonth', 'previous calendar month'),
    'previous calendar quarter': t('timeRange.previousQuarter', 'previous calendar quarter'),
    'previous calendar year': t('timeRange.previousYear', 'previous calendar year'),
    'Current day': t('timeRange.currentDay', 'current day'),
    'Current week': t('timeRange.currentWeek', 'current week'),
    'Current month': t('timeRange.currentMonth', 'current month'),
    'Current quarter': t('timeRange.currentQuarter', 'current quarter'),
    'Current year': t('timeRange.currentYear', 'current year'),
  }
  return rangeLabels[range] ?? range
}
