/** Id of a chart (number) or of a filter (string). */
export type Outlinable = number | string

/** Cause of an outline: the filter or chart related to it is hovered, focused or linked to. */
export type OutlineCause = 'pointer' | 'focus' | 'link'

export type Outlines = Readonly<Record<OutlineCause, readonly Outlinable[]>>

export const noOutlines: Outlines = { pointer: [], focus: [], link: [] }

/** Hover takes precedence over focus, and focus over links. */
export const outlined = ({ pointer, focus, link }: Outlines): readonly Outlinable[] =>
  [pointer, focus, link].find(({ length }) => length > 0) ?? []
