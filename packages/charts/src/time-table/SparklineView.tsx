import { useState } from 'react'
import { formatter } from '../shared/formats/format.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { useSize } from '../views/use-size.ts'
import type { Sparkline } from './chart.ts'
import { computeSparklineRange, buildSparklineShape, type SparklineCell } from './sparkline.ts'
import styles from './time-table.module.css'

/** A sparkline with labeled ends; the pointer shows its values. */
export function SparklineView({
  cell,
  spark,
  around,
}: {
  cell: SparklineCell
  spark: Sparkline
  around: RenderContext
}) {
  const { theme, locale, translate } = around
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const room = useSize(box)?.width ?? 0
  const width = spark.width ?? room
  const range = computeSparklineRange(cell, spark)
  const write = formatter(cell.format, locale)
  if (!range) return <span data-null>{write(null)}</span>
  const shape = width > 0 ? buildSparklineShape(cell, spark, width, spark.height) : null
  const place = at === null ? null : (shape?.at[at] ?? null)
  const known = cell.points.filter((point) => point !== null)
  const words = translate('picture.timeTable.spark', 'Range from {low} to {high}, last value {last}', {
    low: write(Math.min(...known)),
    high: write(Math.max(...known)),
    last: write(cell.points.at(-1) ?? null),
  })
  return (
    <div className={styles.line}>
      {spark.hasAxis && (
        <span className={styles.axis} aria-hidden="true">
          <span>{write(range[1])}</span>
          <span>{write(range[0])}</span>
        </span>
      )}
      <div
        ref={setBox}
        className={styles.box}
        style={
          spark.width === null ? { height: spark.height } : { height: spark.height, width: spark.width, flex: 'none' }
        }
        onPointerMove={({ currentTarget, clientX }) => {
          const { left } = currentTarget.getBoundingClientRect()
          setAt(findNearest(shape?.at ?? [], clientX - left))
        }}
        onPointerLeave={() => setAt(null)}
      >
        {shape && (
          <svg width={width} height={spark.height} role="img" aria-label={words}>
            {shape.fill && <path d={shape.fill} fill={theme.accent} fillOpacity={spark.line === 'bar' ? 0.85 : 0.18} />}
            {shape.line && (
              <path d={shape.line} fill="none" stroke={theme.accent} strokeWidth={1.5} strokeLinejoin="round" />
            )}
            {shape.dots.map(({ x, y }, index) => (
              <circle key={index} cx={x} cy={y} r={2} fill={theme.accent} />
            ))}
            {place && (
              <circle cx={place.x} cy={place.y} r={3.5} fill={theme.surface} stroke={theme.accent} strokeWidth={2} />
            )}
          </svg>
        )}
        {at !== null && place && (
          <span
            className={styles.tip}
            style={place.x > width / 2 ? { right: width - place.x + 8 } : { left: place.x + 8 }}
          >
            <b>{write(cell.points[at] ?? null)}</b> {formatter(spark.timeFormat, locale)(spark.times[at] ?? null)}
          </span>
        )}
      </div>
    </div>
  )
}

function findNearest(places: readonly ({ x: number } | null)[], x: number): number | null {
  let found: number | null = null
  let least = Infinity
  for (const [at, place] of places.entries()) {
    const away = place ? Math.abs(place.x - x) : Infinity
    if (away < least) [found, least] = [at, away]
  }
  return found
}
