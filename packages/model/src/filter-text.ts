/** Signs by which the API writes null and empty text among the values of a filter. */
export const nullToken = '<NULL>'
export const emptyToken = '<empty string>'

/** Reads the text of a filter as the API does: signs become values, tabs and line breaks at both ends do not count. */
export function readFilterText(given: string): string | null {
  const text = withoutEdges(given)
  if (text === nullToken) return null
  return text === emptyToken ? '' : text
}

/** Strips tabs and line breaks at both ends. A regular expression would restart at each one in the middle. */
function withoutEdges(text: string): string {
  const isEdge = (index: number) => text[index] === '\t' || text[index] === '\n'
  let [start, end] = [0, text.length]
  while (start < end && isEdge(start)) start += 1
  while (end > start && isEdge(end - 1)) end -= 1
  return text.slice(start, end)
}

/**
 * Fields of a filter on values as they are in the data: `isExact` if the API would read one of the texts as something else.
 */
export const exactFields = (values: unknown): { isExact?: true } =>
  [values].flat().some((value) => typeof value === 'string' && readFilterText(value) !== value) ? { isExact: true } : {}
