/**
 * Text of a JSON value of a request: objects and lists as JSON. `String` would throw for an object whose `toString` is a field of the
 * request, or that has no prototype.
 */
export const toPlainText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
