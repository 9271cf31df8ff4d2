import { itemDefaults, type FilterBoxItem } from '@parquetry/charts'
import { Button, Checkbox, Field, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import type { ExploreDataset } from '../use-explore.ts'
import { parseDefaultValue } from './default-value.ts'
import styles from './controls.module.css'

interface FilterBoxItemPopoverProps {
  item: FilterBoxItem | null
  dataset: ExploreDataset
  onSave(item: FilterBoxItem): void
  onCancel(): void
}

/** NATF-040: editor of one filter-box select: column, label, default value, and how its values are chosen. */
export function FilterBoxItemPopover({ item, dataset, onSave, onCancel }: FilterBoxItemPopoverProps) {
  const t = useTranslate()
  const [edited, setEdited] = useState<Partial<FilterBoxItem>>(() => item ?? { ...itemDefaults })
  const [typed, setTyped] = useState(() => String(item?.defaultValue ?? ''))
  const update = (patch: Partial<FilterBoxItem>): void => setEdited({ ...edited, ...patch })
  const { column, label, metric } = edited
  const flag = (name: keyof typeof itemDefaults) => edited[name] ?? itemDefaults[name]
  const type = dataset.columns.find(({ column_name }) => column_name === column)?.type
  const save = (): void => {
    if (!column) return
    onSave({ ...edited, column, defaultValue: parseDefaultValue(typed, type, flag('multiple')) ?? null })
  }
  return (
    <form
      className={styles.popover}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field label={t('explore.filterBox.column', 'Column')} required>
        <Select<string>
          data-autofocus
          value={column ?? null}
          selectedLabel={column}
          placeholder={t('explore.empty.axis', 'Choose a column')}
          options={dataset.columns.map(({ column_name, verbose_name }) => ({
            value: column_name,
            label: verbose_name || column_name,
          }))}
          onChange={(next) => update({ column: next ?? undefined })}
        />
      </Field>
      <Field label={t('explore.filterBox.label', 'Label')}>
        <TextInput value={label ?? ''} onChange={(next) => update({ label: next })} />
      </Field>
      <Field
        label={t('explore.filterBox.default', 'Default value')}
        help={t('explore.filterBox.defaultHelp', 'Separate multiple values with semicolons.')}
      >
        <TextInput value={typed} onChange={setTyped} />
      </Field>
      <Field
        label={t('explore.filterBox.metric', 'Sort metric')}
        help={t(
          'explore.filterBox.metricHelp',
          'Sorts the values by this metric. Leave empty to sort by the values themselves.',
        )}
      >
        <Select<string>
          value={metric || null}
          selectedLabel={metric ?? undefined}
          placeholder={t('explore.none', 'None')}
          options={dataset.metrics.map(({ metric_name, verbose_name }) => ({
            value: metric_name,
            label: verbose_name || metric_name,
          }))}
          clearable
          onChange={(next) => update({ metric: next })}
        />
      </Field>
      <Checkbox
        label={t('explore.filterBox.asc', 'Sort ascending')}
        checked={flag('asc')}
        onChange={(asc) => update({ asc })}
      />
      <Checkbox
        label={t('explore.filterBox.multiple', 'Allow multiple selections')}
        checked={flag('multiple')}
        onChange={(multiple) => update({ multiple })}
      />
      <Checkbox
        label={t('explore.filterBox.searchAll', 'Search all filter options')}
        help={t(
          'explore.filterBox.searchAllHelp',
          'Only the first 1,000 values are loaded. Turn this on to search the database as you type.',
        )}
        checked={flag('searchAllOptions')}
        onChange={(searchAllOptions) => update({ searchAllOptions })}
      />
      <Checkbox
        label={t('explore.filterBox.required', 'Required')}
        help={t('explore.filterBox.requiredHelp', 'Users must choose a value.')}
        checked={!flag('clearable')}
        onChange={(isRequired) => update({ clearable: !isRequired })}
      />
      <div className={styles.foot}>
        <Button onClick={onCancel}>{t('explore.popover.cancel', 'Cancel')}</Button>
        <Button
          variant="primary"
          type="submit"
          disabledReason={column ? undefined : t('explore.filterBox.first', 'Choose a column first')}
        >
          {t('explore.popover.save', 'Save')}
        </Button>
      </div>
    </form>
  )
}
