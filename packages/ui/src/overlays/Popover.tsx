import { Popover as Base } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'
import { useLayer } from '../commands/layers.ts'
import styles from './floating.module.css'

export interface PopoverProps {
  open: boolean
  onClose(): void
  /** The element it hangs on; it takes a ref and gets `aria-expanded`. */
  anchor: ReactElement
  /** Accessible name. */
  label: string
  children: ReactNode
  width?: number | 'target'
  placement?: 'bottom-start' | 'bottom-end' | 'bottom' | 'right-start' | 'left-start' | 'top-start'
  /** Holds the focus inside: for popovers with fields (the default). */
  trapFocus?: boolean
  /** Close on a click into the page; off while something typed would be lost. */
  closeOnOutside?: boolean
  /** Without padding, for lists. */
  flush?: boolean
}

/** Floats 8 px from its anchor and turns to the side with room; a sheet on phones. Esc closes it and the focus goes back. */
export function Popover({
  open,
  onClose,
  anchor,
  label,
  children,
  width,
  placement = 'bottom-start',
  trapFocus = true,
  closeOnOutside = true,
  flush,
}: PopoverProps) {
  useLayer(open, onClose)
  return (
    <Base
      opened={open}
      onChange={(next) => !next && onClose()}
      position={placement}
      offset={8}
      width={width ?? 'max-content'}
      trapFocus={trapFocus}
      returnFocus
      closeOnEscape={false}
      closeOnClickOutside={closeOnOutside}
      transitionProps={{ transition: 'fade', duration: 120 }}
      classNames={{ dropdown: `${styles.dropdown} ${flush ? '' : styles.panel}` }}
    >
      <Base.Target>{anchor}</Base.Target>
      <Base.Dropdown aria-label={label} aria-labelledby={undefined}>
        {children}
      </Base.Dropdown>
    </Base>
  )
}
