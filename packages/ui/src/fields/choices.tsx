import { useEffect, useId, useRef, type ComponentProps, type ReactNode } from 'react'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { useField } from './Field.tsx'
import styles from './fields.module.css'

interface TickProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange' | 'checked'> {
  checked: boolean
  onChange(checked: boolean): void
  /** Omitted if `aria-label` is set, as in the rows of a table. */
  label?: ReactNode
  help?: ReactNode
}

export interface CheckboxProps extends TickProps {
  /** Partially checked. */
  mixed?: boolean
}

const LabeledControl = ({ label, help, children }: { label: ReactNode; help?: ReactNode; children: ReactNode }) =>
  label === undefined ? (
    children
  ) : (
    <label className={styles.check}>
      {children}
      <span className={styles.checkText}>
        <span>{label}</span>
        {help && <span className={styles.note}>{help}</span>}
      </span>
    </label>
  )

export function Checkbox({ checked, mixed = false, onChange, label, help, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed
  }, [mixed])
  return (
    <LabeledControl label={label} help={help}>
      <input
        {...rest}
        ref={box}
        type="checkbox"
        className={styles.tick}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </LabeledControl>
  )
}

/** Only for settings that take effect immediately. */
export function Switch({ checked, onChange, label, help, ...rest }: TickProps) {
  return (
    <LabeledControl label={label} help={help}>
      <input
        {...rest}
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </LabeledControl>
  )
}

export interface Choice<T extends string> {
  value: T
  label: string
  help?: ReactNode
  icon?: IconName
}

export interface ChoicesProps<T extends string> {
  value: T
  onChange(value: NoInfer<T>): void
  options: readonly Choice<T>[]
  /** Name of the group when it is not inside a `Field`. */
  label?: string
}

export function RadioGroup<T extends string>({ value, onChange, options, label }: ChoicesProps<T>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <LabeledControl key={option.value} label={option.label} help={option.help}>
          <input
            type="radio"
            className={styles.tick}
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
        </LabeledControl>
      ))}
    </div>
  )
}

/** A few short options in one line; with `iconsOnly` the labels are only for screen readers. */
export function SegmentedControl<T extends string>({
  value,
  onChange,
  options,
  label,
  iconsOnly,
}: ChoicesProps<T> & { iconsOnly?: boolean }) {
  const name = useId()
  const { id } = useField()
  return (
    <div role="radiogroup" aria-label={label} id={id} className={styles.segments}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment} title={iconsOnly ? option.label : undefined}>
          <input
            type="radio"
            name={name}
            aria-label={iconsOnly ? option.label : undefined}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon && <Icon name={option.icon} />}
          {!iconsOnly && option.label}
        </label>
      ))}
    </div>
  )
}
