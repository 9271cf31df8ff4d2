import type { ComponentProps } from 'react'
import { toAriaKeyShortcuts } from '../commands/shortcuts.ts'
import type { Command } from '../commands/registry.ts'
import { Spinner } from '../feedback/Spinner.tsx'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { buttonClass } from './Button.tsx'
import styles from './Button.module.css'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  icon: IconName
  /** Accessible name and tooltip. */
  label: string
  shortcut?: string
  variant?: 'quiet' | 'secondary' | 'primary'
  /** Makes it a toggle button: `aria-pressed`. */
  pressed?: boolean
  filled?: boolean
  busy?: boolean
  disabledReason?: string | undefined
  command?: Command
}

export function IconButton({
  icon,
  label,
  shortcut,
  variant = 'quiet',
  pressed,
  filled,
  busy,
  disabledReason,
  command,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  const keys = shortcut ?? command?.shortcut
  const reason = disabledReason ?? command?.disabledReason
  const off = reason !== undefined
  return (
    <Tooltip text={reason ? `${label}: ${reason}` : label} shortcut={keys}>
      <button
        type="button"
        {...rest}
        className={buttonClass(variant, [styles.icon, className].filter(Boolean).join(' '))}
        aria-label={label}
        aria-pressed={pressed}
        aria-busy={busy || undefined}
        aria-disabled={off || busy || undefined}
        aria-keyshortcuts={keys ? toAriaKeyShortcuts(keys) : undefined}
        onClick={(event) => {
          if (off || busy) return event.preventDefault()
          onClick?.(event)
          if (!onClick) command?.run()
        }}
      >
        {busy ? <Spinner /> : <Icon name={icon} filled={filled} />}
      </button>
    </Tooltip>
  )
}
