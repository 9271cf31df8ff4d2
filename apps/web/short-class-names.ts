import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Names the classes of CSS modules by the number of their file and their place in it. The names that Vite makes contain a hash,
 * which does not compress: 5.7 KB of script and styles on a dashboard.
 */
export const shortClassNames = (): Plugin => {
  const files = globSync('{apps,packages}/*/src/**/*.module.css', { cwd: root }).sort()
  const names = files.map(() => new Map<string, string>())
  return {
    name: 'parquetry-short-class-names',
    apply: 'build',
    config: () => ({
      css: {
        modules: {
          generateScopedName(name, path) {
            const index = files.indexOf(relative(root, path.replace(/\?.*/, '')))
            const known = names[index]
            if (!known) throw new Error(`${path} is not among the CSS modules of the build.`)
            const short = known.get(name) ?? `_${index.toString(36)}-${known.size.toString(36)}`
            known.set(name, short)
            return short
          },
        },
      },
    }),
  }
}
