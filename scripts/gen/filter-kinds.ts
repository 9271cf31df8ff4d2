import { existsSync, readdirSync } from 'node:fs'

const root = 'apps/web/src/dashboard/filters/kinds'
/** The order in which they are offered: the common ones first, then by name. */
const first = ['value', 'range', 'time-range']

const orderOf = (folder: string) => (first.includes(folder) ? first.indexOf(folder) : first.length)

/** The registry of filter kinds: every folder with a `kind.ts`. */
export function buildFilterKinds(): Map<string, string> {
  const folders = readdirSync(root)
    .filter((folder) => existsSync(`${root}/${folder}/kind.ts`))
    .toSorted((a, b) => orderOf(a) - orderOf(b) || (a < b ? -1 : 1))
  const nameOf = (folder: string) => folder.replaceAll(/-(.)/g, (_, sign: string) => sign.toUpperCase())
  const imports = folders.map((folder) => `import ${nameOf(folder)} from './${folder}/kind.ts'\n`)
  const text = `// Written by \`npm run gen\` from the folders beside it.
import type { FilterKind } from './kind.ts'
${imports.join('')}
/** Kinds of filters, in the order in which they are offered. */
export const kinds: readonly FilterKind[] = [${folders.map(nameOf).join(', ')}]
`
  return new Map([[`${root}/kinds.gen.ts`, text]])
}
