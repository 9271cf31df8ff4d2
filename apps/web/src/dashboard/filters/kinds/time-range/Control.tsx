import { TimeRangePicker } from '../../../../shared/time-range/TimeRangePicker.tsx'
import { useDashboard } from '../../../state/context.ts'
import { noFilter, buildTimeEntry, valueOf } from '../../mask.ts'
import type { KindControlProps } from '../kind.ts'

export default function TimeRangeControl({ filter, entry, name, onChange }: KindControlProps) {
  const { datasets } = useDashboard()
  const value = valueOf(entry)
  // The days of the data are offered only where they are those of every chart.
  const [dataset, other] = datasets.filter(({ main_dttm_col }) => main_dttm_col)
  const column = other ? undefined : dataset?.main_dttm_col
  return (
    <TimeRangePicker
      label={name}
      value={typeof value === 'string' ? value : noFilter}
      onChange={(range) => onChange(buildTimeEntry(filter, range))}
      source={dataset && column ? { dataset: { id: dataset.id, type: 'table' }, column } : undefined}
      revision={entry}
    />
  )
}
