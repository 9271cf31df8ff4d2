import { Field, MultiSelect, useTranslate } from '@parquetry/ui'
import { loadTags } from './tag-options.ts'

export interface TagsFieldProps {
  /** Names of the tags. */
  value: readonly string[]
  onChange(names: string[]): void
  error?: string | undefined
  /** Added to the help. */
  help?: string
}

/** Picks tags by name; typed names become new tags when they are saved. */
export function TagsField({ value, onChange, error, help }: TagsFieldProps) {
  const t = useTranslate()
  return (
    <Field
      label={t('tags.field', 'Tags')}
      help={[t('tags.help', 'Choose tags, or type a new one and press Enter.'), help].filter(Boolean).join(' ')}
      error={error}
    >
      <MultiSelect
        value={value}
        onChange={onChange}
        load={loadTags('name')}
        freeText={{
          read: (text) => text.replaceAll(',', ' ').trim() || null,
          label: (name) => t('tags.newNamed', 'New tag “{name}”', { name }),
        }}
        nothing={t('tags.none', 'No tags yet')}
      />
    </Field>
  )
}
