import { useDensity } from './theme.ts'

const pixels = (name: string): number => parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name))

/** Returns the height of a control or a list option in px, for the current density and pointer. */
export function useControlHeight(): number {
  useDensity()
  return pixels('--control')
}

/** Returns the height of a tree row in px. */
export function useTreeRowHeight(): number {
  useDensity()
  return pixels('--tree-row')
}
