import { useState, type ReactNode } from 'react'
import { IconButton } from '../../buttons/IconButton.tsx'
import { Swatches } from '../../data/Swatches.tsx'
import { Icon } from '../../icons/Icon.tsx'
import type { IconName } from '../../icons/paths.ts'
import { Spinner } from '../../feedback/Spinner.tsx'
import { useTranslate } from '../../theme/i18n.ts'
import { useField, useFieldLabel } from '../Field.tsx'
import fields from '../fields.module.css'
import { OptionList } from './OptionList.tsx'
import type { FreeText, LoadOptions, Option } from './options.ts'
import { SelectBox } from './SelectBox.tsx'
import { useCombobox } from './use-combobox.ts'
import { useOptions } from './use-options.ts'
import styles from './select.module.css'

export interface SelectBaseProps<V extends string | number> {
  /** All options; use `load` for options that the server searches and pages. */
  options?: readonly Option<NoInfer<V>>[]
  load?: LoadOptions<NoInfer<V>>
  /** Identifies what `load` queries: a new source reloads the options and keeps the typed text. Null while it is unknown. */
  source?: string | null
  placeholder?: string
  icon?: IconName
  /** Content before the value, such as the name of a filter. */
  prefix?: ReactNode
  /** Accessible name when it is not inside a `Field`. */
  'aria-label'?: string
  id?: string
  className?: string
  disabledReason?: string | undefined
  /** As narrow as its text, for a row of filters. */
  compact?: boolean
  /** Text of the list when nothing matches. */
  nothing?: string
  'data-autofocus'?: boolean
}

export interface SelectProps<V extends string | number> extends SelectBaseProps<V> {
  value: V | null
  /**
   * Null if the field was cleared.
   * @param typed  search text at the time of the pick
   */
  onChange(value: NoInfer<V> | null, option: Option<NoInfer<V>> | null, typed: string): void
  /** Label of `value` while its option is not loaded. */
  selectedLabel?: string | undefined
  clearable?: boolean
  /** Accepts typed text as a value. */
  freeText?: FreeText<NoInfer<V>>
  /** Takes the focus and opens its list when it is mounted, as a replacement of a clicked element. */
  startsOpen?: boolean
}

/**
 * Picks one option of a few or thousands: typing searches, arrows move, Enter picks. Long lists are virtualized, and `load`
 * fetches pages from the server 250 ms after the last key. A combobox with a listbox that announces the number of options.
 */
export function Select<V extends string | number>(props: SelectProps<V>) {
  const { value, onChange, options, load, selectedLabel, clearable, freeText, placeholder, icon, prefix, compact } =
    props
  const t = useTranslate()
  const field = useField(props)
  const labelledBy = useFieldLabel()
  const [open, setOpenState] = useState(props.startsOpen ?? false)
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState<Option<V> | null>(null)
  const state = useOptions(options, load, open, search, freeText, props.source)
  const off = props.disabledReason !== undefined

  const setOpen = (next: boolean): void => {
    setOpenState(next)
    if (!next) setSearch('')
  }
  const pick = (chosen: Option<V>): void => {
    const option = chosen.isTyped ? { value: chosen.value, label: String(chosen.value) } : chosen
    setPicked(option)
    onChange(option.value, option, search.trim())
    setOpen(false)
  }
  const known = options?.find((option) => option.value === value) ?? (picked?.value === value ? picked : null)
  const shown = value === null ? '' : (known?.label ?? selectedLabel ?? String(value))
  const startAt = Math.max(
    0,
    state.options.findIndex((option) => option.value === value),
  )
  const { listId, active, setActive, inputProps } = useCombobox(state, open, setOpen, pick, startAt)

  return (
    <SelectBox
      open={open}
      onOpen={() => setOpen(true)}
      off={off}
      className={[fields.box, styles.box, compact && styles.compact, props.className].filter(Boolean).join(' ')}
      list={
        <OptionList
          id={listId}
          label={props['aria-label']}
          labelledBy={props['aria-label'] ? undefined : labelledBy}
          state={state}
          active={active}
          nothing={props.nothing}
          isSelected={(other) => other === value}
          onPick={pick}
          onActive={setActive}
        />
      }
    >
      {(icon ?? known?.icon) && <Icon name={icon ?? known?.icon ?? 'search'} className={fields.icon} />}
      {prefix && value !== null && <span className={styles.prefix}>{prefix}</span>}
      <input
        {...field}
        {...inputProps}
        aria-label={props['aria-label']}
        aria-description={props.disabledReason}
        data-autofocus={props['data-autofocus'] || undefined}
        autoFocus={props.startsOpen ?? false}
        type="text"
        className={fields.input}
        disabled={off}
        title={shown || undefined}
        placeholder={shown || placeholder}
        data-value={shown !== '' || undefined}
        value={open ? search : shown}
        size={compact ? Math.max(4, (open && search ? search : shown || placeholder || '').length) : undefined}
        onChange={(event) => {
          setSearch(event.target.value)
          setOpenState(true)
          setActive(0)
        }}
        onBlur={() => setOpen(false)}
      />
      {!open && known?.colors && <Swatches colors={known.colors} />}
      {open && state.loading ? <Spinner size={14} /> : null}
      {clearable && value !== null && !off ? (
        <IconButton
          icon="close"
          className={fields.inner}
          label={t('ui.select.clear', 'Clear {name}', { name: props['aria-label'] ?? shown })}
          onClick={() => onChange(null, null, '')}
        />
      ) : (
        <Icon name="chevron-down" className={styles.chevron} />
      )}
    </SelectBox>
  )
}
