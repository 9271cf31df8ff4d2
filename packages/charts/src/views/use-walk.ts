import { useState, type KeyboardEvent } from 'react'
import type { Resolved } from '../resolve/resolve.ts'

export interface Place {
  series: number
  at: number
}

const keys: Record<string, [series: number, at: number]> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
}

/**
 * Arrow keys over the points of a picture: left and right along the axis, up and down from series to series, Home and End,
 * Escape to leave. `said` is what a screen reader reads at each step.
 */
export function useWalk(resolved: Resolved | null): {
  place: Place | null
  said: string
  /** True when the key was one of these. */
  onKey: (event: KeyboardEvent) => boolean
  leave: () => void
} {
  const [place, setPlace] = useState<Place | null>(null)
  const plots = resolved?.plots ?? []
  const current = place && plots[place.series] && place.at < (plots[place.series]?.x.length ?? 0) ? place : null

  const onKey = (event: KeyboardEvent): boolean => {
    if (plots.length === 0) return false
    if (event.key === 'Escape' && current) return moved(null)
    const last = (plots[current?.series ?? 0]?.x.length ?? 1) - 1
    if (event.key === 'Home') return moved({ series: current?.series ?? 0, at: 0 })
    if (event.key === 'End') return moved({ series: current?.series ?? 0, at: last })
    const step = keys[event.key]
    if (!step) return false
    if (!current) return moved({ series: 0, at: step[1] < 0 ? last : 0 })
    const series = Math.min(plots.length - 1, Math.max(0, current.series + step[0]))
    return moved({ series, at: Math.min(last, Math.max(0, current.at + step[1])) })
  }
  const moved = (next: Place | null) => {
    setPlace(next)
    return true
  }
  return {
    place: current,
    said: resolved && current ? sayPlace(resolved, current) : '',
    onKey,
    leave: () => setPlace(null),
  }
}

function sayPlace(resolved: Resolved, { series, at }: Place): string {
  const { title, rows } = resolved.tip(series, at)
  const row = rows.find(({ isHovered }) => isHovered)
  const name = row?.name ?? resolved.plots[series]?.name ?? ''
  return [title, `${name}: ${[row?.value ?? '∅', row?.share].filter(Boolean).join(', ')}`].filter(Boolean).join(', ')
}
