/** A mistake in the structure of a style sheet, which makes browsers drop the rules around it without a word. */
export interface CssError {
  /** Begins with 1. */
  line: number
  reason: 'unclosed-block' | 'unopened-block' | 'unclosed-comment' | 'unclosed-string'
}

/** Returns the first structural error of a style sheet: braces, comments or strings that are not closed; otherwise null. */
export function findCssError(css: string): CssError | null {
  const lineAt = (offset: number): number => css.slice(0, offset).split('\n').length
  const open: number[] = []
  const tokens = /\/\*[^]*?(\*\/|$)|"(?:\\[^]|[^"\\\n])*("?)|'(?:\\[^]|[^'\\\n])*('?)|[{}]/g
  for (const { 0: token, 1: commentEnd, 2: doubleEnd, 3: singleEnd, index } of css.matchAll(tokens)) {
    if (token.startsWith('/*') && commentEnd !== '*/') return { line: lineAt(index), reason: 'unclosed-comment' }
    if ((token.startsWith('"') && !doubleEnd) || (token.startsWith("'") && !singleEnd))
      return { line: lineAt(index), reason: 'unclosed-string' }
    if (token === '{') open.push(index)
    if (token === '}' && open.pop() === undefined) return { line: lineAt(index), reason: 'unopened-block' }
  }
  const unclosed = open.at(-1)
  return unclosed === undefined ? null : { line: lineAt(unclosed), reason: 'unclosed-block' }
}
