import { MultiSelect, Select, useTranslate, type Option } from '@parquetry/ui'
import { useDashboardState } from '../../state/context.ts'
import { formatEntry, toList, valueOf } from '../mask.ts'
import { fetchNames, type NameRow } from '../values.ts'
import type { KindControlProps, FilterKind } from './kind.ts'

interface NamesControlProps extends KindControlProps {
  kind: FilterKind
  /** Property of the dataset to query. */
  ask: 'columns' | 'timegrains'
  fits?(row: NameRow): boolean
  several?: boolean
}

/** Selects among the columns or time grains of a dataset, which are loaded when the list opens. */
export function NamesControl({ filter, entry, onChange, kind, ask, fits, several = false }: NamesControlProps) {
  const t = useTranslate()
  const dashboardId = useDashboardState(({ dashboard }) => dashboard.result.id)
  const names = toList(valueOf(entry)) as string[]
  const load = async (search: string, page: number) => {
    if (page > 0) return { options: [], count: 0 }
    const rows = await fetchNames(filter, dashboardId, ask)
    const text = search.trim().toLocaleLowerCase()
    const options = rows
      .filter((row) => fits?.(row) ?? true)
      .map(toOption)
      .filter(({ label, value }) => `${label} ${value}`.toLocaleLowerCase().includes(text))
    return { options, count: options.length }
  }
  const applyNames = (chosen: string[], label?: string): void => {
    const next = kind.entry(filter, chosen)
    onChange(label === undefined ? next : { ...next, filterState: { ...next.filterState, label } })
  }
  const placeholder = t('dashboard.asInChart', 'Chart default')
  if (several)
    return (
      <MultiSelect<string>
        load={load}
        value={names}
        placeholder={placeholder}
        onChange={(chosen) => applyNames(chosen)}
      />
    )
  return (
    <Select<string>
      load={load}
      clearable
      value={names[0] ?? null}
      selectedLabel={names.length > 0 ? formatEntry(entry) : undefined}
      placeholder={placeholder}
      onChange={(name, option) => (name === null ? applyNames([]) : applyNames([name], option?.label))}
    />
  )
}

const toOption = ({ column_name, verbose_name, duration, name }: NameRow): Option<string> => ({
  value: duration ?? column_name ?? '',
  label: verbose_name || name || column_name || duration || '',
})
