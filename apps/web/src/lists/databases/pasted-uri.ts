import type { Engine, Pair, ConnectionParameters } from './connection.ts'

/** Fields filled from the path of a connection string, in order, if the engine has them. */
const pathFields = ['database', 'catalog', 'schema']

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Parses a pasted connection string into an engine and field values. Undefined if the text is not a connection string, or no
 * engine supports it. No values if its password may contain `/`, `?` or `#`: parts of it could become other fields.
 */
export function readPastedUri(
  text: string,
  engines: readonly Engine[],
): { engine: Engine; parameters: ConnectionParameters } | undefined {
  const [, scheme, rest] = /^\s*([a-z][a-z0-9+._-]*):\/\/(.*)$/i.exec(text.trim()) ?? []
  if (scheme === undefined || rest === undefined) return undefined
  const engine = engines.find(({ parquetry }) => parquetry?.schemes.includes(scheme.toLowerCase()))
  if (!engine) return undefined
  const properties = engine.parquetry?.form.properties ?? {}
  const has = (name: string) => Object.hasOwn(properties, name)
  if (!has('host')) {
    const path = decoded(rest.replace(/^\//, '').replace(/[?#].*$/, ''))
    return { engine, parameters: path && has('path') ? { path } : {} }
  }
  if (/[/?#].*@/.test(rest)) return { engine, parameters: {} }
  // URL parses hosts depending on the scheme; `http` parses all of them.
  const url = URL.parse(`http://${rest}`)
  if (!url) return undefined
  const parameters: ConnectionParameters = {}
  const setParameter = (name: string, value: ConnectionParameters[string]): void => {
    if (has(name) && value !== '') parameters[name] = value
  }
  setParameter('host', decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'))
  const port = /:(\d+)(?:[/?#]|$)/.exec(rest.slice(rest.lastIndexOf('@') + 1))?.[1]
  if (port) setParameter('port', Number(port))
  setParameter('username', decoded(url.username))
  setParameter('password', decoded(url.password))
  const names = pathFields.filter(has)
  for (const [at, part] of url.pathname.slice(1).split('/').entries())
    if (names[at]) setParameter(names[at], decoded(part))
  const isEncryption = (name: string) => name === 'protocol' || (name === 'secure' && has('encryption'))
  const query = [...url.searchParams].filter(([name]) => !isEncryption(name))
  if (url.searchParams.get('protocol') === 'https' || /^(true|1|yes)$/i.test(url.searchParams.get('secure') ?? ''))
    setParameter('encryption', true)
  if (query.length > 0) setParameter('query', query satisfies Pair[])
  return { engine, parameters }
}
