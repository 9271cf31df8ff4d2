/** Keeps rules that affect only what their selectors match; all others (fonts, imports, animations, pages) are dropped. */
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
 * Style sheet of a dashboard, scoped to elements of a class. It is parsed and rewritten rule by rule, so that no brace in its
 * text ends the scope. The page's content security policy limits what it can fetch to our own origin and the configured image
 * hosts.
 */
export function buildScopedSheet(text: string, scope: string): CSSStyleSheet {
  const read = new CSSStyleSheet()
  read.replaceSync(text)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`@scope (.${CSS.escape(scope)}) { ${filterRules(read.cssRules)} }`)
  return sheet
}
