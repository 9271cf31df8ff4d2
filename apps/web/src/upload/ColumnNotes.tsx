import type { NoteKind } from '@parquetry/model/table-file/guess-type'
import type { Reading } from '@parquetry/model/table-file/types'
import { Button, Icon, SegmentedControl, useTranslate, type Translate } from '@parquetry/ui'
import { useState } from 'react'
import { FileAssumptions, type FileAssumptionsProps } from './FileAssumptions.tsx'
import { formatLabel, typeLabels } from './reading-labels.ts'
import { isSameReading, listNotes, readColumnAs } from './upload-item.ts'
import styles from './upload.module.css'

function readingLabel(t: Translate, { type, format }: Reading, kind: NoteKind): string {
  if (kind === 'order' && format !== null) {
    const isDayFirst = format.startsWith('%d')
    return isDayFirst ? t('upload.note.dayFirst', 'Day/month/year') : t('upload.note.monthFirst', 'Month/day/year')
  }
  if (kind === 'century' && format !== null) return formatLabel(t, format)
  const label = typeLabels(t)[type]
  return label.charAt(0).toLocaleUpperCase() + label.slice(1)
}

/** Shows what was assumed about a column, or why it stays text. */
function noteText(t: Translate, kind: NoteKind, name: string, reading: string): string {
  switch (kind) {
    case 'order':
      return t('upload.note.order', '{name}: read as {reading}, but the other order fits too', {
        name,
        reading: reading.toLocaleLowerCase(),
      })
    case 'grouped':
      return t('upload.note.grouped', '{name}: thousands separators are removed', { name })
    case 'zone':
      return t('upload.note.zone', '{name}: times are converted to UTC', { name })
    case 'zeros':
      return t('upload.note.zeros', '{name}: text, because numbers would lose leading zeros', { name })
    case 'plus':
      return t('upload.note.plus', '{name}: text, because numbers would lose the plus sign', { name })
    case 'digits':
      return t('upload.note.digits', '{name}: text, because numbers would lose digits', { name })
    case 'scientific':
      return t('upload.note.scientific', '{name}: text, because codes such as 1E5 would become numbers', { name })
    case 'separator':
      return t('upload.note.separator', '{name}: text, because its decimal separator is another one', { name })
    case 'percent':
      return t('upload.note.percent', '{name}: text with percentages; as a number, 5% is 0.05', { name })
    case 'currency':
      return t('upload.note.currency', '{name}: text with amounts of money; numbers would lose the currency', { name })
    case 'words':
      return t('upload.note.words', '{name}: text with words for yes and no', { name })
    case 'fraction':
      return t('upload.note.fraction', '{name}: text, because times would lose digits after microseconds', { name })
    case 'formats':
      return t('upload.note.formats', '{name}: text, because its dates have several formats', { name })
    case 'century':
      return t('upload.note.century', '{name}: text, because its years have no century', { name })
  }
}

const shownNotes = 4

/** Assumptions about the file and its columns, each with the readings that one click chooses. */
export function ColumnNotes(props: FileAssumptionsProps) {
  const { row, onChange } = props
  const t = useTranslate()
  const [isExpanded, setExpanded] = useState(false)
  const notes = listNotes(row)
  if (notes.length === 0 && !row.look?.assumptions.length) return null
  const hidden = notes.length - shownNotes
  return (
    <div className={styles.notes} role="region" aria-label={t('upload.notes', 'Assumptions')}>
      <FileAssumptions {...props} />
      {notes.slice(0, isExpanded ? undefined : shownNotes).map(({ source, kind, readings, column }) => {
        const current = readings.find((reading) => isSameReading(reading, column)) ?? column
        const labels = readings.map((reading) => readingLabel(t, reading, kind))
        return (
          <div key={source} className={styles.note}>
            <p>
              <Icon name="info" />
              <span>{noteText(t, kind, column.name, readingLabel(t, readings[0] ?? column, kind))}</span>
            </p>
            {readings.length > 1 && (
              <SegmentedControl
                label={t('upload.note.choice', 'Read {name} as', { name: column.name })}
                value={String(readings.indexOf(current))}
                options={labels.map((label, index) => ({ value: String(index), label }))}
                onChange={(at) => onChange(readColumnAs(row, source, readings[Number(at)] ?? column))}
              />
            )}
          </div>
        )
      })}
      {hidden > 0 && (
        <Button variant="quiet" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded
            ? t('upload.notes.fewer', 'Show fewer')
            : t('upload.notes.more', '{count, plural, one {Show # more} other {Show # more}}', { count: hidden })}
        </Button>
      )}
    </div>
  )
}
