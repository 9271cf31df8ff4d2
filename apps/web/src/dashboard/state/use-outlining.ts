import { useEffect, useRef, type FocusEvent, type PointerEvent } from 'react'
import { useActions, useDashboardState } from './context.ts'
import { outlined, type Outlinable } from './outline.ts'

/**
 * For an element that outlines others while it, or something in it, is pointed at or has the focus of the keyboard: a field that was
 * clicked keeps the focus, and what it outlines is seen while the pointer is there.
 * @param reach what is outlined for the part that is pointed at or focused
 */
export function useOutlining(reach: (part: Element) => readonly Outlinable[]) {
  const { outline } = useActions()
  const isClicked = useRef(false)
  const used = useRef(false)
  useEffect(
    () => () => {
      if (!used.current) return
      outline('pointer', [])
      outline('focus', [])
    },
    [outline],
  )
  return {
    onPointerOver: ({ target }: PointerEvent) => {
      used.current = true
      outline('pointer', reach(target as Element))
    },
    onPointerLeave: () => outline('pointer', []),
    onPointerDown: () => void (isClicked.current = true),
    onKeyDown: () => void (isClicked.current = false),
    onFocus: ({ target }: FocusEvent) => {
      used.current = true
      outline('focus', !isClicked.current && target.matches(':focus-visible') ? reach(target) : [])
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) isClicked.current = false
      outline('focus', [])
    },
  }
}

export const useIsOutlined = (id: Outlinable | undefined): boolean =>
  useDashboardState(({ outlines }) => id !== undefined && outlined(outlines).includes(id))
