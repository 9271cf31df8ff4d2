import type { NativeFilter } from '@parquetry/model'
import { Select, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { createIdSuffix } from '../edit/new-nodes.ts'
import { useDashboardState } from '../state/context.ts'
import { columnUses, newFilter, suggestKind, withTarget, type ColumnUse } from './config.ts'
import { hasManyValues } from './values.ts'
import { useLayoutCharts, useDatasetsWithColumns } from './use-targets.ts'

const time = 'time'

/** Lists the time range and the columns that the charts of the dashboard use, most used first. */
export function ColumnChoice({ onAdd }: { onAdd(filter: NativeFilter): void }) {
  const t = useTranslate()
  const [chosen, setChosen] = useState<string | null>(null)
  const dashboardId = useDashboardState(({ dashboard }) => dashboard.result.id)
  const nodes = useDashboardState(({ history }) => history.present)
  const charts = useLayoutCharts()
  const keys = [...charts.values()].map(({ form_data }) => String(form_data.datasource))
  const datasets = useDatasetsWithColumns(
    [...new Set(keys.filter((key) => key.endsWith('__table')))].map((key) => ({ id: Number.parseInt(key, 10) })),
  )
  const uses = columnUses(datasets, charts)
  const keyOf = ({ dataset, column }: ColumnUse) => `${dataset}:${column}`
  const nameOf = (id: number) => datasets.find((each) => each.id === id)?.table_name ?? ''
  // The list of values is loaded for the filter whose list it will be, so that opening it needs no other request.
  const add = async (use: ColumnUse): Promise<void> => {
    const suffix = createIdSuffix()
    const withKind = (kind: string) => withTarget(newFilter(suffix, kind), use, charts, nodes, datasets)
    const kind = await suggestKind(datasets, use, () => hasManyValues(withKind('filter_select'), dashboardId))
    onAdd(withKind(kind))
  }
  const pick = (key: string | null): void => {
    const use = uses.find((each) => keyOf(each) === key)
    const name = t('dashboard.timeFilter', 'Time range')
    if (chosen !== null) return
    setChosen(key)
    if (use) void add(use)
    else if (key === time) onAdd({ ...newFilter(createIdSuffix(), 'filter_time'), name })
  }
  return (
    <Select
      startsOpen
      aria-label={t('dashboard.filterColumn', 'Column')}
      placeholder={t('dashboard.searchColumns', 'Search columns')}
      value={chosen}
      onChange={pick}
      options={[
        { value: time, label: t('dashboard.timeFilter', 'Time range'), icon: 'calendar' },
        ...uses.map((use) => ({
          value: keyOf(use),
          label: use.label,
          note:
            datasets.length > 1
              ? nameOf(use.dataset)
              : use.charts.length > 0
                ? t('dashboard.usedBy', '{count, plural, one {# chart} other {# charts}}', { count: use.charts.length })
                : '',
        })),
      ]}
    />
  )
}
