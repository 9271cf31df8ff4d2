import { useEffect, useRef, type FocusEvent, type PointerEvent } from 'react'
import { useActions, useDashboardState } from './context.ts'
import { outlined, type Outlinable } from './outline.ts'

/**
 * Event handlers for an element that outlines others while it or a part of it is hovered or has keyboard focus. A clicked field
 * keeps the focus, but outlines only while it is hovered.
 * @param reach returns the items to outline for the hovered or focused part
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
