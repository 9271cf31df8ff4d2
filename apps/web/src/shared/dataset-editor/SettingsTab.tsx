import { Checkbox, Field, MultiSelect, Select, TextArea, TextInput, useTranslate } from '@parquetry/ui'
import { loadSubjects } from '../related-options.ts'
import { canEditTags } from '../tags/has-tags.ts'
import { DatasetTags } from './DatasetTags.tsx'
import type { DatasetDocument } from './document.ts'
import styles from './editor.module.css'

export interface SettingsTabProps {
  /** Id of the dataset. */
  id: number
  document: DatasetDocument
  readOnly: boolean
  errorOf(field: string): string | undefined
  onSet(fields: Partial<DatasetDocument>): void
}

/** Settings of the dataset as a whole. */
export function SettingsTab({ id, document, readOnly, errorOf, onSet }: SettingsTabProps) {
  const t = useTranslate()
  const text = (field: keyof DatasetDocument) => ({
    value: String(document[field] ?? ''),
    onChange: (value: string) => onSet({ [field]: value }),
  })
  const checkboxProps = (field: keyof DatasetDocument) => ({
    checked: document[field] === true,
    onChange: (value: boolean) => onSet({ [field]: value }),
  })
  return (
    <div className={styles.tab}>
      <fieldset className={styles.form} disabled={readOnly}>
        <Field
          label={t('dataset.column.description', 'Description')}
          help={t('dataset.markdown', 'Supports Markdown.')}
        >
          <TextArea rows={4} {...text('description')} />
        </Field>
        <Field
          label={t('dataset.owners', 'Owners')}
          help={t('dataset.owners.help', 'Owners and administrators can edit this dataset.')}
        >
          <MultiSelect
            value={document.editors.map(({ id }) => String(id))}
            labelOf={(value) => document.editors.find(({ id }) => String(id) === value)?.name}
            load={loadSubjects('dataset', 'editors')}
            onChange={(ids) =>
              onSet({
                editors: ids.map(
                  (value) => document.editors.find(({ id }) => String(id) === value) ?? { id: Number(value), name: '' },
                ),
              })
            }
          />
        </Field>
        {canEditTags && !readOnly && <DatasetTags id={id} />}
        <div className={styles.two}>
          <Field label={t('dataset.column.certified', 'Certified by')}>
            <TextInput {...text('certified_by')} />
          </Field>
          <Field label={t('dataset.certification', 'Certification details')}>
            <TextInput {...text('certification_details')} />
          </Field>
        </div>
        <Field label={t('dataset.warning', 'Warning')} help={t('dataset.markdown', 'Supports Markdown.')}>
          <TextArea rows={2} {...text('warning_markdown')} />
        </Field>
        <h3>{t('dataset.times', 'Time')}</h3>
        <div className={styles.two}>
          <Field label={t('dataset.mainTime', 'Main time column')}>
            <Select<string>
              value={document.main_dttm_col || null}
              selectedLabel={document.main_dttm_col}
              clearable
              placeholder={t('dataset.none', 'None')}
              options={document.columns
                .filter(({ is_dttm }) => is_dttm)
                .map(({ column_name, verbose_name }) => ({ value: column_name, label: verbose_name || column_name }))}
              onChange={(value) => onSet({ main_dttm_col: value ?? '' })}
            />
          </Field>
          <Field
            label={t('dataset.offset', 'Hours offset')}
            help={t('dataset.offset.help', 'Hours added to time values, such as -3.')}
            error={errorOf('offset')}
          >
            <TextInput inputMode="numeric" {...text('offset')} />
          </Field>
        </div>
        <Checkbox
          label={t('dataset.alwaysMain', 'Also apply time filters to the main time column')}
          {...checkboxProps('always_filter_main_dttm')}
        />
        <h3>{t('dataset.asking', 'Queries')}</h3>
        <Field
          label={t('dataset.cache', 'Cache timeout')}
          help={t(
            'dataset.cache.help',
            'In seconds. Enter -1 to turn off caching. Leave empty to use the database default.',
          )}
          error={errorOf('cache_timeout')}
        >
          <TextInput inputMode="numeric" {...text('cache_timeout')} />
        </Field>
        <Checkbox
          label={t('dataset.filterSelect', 'Suggest column values in chart filters')}
          {...checkboxProps('filter_select_enabled')}
        />
        <Field
          label={t('dataset.predicate', 'Filter value predicate')}
          help={t(
            'dataset.predicate.help',
            'SQL condition that limits the rows read for filter values, so that they load faster. Example: day > now() - interval 30 day',
          )}
        >
          <TextInput mono spellCheck={false} {...text('fetch_values_predicate')} />
        </Field>
        <Field
          label={t('dataset.templateParams', 'Template parameters')}
          help={t('dataset.templateParams.help', 'A JSON object with parameters for templates in the SQL.')}
          error={errorOf('template_params')}
        >
          <TextArea mono rows={3} spellCheck={false} {...text('template_params')} />
        </Field>
        <Checkbox
          label={t('dataset.normalize', 'Convert column names to lowercase')}
          {...checkboxProps('normalize_columns')}
        />
        <h3>{t('dataset.other', 'Other')}</h3>
        <Field
          label={t('dataset.endpoint', 'Default URL')}
          help={t('dataset.endpoint.help', 'A page on this server to open instead of Explore.')}
          error={errorOf('default_endpoint')}
        >
          <TextInput {...text('default_endpoint')} placeholder="/explore/?…" />
        </Field>
        <Field
          label={t('dataset.extra', 'Extra')}
          help={t('dataset.extra.help', 'A JSON object, such as {example}.', {
            example: '{"disallow_adhoc_metrics": true}',
          })}
          error={errorOf('extra')}
        >
          <TextArea mono rows={3} spellCheck={false} {...text('extra')} />
        </Field>
      </fieldset>
    </div>
  )
}
