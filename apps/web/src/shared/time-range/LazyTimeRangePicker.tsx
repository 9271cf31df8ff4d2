import { Skeleton } from '@parquetry/ui'
import { Suspense } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { TimeRangePickerProps } from './TimeRangePicker.tsx'

const Picker = lazyComponent(async () => (await import('./TimeRangePicker.tsx')).TimeRangePicker)

/** The picker for places that rarely show one: its code loads with the first, behind a skeleton of the same height. */
export const LazyTimeRangePicker = (props: TimeRangePickerProps) => (
  <Suspense fallback={<Skeleton height="var(--control)" />}>
    <Picker {...props} />
  </Suspense>
)
