/** Where a text is searched in a value. */
export type PatternShape = 'contains' | 'starts' | 'ends'

const build: Record<PatternShape, (escaped: string) => string> = {
  contains: (escaped) => `%${escaped}%`,
  starts: (escaped) => `${escaped}%`,
  ends: (escaped) => `%${escaped}`,
}

/** Builds the pattern of LIKE that finds a text as it is: `%`, `_` and the backslash of the text are no wildcards. */
export const toLikePattern = (text: string, shape: PatternShape = 'contains'): string =>
  build[shape](text.replaceAll(/[%_\\]/g, String.raw`\$&`))

const fixed = String.raw`((?:[^%_\\]|\\[%_\\])+)`
const shapes: readonly (readonly [PatternShape, RegExp])[] = [
  ['contains', new RegExp(`^%${fixed}%$`, 's')],
  ['starts', new RegExp(`^${fixed}%$`, 's')],
  ['ends', new RegExp(`^%${fixed}$`, 's')],
]

/** Reads a pattern that `toLikePattern` may have built; null for others. */
export function readLikePattern(pattern: unknown): { shape: PatternShape; text: string } | null {
  if (typeof pattern !== 'string') return null
  for (const [shape, form] of shapes) {
    const escaped = form.exec(pattern)?.[1]
    if (escaped !== undefined) return { shape, text: escaped.replaceAll(/\\([%_\\])/g, '$1') }
  }
  return null
}
