import type { NativeFilter } from '@parquetry/model'
import { Button, Select, useText } from '@parquetry/ui'
import { useEffect, useRef, useState } from 'react'
import { newSuffix } from '../edit/new-things.ts'
import { useBoard } from '../state/context.ts'
import { barSettingsOf } from './bar-settings.ts'
import { columnUses, faultsOf, filtersOf, newFilter, withTarget, type ColumnUse } from './config.ts'
import { useSaveFilters } from './use-save-filters.ts'
import { useCharts, useWithColumns } from './use-targets.ts'

/** So many pictures of the page a new filter's field is waited for. */
const mostFrames = 120

/** A filter in two clicks: a click on the button, and one on a column, those that most charts use first. */
export function AddFilter({ onConfigure }: { onConfigure(): void }) {
  const t = useText()
  const [isChoosing, setChoosing] = useState(false)
  const dashboard = useBoard((state) => state.dashboard)
  const nodes = useBoard(({ history }) => history.present)
  const added = useRef<string | null>(null)
  const save = useSaveFilters(() => setChoosing(false))

  // Its value comes next: the field takes the focus that the list had, unless somebody has gone on elsewhere.
  useEffect(() => {
    let frame = 0
    // The code of its control comes with the first of its kind.
    const look = (triesLeft: number): void => {
      const id = added.current
      const field = id && document.querySelector<HTMLElement>(`[data-filter="${CSS.escape(id)}"] input`)
      if (id && !field && triesLeft > 0) frame = requestAnimationFrame(() => look(triesLeft - 1))
      if (!field) return
      if (document.activeElement === document.body) field.focus()
      added.current = null
    }
    look(mostFrames)
    return () => cancelAnimationFrame(frame)
  }, [dashboard])

  const add = (filter: NativeFilter): void => {
    setChoosing(false)
    // What cannot be saved as it is has its settings to be looked at.
    if (faultsOf(filter, nodes).length > 0) return onConfigure()
    const filters = [...filtersOf(dashboard.metadata, dashboard.layout.nodes), filter]
    added.current = filter.id
    save.mutate({ filters, bar: barSettingsOf(dashboard.metadata) })
  }
  if (!isChoosing)
    return (
      <Button icon="plus" busy={save.isPending} onClick={() => setChoosing(true)}>
        {t('dashboard.addFilter', 'Add a filter')}
      </Button>
    )
  return (
    <span onBlur={() => setChoosing(false)}>
      <Columns onAdd={add} />
    </span>
  )
}

const time = 'time'

function Columns({ onAdd }: { onAdd(filter: NativeFilter): void }) {
  const t = useText()
  const nodes = useBoard(({ history }) => history.present)
  const charts = useCharts()
  const keys = [...charts.values()].map(({ form_data }) => String(form_data.datasource))
  const datasets = useWithColumns(
    [...new Set(keys.filter((key) => key.endsWith('__table')))].map((key) => ({ id: Number.parseInt(key, 10) })),
  )
  const uses = columnUses(datasets, charts)
  const keyOf = ({ dataset, column }: ColumnUse) => `${dataset}:${column}`
  const nameOf = (id: number) => datasets.find((each) => each.id === id)?.table_name ?? ''
  const pick = (key: string | null): void => {
    const use = uses.find((each) => keyOf(each) === key)
    const name = t('dashboard.timeFilter', 'Time range')
    if (use) onAdd(withTarget(newFilter(newSuffix(), 'filter_select'), use, charts, nodes, datasets))
    else if (key === time) onAdd({ ...newFilter(newSuffix(), 'filter_time'), name })
  }
  return (
    <Select
      startsOpen
      aria-label={t('dashboard.filterColumn', 'Column')}
      placeholder={t('dashboard.searchColumns', 'Search columns')}
      value={null}
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
