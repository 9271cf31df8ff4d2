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
import {
  freeTextSettings,
  splitPasted,
  parseTypedValue,
  type FreeText,
  type Option,
  type OptionPage,
} from './options.ts'
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
  /** Loads all options that match the typed text, for a list that contains only some of them. */
  loadAll?: (search: string) => Promise<OptionPage<NoInfer<V>>>
}

/** Numbers of chips before "+N" in the closed field and in the open one. */
const shownChips = { closed: 8, open: 200 }

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
  const typing = freeTextSettings(freeText)
  const isTypedValue = parseTypedValue(freeText, search) !== null
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
  const addTyped = (): void => {
    if (typing?.addsOnBlur && isTypedValue) addTexts([search.trim()])
  }
  const addOptions = (added: readonly Option<V>[]): void => {
    const fitting = added.filter((option) => !chosen.has(option.value) && option.disabledReason === undefined)
    remember(fitting)
    onChange([...value, ...fitting.map((option) => option.value)])
  }
  const words = (one: V): string =>
    options?.find((option) => option.value === one)?.label ?? labels.get(one) ?? labelOf?.(one) ?? String(one)
  const { listId, active, setActive, inputProps } = useCombobox(state, open, setOpen, pick, 0)
  const chips = value.slice(0, open ? shownChips.open : shownChips.closed)
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
            <SelectAll
              missing={missing.length}
              isPartial={state.isCut || state.options.length < state.count}
              load={props.loadAll && (() => props.loadAll!(search))}
              onShown={() => addOptions(missing)}
              onAll={addOptions}
            />
          )}
          <OptionList
            id={listId}
            label={props['aria-label']}
            labelledBy={props['aria-label'] ? undefined : labelledBy}
            state={state}
            active={active}
            nothing={search.trim() !== '' && !isTypedValue ? (typing?.invalid ?? props.nothing) : props.nothing}
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
            else if (isTypedValue && (event.key === ',' || (event.key === 'Enter' && active < 0))) {
              event.preventDefault()
              addTexts([search.trim()])
            } else {
              // The list closes at this key, before the field loses the focus.
              if (event.key === 'Tab') addTyped()
              inputProps.onKeyDown(event)
            }
          }}
          onBlur={() => {
            addTyped()
            setOpen(false)
          }}
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

interface SelectAllProps<V extends string | number> {
  /** Number of options of the list that are not selected. */
  missing: number
  /** More options match than the list contains. */
  isPartial: boolean
  load: (() => Promise<OptionPage<V>>) | undefined
  onShown(): void
  onAll(options: Option<V>[]): void
}

/** Selects the options of the list, and those that match beyond it if it contains only some. */
function SelectAll<V extends string | number>({ missing, isPartial, load, onShown, onAll }: SelectAllProps<V>) {
  const t = useTranslate()
  const [isLoading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const loadAll = async (): Promise<void> => {
    if (!load || isLoading) return
    setLoading(true)
    setProblem(null)
    try {
      const { options, count, isCut } = await load()
      if (isCut) setProblem(t('ui.select.tooMany', 'More than {count, number} match. Type to find fewer.', { count }))
      else onAll(options)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      setProblem(t('ui.select.failed', 'Error while fetching data: {message}', { message }))
    }
    setLoading(false)
  }
  const button = (label: string, act: () => void) => (
    <Button
      variant="quiet"
      className={styles.all}
      busy={isLoading}
      onMouseDown={(event) => event.preventDefault()}
      onClick={act}
    >
      {label}
    </Button>
  )
  if (!isPartial) return button(t('ui.select.all', 'Select all ({count, number})', { count: missing }), onShown)
  return (
    <>
      {button(t('ui.select.allShown', 'Select the {count, number} in this list', { count: missing }), onShown)}
      {load && button(t('ui.select.allMatching', 'Select all matching'), () => void loadAll())}
      {problem && (
        <p className={styles.status} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
