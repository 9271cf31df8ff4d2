/**
 * Names of groups from the texts of their values. Groups with different values have different names: where joined texts would be
 * the same, values that contain the separator are quoted.
 */
export function joinNames(groups: readonly (readonly string[])[]): string[] {
  const plain = groups.map((parts) => parts.join(', '))
  const tuples = new Map<string, Set<string>>()
  for (const [at, name] of plain.entries())
    tuples.set(name, (tuples.get(name) ?? new Set()).add(JSON.stringify(groups[at])))
  return plain.map((name, index) =>
    tuples.get(name)?.size === 1
      ? name
      : groups[index]!.map((part) => (part.includes(', ') ? `"${part}"` : part)).join(', '),
  )
}
