/**
 * Parses a response. Integers beyond 2^53 become bigints, so that no digit is lost; everything else matches `JSON.parse`. The
 * slow path is used only for texts with 16 consecutive digits.
 */
export const parseJson = (text: string): unknown =>
  /\d{16}/.test(text) ? JSON.parse(text, exact as (key: string, value: unknown) => unknown) : JSON.parse(text)

const exact = (_key: string, value: unknown, { source }: { source: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
