import { useTranslate } from '../theme/i18n.ts'

/** State of a task in a text. Readers cannot change it. */
export function TaskCheckbox({ checked }: { checked: boolean }) {
  const t = useTranslate()
  return (
    <input
      type="checkbox"
      checked={checked}
      disabled
      aria-label={checked ? t('ui.task.done', 'Completed task') : t('ui.task.open', 'Open task')}
    />
  )
}
