import { useDensity } from './theme.ts'

const pixels = (name: string): number => parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name))

/** Height of a control, and of an option in a list, in px, for the density and pointer of now. */
export function useControlHeight(): number {
  useDensity()
  return pixels('--control')
}

/** Height of a row of a tree in px. */
export function useTreeRowHeight(): number {
  useDensity()
  return pixels('--tree-row')
}
