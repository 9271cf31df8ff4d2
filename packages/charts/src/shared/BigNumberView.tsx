/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the frame around it is the figure tag */
import { toThemeColor } from '../resolve/paint.ts'
import type { ViewProps } from '../views/view.ts'
import { tintColor, layoutBigNumber, trendPaths } from './big-number-layout.ts'
import type { BigNumberSpec } from './big-number.ts'
import styles from './big-number.module.css'

/** A number that fits its tile, with its change, its subheader and its trend. */
export default function BigNumberView({ spec: given, frames, around, label }: ViewProps) {
  const spec = given as BigNumberSpec
  const { width, theme } = around
  const layout = layoutBigNumber(spec, around)
  const { numberSize, subSize, trendHeight, change } = layout
  const trend = trendPaths(spec, frames, { width, height: trendHeight })
  const ink = spec.tint && tintColor(spec.tint, theme)
  const color = toThemeColor(spec.trend?.color ?? theme.accent, theme)
  return (
    <div className={styles.card} role="figure" aria-label={label}>
      <div className={styles.words}>
        <div
          className={styles.number}
          style={{ fontSize: numberSize, ...(ink && { color: ink }) }}
          title={layout.value}
        >
          {layout.value}
        </div>
        {change && (
          <div
            style={{
              fontSize: subSize,
              color: change.tone === 'same' ? theme.text2 : theme[change.tone],
              fontWeight: 500,
            }}
          >
            {change.text}
          </div>
        )}
        {layout.subheader && (
          <div className={styles.sub} style={{ fontSize: subSize }}>
            {layout.subheader}
          </div>
        )}
        {layout.at && <div className={styles.at}>{layout.at}</div>}
      </div>
      {trend && (
        <svg className={styles.trend} width={width} height={trendHeight} aria-hidden="true">
          <path d={trend.area} fill={color} fillOpacity={0.2} />
          <path
            d={trend.line}
            fill="none"
            stroke={color}
            strokeWidth={2}
            strokeLinejoin="round"
            strokeLinecap="round"
          />
          {trend.way && <path d={trend.way} fill="none" stroke={color} strokeWidth={2} strokeDasharray="4 4" />}
        </svg>
      )}
    </div>
  )
}
