import { NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { presetOptions, resolveFieldSchema, displayedValue, type FieldControlProps, type FieldSchema } from './field.ts'
import { useDebouncedChange } from './use-debounced-change.ts'

/** Enumerations, numbers and strings. Values without a control are editable as JSON, so that nothing is hidden. */
export function PlainControl({ field, onChange }: Pick<FieldControlProps, 'field' | 'onChange'>) {
  const t = useTranslate()
  const shape = resolveFieldSchema(field)
  const value = displayedValue(field)
  const choices = shape.anyOf?.map((each) => each.const)
  const presets = presetOptions(field)
  const optionLabels = field.control.options
  if (optionLabels || choices?.every((choice) => choice !== undefined)) {
    const values = optionLabels ? Object.keys(optionLabels) : (choices ?? []).map(String)
    const stored = value === true ? values[0] : value === undefined ? undefined : String(value)
    return (
      <Select<string>
        value={stored !== undefined && values.includes(stored) ? stored : null}
        selectedLabel={stored}
        onChange={(next) =>
          onChange(next === 'null' ? null : (choices?.find((each) => String(each) === next) ?? next ?? undefined))
        }
        options={values.map((each) => ({ value: each, label: optionLabels?.[each] ?? each }))}
        clearable={!field.required && field.default === undefined}
        placeholder={t('explore.none', 'None')}
      />
    )
  }
  if (shape.type === 'integer' || shape.type === 'number') {
    if (presets.length > 0)
      return (
        <Select<string>
          value={value === undefined || value === null ? null : String(value)}
          onChange={(next) => onChange(next === null || next.trim() === '' ? undefined : Number(next))}
          options={presets}
          placeholder={t('explore.none', 'None')}
          freeText
          clearable={field.default === undefined}
        />
      )
    return <NumberControl value={value} shape={shape} onChange={onChange} />
  }
  if (shape.type === 'string') {
    const text = typeof value === 'string' ? value : ''
    if (presets.length > 0)
      return (
        <Select<string>
          value={text || null}
          onChange={(next) => onChange(next ?? undefined)}
          options={presets}
          placeholder={t('explore.none', 'None')}
          freeText
          clearable={field.default === undefined}
          selectedLabel={presets.find((preset) => preset.value === text)?.label ?? text}
        />
      )
    return <TextInput value={text} onChange={(next) => onChange(next === '' ? undefined : next)} />
  }
  if (presets.length > 0)
    return (
      <Select<string>
        value={String(value ?? null)}
        onChange={(next) => onChange(next === null ? undefined : readValue(next))}
        options={presets}
        freeText
      />
    )
  return <JsonControl value={value} onChange={onChange} />
}

function NumberControl({
  value,
  shape,
  onChange,
}: {
  value: unknown
  shape: FieldSchema
  onChange(value: unknown): void
}) {
  const typed = useDebouncedChange(typeof value === 'number' ? value : null, (next) => onChange(next ?? undefined))
  return (
    <div {...typed.around}>
      <NumberInput
        value={typed.value}
        onChange={typed.onChange}
        integer={shape.type === 'integer'}
        // With the default step, an arrow key would jump from 0 to 1.
        step={shape.type === 'number' && shape.maximum !== undefined && shape.maximum <= 1 ? 0.1 : 1}
        {...(shape.minimum !== undefined && { min: shape.minimum })}
        {...(shape.maximum !== undefined && { max: shape.maximum })}
      />
    </div>
  )
}

/** Parses booleans, numbers and null; any other text stays a string. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function JsonControl({ value, onChange }: { value: unknown; onChange(value: unknown): void }) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value)))
  const change = (next: string): void => {
    setText(next)
    if (next.trim() === '') return onChange(undefined)
    try {
      onChange(JSON.parse(next))
    } catch {
      // Invalid JSON stays in the field until it is complete.
    }
  }
  return <TextInput value={text} onChange={change} mono placeholder="JSON" />
}
