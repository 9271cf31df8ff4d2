const specialNouns: Readonly<Record<string, string>> = {
  css_template: 'CSS template',
  log: 'log entry',
  user_group: 'group',
  user_registration: 'self-registration',
  rowlevelsecurity: 'row-level security rule',
}

/** The noun of a resource in the texts of the API documentation: `an annotation layer`, `annotation layers`. */
export function inflect(name: string): { one: string; many: string } {
  const noun = specialNouns[name] ?? name.replaceAll('_', ' ')
  const article = /^[aeio]/.test(noun) ? 'an' : 'a'
  return { one: `${article} ${noun}`, many: `${noun.replace(/y$/, 'ie')}s` }
}
