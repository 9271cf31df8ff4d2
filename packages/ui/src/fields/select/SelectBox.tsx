import { useCallback, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import floating from '../../overlays/floating.module.css'
import { aboveAllProps } from '../../overlays/inert.ts'
import { useFloating } from '../../overlays/use-floating.ts'
import styles from './select.module.css'

export interface SelectBoxProps {
  open: boolean
  onOpen(): void
  className: string | undefined
  off: boolean
  children: ReactNode
  list: ReactNode
}

/** The field of a select with its dropdown list, which is as wide as the field and at least 200 px. */
export function SelectBox({ open, onOpen, className, off, children, list }: SelectBoxProps) {
  const box = useRef<HTMLSpanElement>(null)
  const anchor = useCallback(() => box.current, [])
  return (
    <>
      <span
        ref={box}
        role="presentation"
        className={className}
        data-off={off || undefined}
        data-open={open || undefined}
        // A click anywhere in the field opens it; the input handles keys.
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
      {open && <List anchor={anchor}>{list}</List>}
    </>
  )
}

function List({ anchor, children }: { anchor: () => Element | null; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  const style = useFloating(anchor, list, { placement: 'bottom-start', gap: 4, matchWidth: true })
  return createPortal(
    // Keeps the focus in the field and thus the list open. The list may be mounted before the dialog that contains the field.
    <div
      {...aboveAllProps}
      ref={list}
      role="presentation"
      className={`${floating.dropdown} ${styles.dropdown}`}
      style={style}
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </div>,
    document.body,
  )
}
