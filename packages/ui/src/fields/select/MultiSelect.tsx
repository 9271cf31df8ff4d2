import { useState } from 'react'
import { Button } from '../../buttons/Button.tsx'
import { IconButton } from '../../buttons/IconButton.tsx'
import { Tag } from '../../data/Tag.tsx'
import { Spinner } from '../../feedback/Spinner.tsx'
import { Icon } from '../../icons/Icon.tsx'
import { useTranslate } from '../../theme/i18n.ts'
import { useField, useFieldLabel } from '../Field.tsx'
import fields from '../fields.module.css'
import { OptionList } from './OptionList.tsx'
import { splitPasted, parseTypedValue, type FreeText, type Option } from './options.ts'
import type { SelectBaseProps } from './Select.tsx'
import { SelectBox } from './SelectBox.tsx'
import { useCombobox } from './use-combobox.ts'
import { useOptions } from './use-options.ts'
import styles from './select.module.css'

export interface MultiSelectProps<V extends string | number> extends SelectBaseProps<V> {
  value: readonly V[]
  onChange(value: NoInfer<V>[]): void
  /** Labels of values whose options are not loaded. */
  labelOf?: ((value: NoInfer<V>) => string | undefined) | undefined
  /** Accepts typed and pasted text as values. */
  freeText?: FreeText<NoInfer<V>>
  /** Adds "Select all" above the list, for all loaded options that match the typed text. */
  selectAll?: boolean
}

/** Number of chips in the closed field before "+N". */
const shownChips = 8

/**
 * Picks several options of a few or thousands, shown as chips. Backspace removes the last one; pasting a list adds the matching
 * options.
 */
export function MultiSelect<V extends string | number>(props: MultiSelectProps<V>) {
  const { value, onChange, options, load, labelOf, freeText, selectAll, placeholder, prefix, compact } = props
  const t = useTranslate()
  const field = useField(props)
  const labelledBy = useFieldLabel()
  const [open, setOpenState] = useState(false)
  const [search, setSearch] = useState('')
  const [labels, setLabels] = useState<ReadonlyMap<V, string>>(new Map())
  const state = useOptions(options, load, open, search, freeText, props.source)
  const off = props.disabledReason !== undefined
  const chosen = new Set(value)

  const setOpen = (next: boolean): void => {
    setOpenState(next)
    if (!next) setSearch('')
  }
  const remember = (added: readonly Option<V>[]): void =>
    setLabels((before) => new Map([...before, ...added.map(({ value, label }) => [value, label] as const)]))
  const pick = (chosenOne: Option<V>): void => {
    const option = chosenOne.isTyped ? { value: chosenOne.value, label: String(chosenOne.value) } : chosenOne
    remember([option])
    onChange(chosen.has(option.value) ? value.filter((other) => other !== option.value) : [...value, option.value])
    setSearch('')
  }
  const addTexts = (texts: string[]): void => {
    const listed = state.options.filter(({ isTyped }) => !isTyped)
    const byLabel = new Map(listed.map((option) => [option.label.toLocaleLowerCase(), option]))
    const found = texts.flatMap((text) => byLabel.get(text.toLocaleLowerCase()) ?? [])
    remember(found)
    const added = freeText
      ? texts.flatMap((text) => byLabel.get(text.toLocaleLowerCase())?.value ?? parseTypedValue(freeText, text) ?? [])
      : found.map((option) => option.value)
    onChange([...new Set([...value, ...added])])
    setSearch('')
  }
  const words = (one: V): string =>
    options?.find((option) => option.value === one)?.label ?? labels.get(one) ?? labelOf?.(one) ?? String(one)
  const { listId, active, setActive, inputProps } = useCombobox(state, open, setOpen, pick, 0)
  const chips = open ? value : value.slice(0, shownChips)
  const missing = state.options.filter(
    (option) => !chosen.has(option.value) && option.disabledReason === undefined && !option.isTyped,
  )

  return (
    <SelectBox
      open={open}
      onOpen={() => setOpen(true)}
      off={off}
      className={[fields.box, styles.box, styles.multi, compact && styles.compact, props.className]
        .filter(Boolean)
        .join(' ')}
      list={
        <>
          {selectAll && missing.length > 0 && (
            <Button
              variant="quiet"
              className={styles.all}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                remember(missing)
                onChange([...value, ...missing.map((option) => option.value)])
              }}
            >
              {t('ui.select.all', 'Select all ({count, number})', { count: missing.length })}
            </Button>
          )}
          <OptionList
            id={listId}
            label={props['aria-label']}
            labelledBy={props['aria-label'] ? undefined : labelledBy}
            state={state}
            active={active}
            nothing={props.nothing}
            isSelected={(other) => chosen.has(other)}
            multiple
            onPick={pick}
            onActive={setActive}
          />
        </>
      }
    >
      {prefix && value.length > 0 && <span className={styles.prefix}>{prefix}</span>}
      <span className={styles.chips}>
        {chips.map((one) => (
          <Tag key={one} onRemove={off ? undefined : () => onChange(value.filter((other) => other !== one))}>
            {words(one)}
          </Tag>
        ))}
        {value.length > chips.length && <span className={styles.more}>+{value.length - chips.length}</span>}
        <input
          {...field}
          {...inputProps}
          aria-label={props['aria-label']}
          aria-description={props.disabledReason}
          data-autofocus={props['data-autofocus'] || undefined}
          type="text"
          className={`${fields.input} ${styles.multiInput}`}
          disabled={off}
          placeholder={value.length === 0 ? placeholder : undefined}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setOpenState(true)
            setActive(0)
          }}
          onPaste={(event) => {
            const texts = splitPasted(event.clipboardData.getData('text'))
            if (texts.length < 2) return
            event.preventDefault()
            addTexts(texts)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Backspace' && search === '' && value.length > 0) onChange(value.slice(0, -1))
            else if (
              parseTypedValue(freeText, search) !== null &&
              (event.key === ',' || (event.key === 'Enter' && active < 0))
            ) {
              event.preventDefault()
              addTexts([search.trim()])
            } else inputProps.onKeyDown(event)
          }}
          onBlur={() => setOpen(false)}
        />
      </span>
      {open && state.loading ? <Spinner size={14} /> : null}
      {value.length > 0 && !off ? (
        <IconButton
          icon="close"
          className={fields.inner}
          label={t('ui.select.clearAll', 'Clear all')}
          onClick={() => onChange([])}
        />
      ) : (
        <Icon name="chevron-down" className={styles.chevron} />
      )}
    </SelectBox>
  )
}
