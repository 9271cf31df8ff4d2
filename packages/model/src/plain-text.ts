/**
 * Converts a JSON value of a request to text: objects and lists become JSON. `String` would throw for an object without a prototype
 * or with a field `toString`.
 */
export const toPlainText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
