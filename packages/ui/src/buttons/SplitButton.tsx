import { Menu, type MenuProps } from '../overlays/Menu.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import styles from './Button.module.css'

export interface SplitButtonProps extends Omit<ButtonProps, 'className'> {
  /** Name of the small button that opens the menu, such as "More ways to save". */
  menuLabel: string
  items: MenuProps['items']
  variant?: 'primary' | 'secondary'
}

/** A button for the main action with a small button for its variants. */
export function SplitButton({ menuLabel, items, variant = 'secondary', ...rest }: SplitButtonProps) {
  // An accent color next to a disabled main action would be the brightest element of the bar.
  const isOff = (rest.disabledReason ?? rest.command?.disabledReason) !== undefined
  return (
    <span className={styles.split}>
      <Button variant={variant} {...rest} className={styles.splitMain} />
      <Menu items={items} label={menuLabel} align="end">
        <IconButton
          icon="chevron-down"
          label={menuLabel}
          variant={isOff ? 'secondary' : variant}
          className={styles.splitMore}
        />
      </Menu>
    </span>
  )
}
