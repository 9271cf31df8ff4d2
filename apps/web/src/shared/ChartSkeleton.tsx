import { Skeleton } from '@parquetry/ui'
import styles from './ChartFrame.module.css'

const barHeights = [42, 64, 51, 78, 60, 88, 70, 56, 82, 66]

/** Gray placeholder shapes for the chart type that is loading. */
export function ChartSkeleton({ vizType = '' }: { vizType?: string | undefined }) {
  if (vizType.startsWith('big_number')) {
    return (
      <div className={styles.skeletonNumber}>
        <Skeleton width="40%" height={40} />
        <Skeleton width="24%" height={12} />
      </div>
    )
  }
  if (vizType.includes('table')) {
    return (
      <div className={styles.skeletonRows}>
        {barHeights.map((width, row) => (
          <Skeleton key={row} width={`${width + 10}%`} height={12} />
        ))}
      </div>
    )
  }
  return (
    <div className={styles.skeletonBars}>
      {barHeights.map((height, bar) => (
        <Skeleton key={bar} width="100%" height={`${height}%`} />
      ))}
    </div>
  )
}
