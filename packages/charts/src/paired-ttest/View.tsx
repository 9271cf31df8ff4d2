import { Icon, useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import type { ViewProps } from '../views/view.ts'
import type { TtestSpec } from './chart.ts'
import { buildTTestRows, type TTestRow } from './t-test-rows.ts'
import styles from './paired-ttest.module.css'

const maxRows = 200

/** One table per metric that compares its groups with a control group, selected by click or Enter. */
export default function PairedTtestView({ spec: given, frames, around, label }: ViewProps) {
  const spec = given as TtestSpec
  return (
    // Long tables scroll and must be reachable by keyboard.
    <div className={styles.chart} role="region" aria-label={label} tabIndex={0}>
      {spec.tables.map(({ metric, groups }) => (
        <TTestTable
          key={metric}
          {...{ spec, metric, groups }}
          frame={frames.series}
          say={around.translate}
          locale={around.locale}
        />
      ))}
      <p className={styles.note}>{spec.note}</p>
    </div>
  )
}

type TestTableProps = Pick<Parameters<typeof buildTTestRows>[3], 'frame' | 'say' | 'locale'> & {
  spec: TtestSpec
  metric: string
  groups: TtestSpec['tables'][number]['groups']
}

type SortKey = number | 'p' | 'lift'

function TTestTable({ spec, metric, groups, frame, say, locale }: TestTableProps) {
  const t = useTranslate()
  const [control, setControl] = useState(0)
  const [sorting, setSorting] = useState<{ by: SortKey; isDescending: boolean } | null>(null)
  const tested = useMemo(
    () => buildTTestRows(spec, groups, control, { frame, say, locale }),
    [spec, groups, control, frame, say, locale],
  )
  const rows = useMemo(() => sortedRows(tested, sorting), [tested, sorting])
  const head = (by: SortKey, words: string, isNumber = false) => {
    const isSorted = sorting?.by === by
    return (
      <th
        key={by}
        scope="col"
        className={isNumber ? styles.number : undefined}
        aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none'}
      >
        <button
          type="button"
          onClick={() =>
            setSorting(
              !isSorted ? { by, isDescending: false } : sorting.isDescending ? null : { by, isDescending: true },
            )
          }
        >
          {words}
          {isSorted && <span aria-hidden="true">{sorting.isDescending ? ' ↓' : ' ↑'}</span>}
        </button>
      </th>
    )
  }
  return (
    <section>
      <h3>{metric}</h3>
      <table aria-label={metric}>
        <thead>
          <tr>
            {spec.dimensions.map((name, index) => head(index, name))}
            {head('p', t('charts.ttest.p', 'p-value'), true)}
            {head('lift', t('charts.ttest.lift', 'Lift %'), true)}
            <th scope="col">{t('charts.ttest.significant', 'Significant')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row) => (
            <tr
              key={row.group.column}
              data-control={row.isControl || undefined}
              onClick={() => setControl(tested.indexOf(row))}
            >
              {row.group.names.map((name, index) =>
                index === 0 ? (
                  <th key={index} scope="row">
                    <button
                      type="button"
                      aria-pressed={row.isControl}
                      title={t('charts.ttest.choose', 'Compare the other groups with this one')}
                    >
                      {name}
                    </button>
                  </th>
                ) : (
                  <td key={index}>{name}</td>
                ),
              )}
              <td className={styles.number} title={formatPairCount(row)}>
                {row.texts.p}
              </td>
              <td className={styles.number} data-sign={row.isControl ? undefined : liftDirection(row)}>
                {row.texts.lift}
              </td>
              <td data-yes={row.isSignificant || undefined}>
                {row.isSignificant && <Icon name="check" />}
                {row.texts.verdict}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxRows && (
        <p className={styles.note}>
          {t('charts.ttest.more', '{count, plural, one {# more group} other {# more groups}}', {
            count: rows.length - maxRows,
          })}
        </p>
      )}
    </section>
  )

  function formatPairCount({ pairs, isControl }: TTestRow): string | undefined {
    return isControl
      ? undefined
      : t('charts.ttest.pairs', '{count, plural, one {# pair} other {# pairs}}', { count: pairs })
  }
}

const liftDirection = ({ lift }: TTestRow): 'up' | 'down' | undefined => (!lift ? undefined : lift > 0 ? 'up' : 'down')

/** Nulls are last in both directions. */
function sortedRows(
  rows: readonly TTestRow[],
  sorting: { by: SortKey; isDescending: boolean } | null,
): readonly TTestRow[] {
  if (!sorting) return rows
  const { by, isDescending } = sorting
  const sign = isDescending ? -1 : 1
  if (typeof by === 'number') {
    const { compare } = new Intl.Collator(undefined, { numeric: true })
    return rows.toSorted((one, other) => sign * compare(one.group.names[by] ?? '', other.group.names[by] ?? ''))
  }
  return rows.toSorted((one, other) => {
    const [left, right] = [one.isControl ? null : one[by], other.isControl ? null : other[by]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * (left - right)
  })
}
