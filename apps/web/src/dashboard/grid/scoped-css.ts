/** Rules that reach nothing but what their selectors name; all others (fonts, imports, animations, pages) are left out. */
function filterRules(rules: CSSRuleList): string {
  return [...rules]
    .map((rule) => {
      if (rule instanceof CSSStyleRule) return rule.cssText
      if (rule instanceof CSSMediaRule) return `@media ${rule.media.mediaText} { ${filterRules(rule.cssRules)} }`
      if (rule instanceof CSSSupportsRule) return `@supports ${rule.conditionText} { ${filterRules(rule.cssRules)} }`
      return ''
    })
    .join('\n')
}

/**
 * The style sheet of a dashboard, which holds inside of elements of a class alone. It is read first and written anew rule by rule, so
 * that no brace of its text ends the scope. Nothing of it is fetched: the page's policy refuses every address but its own.
 */
export function buildScopedSheet(text: string, scope: string): CSSStyleSheet {
  const read = new CSSStyleSheet()
  read.replaceSync(text)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`@scope (.${CSS.escape(scope)}) { ${filterRules(read.cssRules)} }`)
  return sheet
}
