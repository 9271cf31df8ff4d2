import { formatter } from '@parquetry/charts'
import type { ColumnProfile } from '@parquetry/model'
import { useTranslate } from '@parquetry/ui'
import { i18n } from '../intl.ts'
import type { EditedColumn } from './document.ts'
import styles from './editor.module.css'

const formatInteger = formatter(',d', i18n.locale)
const share = formatter('.1%', i18n.locale)
const full = formatter('FULL_NUMBER', i18n.locale)
const short = formatter('SMART_NUMBER', i18n.locale)
const day = formatter('%Y-%m-%d', i18n.locale)

/** Formats a column value; times are milliseconds. */
export function formatColumnValue(
  value: unknown,
  { is_dttm, type_generic }: Pick<EditedColumn, 'is_dttm' | 'type_generic'>,
  write = full,
): string {
  if (value === null || value === undefined) return '∅'
  if (typeof value !== 'number') return String(value as string)
  return is_dttm || type_generic === 2 ? day(value) : write(value)
}

/** Estimates are marked with ≈. */
export const formatDistinctCount = ({ distinct, distinct_is_near }: ColumnProfile): string =>
  distinct === null ? '–' : `${distinct_is_near ? '≈ ' : ''}${formatInteger(distinct)}`

function formatValueRange(from: number, to: number, column: EditedColumn): string {
  const write = Number.isInteger(from) && Number.isInteger(to) ? full : short
  const [first, last] = [formatColumnValue(from, column, write), formatColumnValue(to, column, write)]
  return first === last ? first : `${first} – ${last}`
}

/** Histogram of value frequencies; each bar has a tooltip. */
export function ValueHistogram({ profile, column }: { profile: ColumnProfile; column: EditedColumn }) {
  const t = useTranslate()
  const { bars } = profile
  const maxCount = Math.max(1, ...bars.map(({ count }) => count))
  if (bars.length === 0) return null
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${bars.length * 8} 24`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('dataset.profile.bars', 'Distribution of values from {from} to {to}', {
        from: formatColumnValue(profile.min, column),
        to: formatColumnValue(profile.max, column),
      })}
    >
      {bars.map(({ from, to, count }, index) => {
        const height = count === 0 ? 0 : Math.max(1, (count / maxCount) * 24)
        return (
          <rect key={index} x={index * 8} width={7} y={24 - height} height={height}>
            <title>{`${formatValueRange(from, to, column)}: ${formatInteger(count)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

/** Nulls, distinct values, range and histogram of one column. */
export function ProfileFigures({
  profile,
  rowCount,
  column,
}: {
  profile: ColumnProfile
  rowCount: number
  column: EditedColumn
}) {
  const t = useTranslate()
  const { nulls, min, max, error } = profile
  if (error !== null) return <p className={styles.whose}>{error}</p>
  return (
    <section className={styles.figures}>
      <h3>{t('dataset.profile.title', 'Data profile')}</h3>
      <ValueHistogram profile={profile} column={column} />
      <dl>
        <dt>{t('dataset.profile.nulls', 'Null')}</dt>
        <dd>
          {nulls === null ? '–' : `${formatInteger(nulls)}${rowCount > 0 ? ` · ${share(nulls / rowCount)}` : ''}`}
        </dd>
        <dt>{t('dataset.profile.distinct', 'Distinct')}</dt>
        <dd>{formatDistinctCount(profile)}</dd>
        {min !== null && (
          <>
            <dt>{t('dataset.profile.range', 'Range')}</dt>
            <dd>
              {formatColumnValue(min, column)} – {formatColumnValue(max, column)}
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
