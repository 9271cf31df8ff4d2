import { Button, useTranslate } from '@parquetry/ui'
import styles from './lists.module.css'

export interface SelectionBarProps {
  selected: number
  count: number
  /** "Select all" is available: the entire page is selected and the list is not too long. */
  mayAll: boolean
  busy: boolean
  onAll(): void
  onNone(): void
  onExport: (() => void) | undefined
  onDelete: (() => void) | undefined
}

/** Actions on selected rows, to the left of the pager. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, count, mayAll, busy, onAll, onNone, onExport, onDelete } = props
  const t = useTranslate()
  return (
    <div className={styles.selection} role="region" aria-label={t('lists.selection', 'Selection')}>
      <strong role="status">{t('lists.selected', '{count, number} selected', { count: selected })}</strong>
      {mayAll && selected < count && (
        <Button variant="quiet" busy={busy} onClick={onAll}>
          {t('lists.selectAll', 'Select all {count, number}', { count })}
        </Button>
      )}
      {onExport && (
        <Button icon="download" onClick={onExport}>
          {t('lists.export', 'Export')}
        </Button>
      )}
      {onDelete && (
        <Button icon="trash" busy={busy} onClick={onDelete}>
          {t('lists.delete', 'Delete')}
        </Button>
      )}
      <Button variant="quiet" onClick={onNone}>
        {t('lists.selectNone', 'Clear selection')}
      </Button>
    </div>
  )
}
