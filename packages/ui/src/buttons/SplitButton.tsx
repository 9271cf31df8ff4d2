import { Menu, type MenuProps } from '../overlays/Menu.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import styles from './Button.module.css'

export interface SplitButtonProps extends Omit<ButtonProps, 'className'> {
  /** Name of the small button that opens the rest, such as "More ways to save". */
  menuLabel: string
  items: MenuProps['items']
  variant?: 'primary' | 'secondary'
}

/** The main action, and beside it a small button with its variants. */
export function SplitButton({ menuLabel, items, variant = 'secondary', ...rest }: SplitButtonProps) {
  // An accent beside a main action that is off would be the brightest thing of the bar.
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
