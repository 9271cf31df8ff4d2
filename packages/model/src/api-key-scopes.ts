/** What an API key can be restricted to. */
export const scopeResources = [
  'annotation',
  'chart',
  'dashboard',
  'database',
  'dataset',
  'explore',
  'query',
  'report',
  'role',
  'rls',
  'savedquery',
  'sqllab',
  'tag',
  'task',
  'theme',
  'user',
] as const
export type ScopeResource = (typeof scopeResources)[number]
export type ScopeAction = 'read' | 'write'

/** A scope as text; `write` does not include `read`. */
export const formatScope = (resource: ScopeResource, action: ScopeAction): string => `superset:${resource}:${action}`

const known = new Set(
  scopeResources.flatMap((resource) => [formatScope(resource, 'read'), formatScope(resource, 'write')]),
)

/** Reads comma-separated scopes. Unknown ones are returned separately, also an empty one between two commas. */
export function parseScopes(text: string): { scopes: string[]; unknown: string[] } {
  const all = [...new Set(text.split(',').map((scope) => scope.trim()))]
  return { scopes: all.filter((scope) => known.has(scope)), unknown: all.filter((scope) => !known.has(scope)) }
}
