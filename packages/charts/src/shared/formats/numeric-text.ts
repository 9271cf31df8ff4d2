import type { Cell } from '@parquetry/frame'

/**
 * Returns the number in the text of a numeric column whose values have more digits than a double: up to 15 integer digits a number,
 * longer integers a bigint. Other text, whose integer digits would be lost, is returned unchanged.
 */
export function parseNumericText(text: string): Cell {
  const [, whole, rest] = /^-?(\d+)(\.\d*)?$/.exec(text) ?? []
  if (whole === undefined) return text
  if (whole.length <= 15) return Number(text)
  return rest === undefined ? BigInt(text) : text
}
