import { Skeleton } from '@parquetry/ui'
import { Suspense } from 'react'
import { lazyComponent } from '../lazy-component.tsx'
import type { TimeRangePickerProps } from './TimeRangePicker.tsx'

const Picker = lazyComponent(async () => (await import('./TimeRangePicker.tsx')).TimeRangePicker)

/** The picker where few have one: its code comes with the first, in a place as high as it. */
export const LazyTimeRangePicker = (props: TimeRangePickerProps) => (
  <Suspense fallback={<Skeleton height="var(--control)" />}>
    <Picker {...props} />
  </Suspense>
)
