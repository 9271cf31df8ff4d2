export type Strength = 'short' | 'weak' | 'fair' | 'strong'

const shortest = 8

/** A rough word for how hard a password is to guess; the server's policy decides. */
export function strengthOf(password: string): Strength {
  const letters = [...password]
  if (letters.length < shortest) return 'short'
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
  const points = new Set(letters).size + (kinds - 1) * 2
  return points < 10 ? 'weak' : points < 15 ? 'fair' : 'strong'
}
