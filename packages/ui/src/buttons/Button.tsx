import type { ComponentProps, ReactNode } from 'react'
import type { Command } from '../commands/registry.ts'
import { toAriaKeyShortcuts } from '../commands/shortcuts.ts'
import { Spinner } from '../feedback/Spinner.tsx'
import { Icon } from '../icons/Icon.tsx'
import type { IconName } from '../icons/paths.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { Link } from '../theme/navigation.tsx'
import styles from './Button.module.css'

export interface ButtonAppearance {
  /** One `primary` per region. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  icon?: IconName
  iconRight?: IconName
}

export interface ButtonProps extends ButtonAppearance, Omit<ComponentProps<'button'>, 'disabled'> {
  /** Keeps width and label; the spinner replaces the icon and clicks are ignored. */
  busy?: boolean
  /** Disables the button and shows the reason in a tooltip. A control that can never be used is omitted instead. */
  disabledReason?: string | undefined
  /** Sets label, icon, shortcut and action together. */
  command?: Command
}

export const buttonClass = (variant: ButtonAppearance['variant'] = 'secondary', extra?: string): string =>
  [styles.button, styles[variant], extra].filter(Boolean).join(' ')

export function Button({
  variant,
  icon,
  iconRight,
  busy,
  disabledReason,
  command,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  const reason = disabledReason ?? command?.disabledReason
  const off = reason !== undefined
  const shownIcon = icon ?? command?.icon
  const button = (
    <button
      type="button"
      {...rest}
      className={buttonClass(variant, className)}
      aria-disabled={off || busy || undefined}
      aria-busy={busy || undefined}
      data-bare={!shownIcon || undefined}
      aria-keyshortcuts={command?.shortcut ? toAriaKeyShortcuts(command.shortcut) : undefined}
      onClick={(event) => {
        if (off || busy) return event.preventDefault()
        onClick?.(event)
        if (!onClick) command?.run()
      }}
    >
      {busy ? <Spinner {...(!shownIcon && { size: 12 })} /> : shownIcon && <Icon name={shownIcon} />}
      <span className={styles.label}>{children ?? command?.label}</span>
      {iconRight && <Icon name={iconRight} />}
    </button>
  )
  if (off) return <Tooltip text={reason}>{button}</Tooltip>
  if (command?.shortcut)
    return (
      <Tooltip text={command.label} shortcut={command.shortcut}>
        {button}
      </Tooltip>
    )
  return button
}

export interface ButtonLinkProps extends ButtonAppearance, Omit<ComponentProps<'a'>, 'href'> {
  href: string
  children: ReactNode
}

/** A link that looks like a button, for actions that lead to another page. */
export function ButtonLink({ variant, icon, iconRight, children, className, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass(variant, className)}>
      {icon && <Icon name={icon} />}
      <span className={styles.label}>{children}</span>
      {iconRight && <Icon name={iconRight} />}
    </Link>
  )
}
