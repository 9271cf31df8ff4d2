import { TimeRangePicker } from '../../../../shared/time-range/TimeRangePicker.tsx'
import { noFilter, buildTimeEntry, valueOf } from '../../mask.ts'
import type { KindControlProps } from '../kind.ts'

export default function TimeRangeControl({ filter, entry, name, onChange }: KindControlProps) {
  const value = valueOf(entry)
  return (
    <TimeRangePicker
      label={name}
      value={typeof value === 'string' ? value : noFilter}
      onChange={(range) => onChange(buildTimeEntry(filter, range))}
    />
  )
}
