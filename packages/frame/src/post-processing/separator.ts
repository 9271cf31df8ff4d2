/** Separator between the parts of a flattened label. */
export const separator = ', '

export const escapeSeparator = (text: string): string => text.replaceAll(',', '\\,')
export const unescapeSeparator = (text: string): string => text.replaceAll('\\,', ',')

/** The parts of a flattened label, as they were before they were joined. */
export const splitLabel = (label: string): string[] => label.split(/(?<!\\),\s/).map(unescapeSeparator)
