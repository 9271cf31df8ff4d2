import { conditionOperators, textOperators } from '@parquetry/charts/shared/conditional-formats'
import { Button, Checkbox, Field, NumberInput, Select, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { validateFormatRule, isBetween, ruleColors, hasTargetValue, type FormatRule } from './format-rules.ts'
import type { ResultColumn } from './result-columns.ts'
import styles from './controls.module.css'

export interface FormatRulePopoverProps {
  rule: FormatRule | null
  columns: readonly ResultColumn[]
  /** Rules of a table can color entire rows, and text instead of backgrounds. */
  ofRows: boolean
  onSave(rule: FormatRule): void
  onCancel(): void
}

type Part = 'column' | 'operator' | 'target' | 'left' | 'right' | 'color'

/** Editor of a conditional formatting rule. Bounds are validated on blur (CTRL-100). */
export function FormatRulePopover({ rule, columns, ofRows, onSave, onCancel }: FormatRulePopoverProps) {
  const t = useTranslate()
  const first = columns.find(({ kind }) => kind === 'number')
  const [edited, setEdited] = useState<FormatRule>(
    () => rule ?? { ...(first && { column: first.name }), operator: '>', colorScheme: ruleColors.green },
  )
  const isText = columns.find(({ name }) => name === edited.column)?.kind === 'text'
  const operators: readonly string[] = isText
    ? textOperators
    : ofRows
      ? [...conditionOperators, 'is null', 'is not null']
      : conditionOperators
  const [left, setLeft] = useState<ReadonlySet<Part>>(new Set())
  const errors = validateFormatRule(edited)
  const update = (patch: FormatRule): void => setEdited({ ...edited, ...patch })
  const leave = (part: Part) => () => setLeft(new Set([...left, part]))
  const errorText = (part: Part): string | undefined => {
    const error = left.has(part) ? errors[part] : undefined
    if (error === 'too-large')
      return t('explore.rule.tooLarge', 'This value should be smaller than the right target value')
    if (error === 'too-small')
      return t('explore.rule.tooSmall', 'This value should be greater than the left target value')
    return error && t('explore.rule.required', 'Required')
  }
  const choose = (column: string): void => {
    const isOther = (columns.find(({ name }) => name === column)?.kind === 'text') !== isText
    if (!isOther) return update({ column })
    const { targetValue: _, targetValueLeft: __, targetValueRight: ___, ...rest } = edited
    setEdited({ ...rest, column, operator: isText ? '>' : '=' })
  }
  const number = (part: Part, key: 'targetValue' | 'targetValueLeft' | 'targetValueRight', label: string) => (
    <Field label={label} error={errorText(part)} required>
      <NumberInput
        value={typeof edited[key] === 'number' ? edited[key] : null}
        onBlur={leave(part)}
        onChange={(next) => {
          const { [key]: _, ...rest } = edited
          setEdited(next === null ? rest : { ...rest, [key]: next })
        }}
      />
    </Field>
  )
  return (
    <form
      className={styles.popover}
      onSubmit={(event) => {
        event.preventDefault()
        setLeft(new Set(['column', 'operator', 'target', 'left', 'right', 'color']))
        if (Object.keys(errors).length === 0) onSave(edited)
      }}
    >
      <Field label={t('explore.rule.column', 'Column')} error={errorText('column')} required>
        <Select<string>
          data-autofocus
          value={edited.column ?? null}
          options={columns.map(({ name, label }) => ({ value: name, label }))}
          onChange={(column) => column && choose(column)}
        />
      </Field>
      <Field label={t('explore.rule.operator', 'Operator')} error={errorText('operator')} required>
        <Select<string>
          value={edited.operator ?? null}
          options={operators.map((operator) => ({
            value: operator,
            label: operator === 'None' ? t('explore.rule.every', 'None (all cells, by value)') : operator,
          }))}
          onChange={(operator) => operator && update({ operator })}
        />
      </Field>
      {hasTargetValue(edited.operator) &&
        (isText ? (
          <Field label={t('explore.rule.target', 'Target value')} error={errorText('target')} required>
            <TextInput
              value={String(edited.targetValue ?? '')}
              onBlur={leave('target')}
              onChange={(targetValue) => update({ targetValue })}
            />
          </Field>
        ) : (
          number('target', 'targetValue', t('explore.rule.target', 'Target value'))
        ))}
      {isBetween(edited.operator) && (
        <div className={styles.pair}>
          {number('left', 'targetValueLeft', t('explore.rule.left', 'Left value'))}
          {number('right', 'targetValueRight', t('explore.rule.right', 'Right value'))}
        </div>
      )}
      <Field label={t('explore.rule.color', 'Color scheme')} error={errorText('color')} required>
        <Select<string>
          value={edited.colorScheme ?? null}
          selectedLabel={edited.colorScheme}
          options={[
            { value: ruleColors.green, label: t('explore.rule.green', 'Green') },
            { value: ruleColors.yellow, label: t('explore.rule.yellow', 'Yellow') },
            { value: ruleColors.red, label: t('explore.rule.red', 'Red') },
          ]}
          onChange={(colorScheme) => colorScheme && update({ colorScheme })}
        />
      </Field>
      {ofRows && (
        <>
          {!isText && edited.toTextColor !== true && (
            <Checkbox
              label={t('explore.rule.gradient', 'Use gradient')}
              checked={edited.useGradient !== false}
              onChange={(useGradient) => update({ useGradient })}
            />
          )}
          <Checkbox
            label={t('explore.rule.row', 'Apply to entire row')}
            checked={edited.toAllRow === true}
            onChange={(toAllRow) => update({ toAllRow })}
          />
          <Checkbox
            label={t('explore.rule.text', 'Apply color to text')}
            checked={edited.toTextColor === true}
            onChange={(toTextColor) => update({ toTextColor })}
          />
        </>
      )}
      <div className={styles.foot}>
        <Button onClick={onCancel}>{t('explore.popover.cancel', 'Cancel')}</Button>
        <Button variant="primary" type="submit">
          {t('explore.popover.save', 'Save')}
        </Button>
      </div>
    </form>
  )
}
