type Attributes = Readonly<Record<string, string>>

export const fontSizeOf = (attributes: Attributes): number => Number.parseFloat(attributes['font-size'] ?? '12')

export const fontWeightOf = (attributes: Attributes): number =>
  attributes['font-weight'] === 'bold' ? 600 : Number(attributes['font-weight'] ?? 400) || 400

/** From the line that SVG names to the letters' own, in parts of their size: Inter's heights. */
const shifts: Readonly<Record<string, number>> = {
  central: 0.364,
  middle: 0.273,
  hanging: 0.727,
  'text-before-edge': 0.969,
  'text-after-edge': -0.241,
}

/** Pixels from the `y` of a text down to its baseline. */
export const baselineOffset = (attributes: Attributes): number =>
  fontSizeOf(attributes) * (shifts[attributes['dominant-baseline'] ?? ''] ?? 0)
