/** Words of a name: `birthYear`, `birth_year` and `Birth year` have the same two. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}%]+/u)
    .filter(Boolean)

const identifiers =
  /^(ids?|key|code|zip|postcode|year|quarter|month|week|weekday|day|hour|minute|lat|lon|lng|latitude|longitude)$/

/** Returns whether a column's numbers are identifiers or parts of a calendar or clock time, which are not summed or averaged. */
export function isNonAdditiveName(name: string): boolean {
  const words = wordsOf(name)
  const [first = '', last = ''] = [words[0], words.at(-1)]
  return identifiers.test(last) || first === 'id' || (first === 'year' && words.length === 2)
}

const statistics = /^(avg|average|mean|median|percentile|max|maximum|minimum|std|stddev|variance)$/
const rates = /^(rates?|ratio|percent|percentage|pct|%|share|proportion|fraction|probability|per|mpg|bmi)$/
const ranks = /^(scores?|ratings?|rank|ranking|index|level|grade|age)$/
const extents =
  /^(length|width|height|depth|diameter|radius|thickness|altitude|elevation|temp|temperature|speed|velocity|density|pressure|humidity)$/

/** Returns whether a column's numbers are averages, rates, ranks or lengths: their average has a meaning, their sum has none. */
export function isAveragedName(name: string): boolean {
  const words = wordsOf(name)
  // At the end, `min` are usually minutes.
  if (words[0] === 'min') return true
  return words.some((word) => [statistics, rates, ranks, extents].some((known) => known.test(word)))
}
