import { TimeRangePicker } from '../../../../shared/time-range/TimeRangePicker.tsx'
import { noFilter, timeEntry, valueOf } from '../../mask.ts'
import type { ControlProps } from '../kind.ts'

export default function TimeRangeControl({ filter, entry, name, onChange }: ControlProps) {
  const value = valueOf(entry)
  return (
    <TimeRangePicker
      label={name}
      value={typeof value === 'string' ? value : noFilter}
      onChange={(range) => onChange(timeEntry(filter, range))}
    />
  )
}
