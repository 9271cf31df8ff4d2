type Attributes = Readonly<Record<string, string>>

export const fontSizeOf = (attributes: Attributes): number => Number.parseFloat(attributes['font-size'] ?? '12')

export const fontWeightOf = (attributes: Attributes): number =>
  attributes['font-weight'] === 'bold' ? 600 : Number(attributes['font-weight'] ?? 400) || 400

/** Distance from SVG's reference line to the baseline, relative to the font size, from Inter's metrics. */
const shifts: Readonly<Record<string, number>> = {
  central: 0.364,
  middle: 0.273,
  hanging: 0.727,
  'text-before-edge': 0.969,
  'text-after-edge': -0.241,
}

/** Returns the distance in pixels from the `y` of a text down to its baseline. */
export const baselineOffset = (attributes: Attributes): number =>
  fontSizeOf(attributes) * (shifts[attributes['dominant-baseline'] ?? ''] ?? 0)
