/** A chart by its number, a filter by its id. */
export type Outlinable = number | string

/** Why something is outlined: what filters it, or what it filters, is pointed at, has the focus, or a link led to it. */
export type OutlineCause = 'pointer' | 'focus' | 'link'

export type Outlines = Readonly<Record<OutlineCause, readonly Outlinable[]>>

export const noOutlines: Outlines = { pointer: [], focus: [], link: [] }

/** What is pointed at goes before what has the focus. */
export const outlined = ({ pointer, focus, link }: Outlines): readonly Outlinable[] =>
  [pointer, focus, link].find(({ length }) => length > 0) ?? []
