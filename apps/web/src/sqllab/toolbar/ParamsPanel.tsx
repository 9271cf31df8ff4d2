import { Field, IconButton, TextArea, useTranslate } from '@parquetry/ui'
import { jsonErrorText } from '../../shared/json-error.ts'
import { isValidTemplateParams } from '../editor/use-validation.ts'
import styles from './ParamsPanel.module.css'

export interface ParamsPanelProps {
  value: string
  onChange(value: string): void
  onClose(): void
}

/** SQL-029: values for the names in `{{ }}`, as JSON. */
export function ParamsPanel({ value, onChange, onClose }: ParamsPanelProps) {
  const t = useTranslate()
  return (
    <section className={styles.panel} aria-label={t('sqllab.params.title', 'Template parameters')}>
      <Field
        label={t('sqllab.params.title', 'Template parameters')}
        help={t('sqllab.params.help', 'Enter a JSON object. Write {example} in the query to insert a value.', {
          example: '{{ name }}',
        })}
        error={
          isValidTemplateParams(value)
            ? undefined
            : (jsonErrorText(value, t) ?? t('sqllab.params.error', 'Enter a JSON object'))
        }
      >
        <TextArea mono rows={2} value={value} onChange={onChange} spellCheck={false} data-autofocus />
      </Field>
      <IconButton icon="close" label={t('sqllab.params.close', 'Close parameters')} onClick={onClose} />
    </section>
  )
}
