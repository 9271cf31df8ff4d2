import type { FileColumn, FileLoaded } from '@parquetry/model'
import { Button, Checkbox, Icon, useText, type Translate } from '@parquetry/ui'
import { useState } from 'react'
import type { Row } from './row.ts'
import styles from './upload.module.css'

/** What a value should have been. */
const kinds = (t: Translate, type: FileColumn['type']): string => {
  if (type === 'integer') return t('upload.bad.integer', 'whole numbers')
  if (type === 'decimal') return t('upload.bad.decimal', 'numbers')
  if (type === 'boolean') return t('upload.bad.boolean', 'yes or no')
  return type === 'date' ? t('upload.bad.date', 'dates') : t('upload.bad.datetime', 'dates with times')
}

interface Found {
  columns: FileLoaded['bad']
  lines: number
  of: number
  isWhole: boolean
  samples: FileLoaded['samples']
}

/** What the server found in the whole file, else what this page found at its start. */
export const foundOf = ({ state, strays }: Pick<Row, 'state' | 'strays'>): Found | null => {
  const result = state?.state === 'refused' ? state.result : null
  if (result)
    return { columns: result.bad, lines: result.badLines, of: result.rows, isWhole: true, samples: result.samples }
  return strays
}

/** Values and lines that do not fit: how many, which, and whether they may become nothing. */
export function DoesNotFit({ row, onChange }: { row: Row; onChange(change: Partial<Row>): void }) {
  const t = useText()
  const [isShown, setShown] = useState(false)
  const found = foundOf(row)
  if (!found || (found.columns.length === 0 && found.lines === 0)) return null
  const taken = found.columns.filter(({ name }) =>
    row.columns.some((column) => column.name === name && !row.left.has(column.source)),
  )
  return (
    <div className={styles.unfit} role="status">
      {taken.map(({ name, type, count }) => (
        <p key={name}>
          <Icon name="warning" />{' '}
          {found.isWhole
            ? t('upload.bad.values', '{count, number} of {of, number} values in {name} are not {kind}', {
                count,
                of: found.of,
                name,
                kind: kinds(t, type),
              })
            : t('upload.bad.valuesStart', '{count, number} of the first {of, number} values in {name} are not {kind}', {
                count,
                of: found.of,
                name,
                kind: kinds(t, type),
              })}
        </p>
      ))}
      {found.lines > 0 && (
        <p>
          <Icon name="warning" />{' '}
          {t('upload.bad.lines', '{count, plural, one {# line has} other {# lines have}} too many or too few values', {
            count: found.lines,
          })}
        </p>
      )}
      <Button variant="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? t('upload.bad.hide', 'Hide') : t('upload.bad.show', 'Show')}
      </Button>
      {isShown && (
        <ul className={styles.samples}>
          {found.samples.map(({ line, column, value }) => (
            <li key={`${line} ${column ?? ''}`}>
              {column === null
                ? t('upload.bad.line', 'Line {line, number}:', { line })
                : t('upload.bad.value', 'Line {line, number}, {column}:', { line, column })}{' '}
              <code>{value}</code>
            </li>
          ))}
        </ul>
      )}
      {taken.length > 0 && (
        <Checkbox
          checked={row.consent.values}
          onChange={(values) => onChange({ consent: { ...row.consent, values } })}
          label={t('upload.bad.consent', 'Leave these values empty')}
        />
      )}
      {found.lines > 0 && (
        <Checkbox
          checked={row.consent.lines}
          onChange={(lines) => onChange({ consent: { ...row.consent, lines } })}
          label={t('upload.bad.consentLines', 'Fill short lines up, and leave long ones out')}
        />
      )}
    </div>
  )
}
