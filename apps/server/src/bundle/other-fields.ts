type Document = Record<string, unknown>

/**
 * Fields of a document that the product does not know, as JSON text; null without any. They are stored with the object, and its
 * export writes them again.
 */
export function pickOtherFields(document: Document, known: readonly string[]): string | null {
  const others = Object.entries(document).filter(([name]) => !known.includes(name))
  return others.length === 0 ? null : JSON.stringify(Object.fromEntries(others))
}

/** Adds the stored unknown fields of an object to its exported document. */
export const withOtherFields = (document: Document, text: string | null): Document =>
  text === null ? document : { ...(JSON.parse(text) as Document), ...document }
