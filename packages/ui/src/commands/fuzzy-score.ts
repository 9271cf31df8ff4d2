/**
 * Returns how well a text matches the typed text: 0 for no match, higher is better. All letters must appear in order; whole
 * words, word beginnings and runs count more, so `rev reg` finds "Revenue by region".
 */
export function fuzzyScore(typed: string, text: string): number {
  const wanted = typed.trim().toLocaleLowerCase()
  if (wanted === '') return 1
  const within = text.toLocaleLowerCase()
  const words = wanted.split(/\s+/)
  if (words.every((word) => within.includes(word))) {
    const begins = words.every((word) => within.startsWith(word) || within.includes(` ${word}`))
    return (begins ? 3 : 2) + wanted.length / (within.length + 1)
  }
  let at = 0
  for (const letter of wanted.replaceAll(' ', '')) {
    at = within.indexOf(letter, at) + 1
    if (at === 0) return 0
  }
  return wanted.length / (within.length + 1)
}
