/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the frame around it is the figure tag */
import type { ChartTheme } from '../resolve/theme.ts'
import styles from '../shared/big-number.module.css'
import type { ViewProps } from '../views/view.ts'
import type { PeriodComparisonSpec } from './chart.ts'
import { arrowSize, captionSize, gaps, layoutPeriodComparison, type FigureText } from './layout.ts'

const toneColor = (tone: FigureText['tone'], theme: ChartTheme): string => (tone === 'same' ? theme.text2 : theme[tone])

/** A number that fits its tile, with its previous value and its change. */
export default function ComparedView({ spec, around, label }: ViewProps) {
  const { theme } = around
  const { value, arrow, numberSize, lines, partSize, caption, describe } = layoutPeriodComparison(
    spec as PeriodComparisonSpec,
    around,
  )
  return (
    <div className={styles.card} role="figure" aria-label={`${label}. ${describe}`}>
      <div className={styles.words}>
        <div className={styles.number} style={{ fontSize: numberSize }} title={value}>
          {value}
          {arrow.text && (
            <span
              aria-hidden="true"
              style={{ fontSize: numberSize * arrowSize, marginLeft: gaps.arrow, color: toneColor(arrow.tone, theme) }}
            >
              {arrow.text}
            </span>
          )}
        </div>
        {lines.map((parts) => (
          <div key={parts[0]?.text} style={{ display: 'flex', gap: gaps.parts, fontSize: partSize, fontWeight: 500 }}>
            {parts.map(({ text, tone }) => (
              <span key={text} className={styles.part} style={{ color: toneColor(tone, theme) }}>
                {text}
              </span>
            ))}
          </div>
        ))}
        {caption && (
          <div className={styles.at} style={{ fontSize: captionSize }}>
            {caption}
          </div>
        )}
      </div>
    </div>
  )
}
