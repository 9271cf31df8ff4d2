import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import floating from '../../overlays/floating.module.css'
import styles from './select.module.css'

export interface SelectBoxProps {
  open: boolean
  onOpen(): void
  onClose(): void
  className: string | undefined
  off: boolean
  children: ReactNode
  list: ReactNode
}

/** The field of a select and the list that hangs on it, as wide as the field and at least 200 px. */
export function SelectBox({ open, onOpen, onClose, className, off, children, list }: SelectBoxProps) {
  return (
    <Popover
      opened={open}
      onChange={(next) => !next && onClose()}
      position="bottom-start"
      width="target"
      offset={4}
      withRoles={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: `${floating.dropdown} ${styles.dropdown}` }}
    >
      <Popover.Target>
        <span
          className={className}
          data-off={off || undefined}
          data-open={open || undefined}
          // A click anywhere in the field opens it; keys have their own way, on the input.
          onMouseDown={(event) => {
            if (off || (event.target instanceof Element && event.target.closest('button'))) return
            const input = event.currentTarget.querySelector('input')
            if (event.target !== input) {
              event.preventDefault()
              input?.focus()
            }
            onOpen()
          }}
        >
          {children}
        </span>
      </Popover.Target>
      <Popover.Dropdown>{list}</Popover.Dropdown>
    </Popover>
  )
}
