import { Field, TextInput, useTranslate } from '@parquetry/ui'
import { parseAdvancedRange, formatAdvancedRange } from './time-range.ts'
import styles from './TimeRange.module.css'

/** Functions that a side may use (TIME-023), with an example each. */
const functions = [
  'DATETIME("2026-11-21")',
  'DATEADD(DATETIME("today"), -7, day)',
  'DATETRUNC(DATETIME("now"), month)',
  'LASTDAY(DATETIME("today"), month)',
  'HOLIDAY("new year", DATETIME("2026-01-01"), "US")',
]

/** Two free texts (TIME-022), which the server resolves while the user types. */
export function AdvancedRangeFields({ value, onChange }: { value: string; onChange(range: string): void }) {
  const t = useTranslate()
  const [since, until] = parseAdvancedRange(value)
  return (
    <div className={styles.advanced}>
      <Field label={t('timeRange.start', 'Start (inclusive)')}>
        <TextInput
          value={since}
          onChange={(next) => onChange(formatAdvancedRange(next, until))}
          placeholder="Last 30 days"
        />
      </Field>
      <Field label={t('timeRange.end', 'End (exclusive)')}>
        <TextInput value={until} onChange={(next) => onChange(formatAdvancedRange(since, next))} placeholder="today" />
      </Field>
      <details className={styles.help}>
        <summary>{t('timeRange.functions', 'Supported values and functions')}</summary>
        <ul>
          <li>
            {t(
              'timeRange.texts',
              'ISO dates, “now”, “today” and phrases such as “Last 30 days”, “Next 2 weeks” or “3 months ago”',
            )}
          </li>
          {functions.map((example) => (
            <li key={example}>
              <code>{example}</code>
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}
