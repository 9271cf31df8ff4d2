/** Numbers that name things, times of a calendar or a clock among them, are not added up. */
export const isNonAdditiveName = (name: string): boolean =>
  /(^|_|\b)(id|key|code|zip|year|quarter|month|week|weekday|day|hour|minute|lat|lon|latitude|longitude)$/i.test(name)
