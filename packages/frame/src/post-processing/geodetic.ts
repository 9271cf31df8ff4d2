export interface Point {
  latitude: number
  longitude: number
  /** Kilometers. */
  altitude: number
}

/** Kilometers per unit. */
const units: Record<string, number> = { km: 1, m: 0.001, mi: 1.609344, ft: 0.0003048, nm: 1.852, nmi: 1.852 }

/** Matches degrees with optional minutes and seconds, and a direction before or after them. */
const angle = (name: string, directions: string): string =>
  `(?<${name}Front>[${directions}])?\\s*(?<${name}>[-+]?\\d+(?:\\.\\d+)?)\\s*°?` +
  `(?:\\s*(?<${name}Minutes>\\d+(?:\\.\\d+)?)\\s*['′m]` +
  `(?:\\s*(?<${name}Seconds>\\d+(?:\\.\\d+)?)\\s*["″s])?)?\\s*(?<${name}Back>[${directions}])?`

const pattern = new RegExp(
  `^\\s*${angle('latitude', 'NS')}(?:\\s*[,;/]\\s*|\\s+|(?<=[NS])\\s*)${angle('longitude', 'EW')}` +
    `(?:(?:\\s*[,;/]\\s*|\\s+)(?<altitude>[-+]?\\d+(?:\\.\\d+)?)\\s*(?<unit>km|nmi|nm|mi|ft|m)?)?\\s*$`,
)

const maxLength = 200

/** Parses a point: `48.8584, 2.2945`, `40 26m 46s N 79 58m 56s W`, `-33.5 -70.25, 1km`. null for any other text. */
export function parsePoint(text: string): Point | null {
  // Longer texts are no points, and the pattern would try all ways to divide a long space between its parts.
  const found = text.length > maxLength ? undefined : pattern.exec(text.replaceAll(/\s+/g, ' '))?.groups
  if (!found) return null
  const latitude = degrees(found, 'latitude', 'S')
  const longitude = degrees(found, 'longitude', 'W')
  if (Math.abs(latitude) > 90) return null
  return {
    latitude,
    longitude: Math.abs(longitude) <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180,
    altitude: Number(found.altitude ?? 0) * (units[found.unit ?? 'km'] ?? 1),
  }
}

function degrees(found: Record<string, string | undefined>, name: string, negative: string): number {
  const wholeDegrees = Number(found[name])
  const size =
    Math.abs(wholeDegrees) + Number(found[`${name}Minutes`] ?? 0) / 60 + Number(found[`${name}Seconds`] ?? 0) / 3600
  const direction = found[`${name}Front`] ?? found[`${name}Back`]
  return (found[name]!.startsWith('-') ? -1 : 1) * (direction === negative ? -1 : 1) * size
}
