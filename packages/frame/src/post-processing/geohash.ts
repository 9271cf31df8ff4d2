const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Center of a geohash's cell; 0, 0 for empty text, null when it contains an invalid character. */
export function decodeGeohash(text: string): [latitude: number, longitude: number] | null {
  const latitude = [-90, 90] as [number, number]
  const longitude = [-180, 180] as [number, number]
  let even = true
  for (const character of text.toLowerCase()) {
    const code = alphabet.indexOf(character)
    if (code < 0) return null
    for (let bit = 16; bit >= 1; bit >>= 1) {
      const range = even ? longitude : latitude
      range[code & bit ? 0 : 1] = (range[0] + range[1]) / 2
      even = !even
    }
  }
  return [(latitude[0] + latitude[1]) / 2, (longitude[0] + longitude[1]) / 2]
}

/** Encodes twelve characters, a cell of a few centimeters. Latitudes range from −90 to 90; longitudes wrap around. */
export function encodeGeohash(latitude: number, longitude: number): string {
  const ranges = [
    [-180, 180],
    [-90, 90],
  ] as [number, number][]
  const values = [((((longitude + 180) % 360) + 360) % 360) - 180, latitude]
  let text = ''
  for (let character = 0, bit = 0; character < 12; character++) {
    let code = 0
    for (let index = 0; index < 5; index++, bit++) {
      const range = ranges[bit & 1]!
      const middle = (range[0] + range[1]) / 2
      const upper = values[bit & 1]! >= middle
      code = (code << 1) | (upper ? 1 : 0)
      range[upper ? 0 : 1] = middle
    }
    text += alphabet[code]
  }
  return text
}
