import { Button, Field, IconButton, MultiSelect, TextInput, useTranslate } from '@parquetry/ui'
import { findInvalidRow, type AttributeDraft } from './attributes-draft.ts'
import styles from './users.module.css'

export interface AttributesFieldProps {
  value: readonly AttributeDraft[]
  onChange(value: AttributeDraft[]): void
  /** Error of the server. */
  error: string | undefined
}

/** Names and values that row-level security rules compare with columns. */
export function AttributesField({ value, onChange, error }: AttributesFieldProps) {
  const t = useTranslate()
  const change = (index: number, patch: Partial<AttributeDraft>): void =>
    onChange(value.map((row, other) => (other === index ? { ...row, ...patch } : row)))
  const invalid = findInvalidRow(value)
  return (
    <fieldset className={styles.attributes}>
      <legend>{t('lists.users.attributes', 'Attributes')}</legend>
      <p className={styles.note}>
        {t(
          'lists.users.attributesHelp',
          'Row-level security rules read them, for example with {example}. With several values, a rule needs {many}. Values of a user replace those of their groups under the same name.',
          {
            example: "{{ user_attribute('region') }}",
            many: "{{ user_attribute('region', many=true) | where_in }}",
          },
        )}
      </p>
      {value.map((row, index) => (
        <div key={index} className={styles.attribute}>
          <Field
            label={t('lists.users.attributeName', 'Attribute')}
            error={
              index === invalid && row.name.trim() !== ''
                ? t('lists.users.attributeNameInvalid', 'Use letters, digits and underscores')
                : undefined
            }
          >
            <TextInput
              value={row.name}
              onChange={(name) => change(index, { name })}
              maxLength={64}
              placeholder="region"
            />
          </Field>
          <Field label={t('lists.users.attributeValues', 'Values')}>
            <MultiSelect
              value={row.values}
              options={[]}
              freeText
              onChange={(values) => change(index, { values })}
              labelOf={(label) => label}
              placeholder={t('lists.users.attributeValuesHint', 'Type a value, then Enter')}
            />
          </Field>
          <IconButton
            icon="trash"
            label={t('lists.users.removeAttribute', 'Remove the attribute {name}', { name: row.name })}
            onClick={() => onChange(value.filter((_, other) => other !== index))}
          />
        </div>
      ))}
      {error && <p className={styles.error}>{error}</p>}
      <div>
        <Button icon="plus" variant="quiet" onClick={() => onChange([...value, { name: '', values: [] }])}>
          {t('lists.users.addAttribute', 'Add attribute')}
        </Button>
      </div>
    </fieldset>
  )
}
