import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const entry = /import \{([^}]+)\} from 'echarts\/(charts|components|features|renderers)'/g

/** The modules behind the names of an entry of ECharts: `BarChart` -> `lib/chart/bar/install.js`. */
function modulesOf(list: string): Map<string, { name: string; path: string }> {
  const lines = readFileSync(list, 'utf8').matchAll(/export \{ (\w+)(?: as (\w+))? \} from '([^']+)'/g)
  return new Map(
    [...lines].map(([, name = '', as = name, path = '']) => [as, { name, path: join(dirname(list), path) }]),
  )
}

/**
 * What is imported from an entry of ECharts is taken from its own module in a build. The entry names all kinds of series, and the
 * file that holds it would take along each that two charts use.
 */
export const deepImports = (): Plugin => ({
  name: 'parquetry-deep-imports',
  enforce: 'pre',
  apply: 'build',
  transform: {
    // Names in its own messages look like imports.
    filter: { id: { exclude: /node_modules/ }, code: /from 'echarts\/(charts|components|features|renderers)'/ },
    async handler(code, id) {
      const found = await this.resolve('echarts/core', id)
      if (!found) return null
      const lists = join(dirname(found.id), 'lib', 'export')
      return code.replace(entry, (_, names: string, list: string) => {
        const modules = modulesOf(join(lists, `${list}.js`))
        return names
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean)
          .map((each) => {
            const module = modules.get(each)
            if (!module) throw new Error(`ECharts has no ${each}.`)
            return `import { ${module.name} as ${each} } from ${JSON.stringify(module.path)}`
          })
          .join('; ')
      })
    },
  },
})
