/** Returns whether a column's numbers are identifiers or parts of a calendar or clock time, which are not summed. */
export const isNonAdditiveName = (name: string): boolean =>
  /(^|_|\b)(id|key|code|zip|year|quarter|month|week|weekday|day|hour|minute|lat|lon|latitude|longitude)$/i.test(name)
