import { Skeleton } from '@parquetry/ui'
import { Suspense } from 'react'
import { lazyPart } from '../lazy-part.tsx'
import type { TimeRangePickerProps } from './TimeRangePicker.tsx'

const Picker = lazyPart(async () => (await import('./TimeRangePicker.tsx')).TimeRangePicker)

/** The picker where few have one: its code comes with the first, in a place as high as it. */
export const LaterPicker = (props: TimeRangePickerProps) => (
  <Suspense fallback={<Skeleton height="var(--control)" />}>
    <Picker {...props} />
  </Suspense>
)
