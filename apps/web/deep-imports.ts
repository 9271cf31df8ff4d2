import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const entries = '@parquetry/charts|echarts/(?:charts|components|features|renderers)'
const named = new RegExp(`import \\{([^}]+)\\} from '(${entries})'`, 'g')

/** Returns the file in which an entry lists its modules; the entry of ECharts re-exports another list. */
const resolveExportList = (entry: string): string =>
  entry.replace(/echarts[\\/](charts|components|features|renderers)\.js$/, 'echarts/lib/export/$1.js')

interface ModuleExport {
  name: string
  path: string
}

/** Returns the modules behind the names of an entry: `BarChart` -> `install` of `lib/chart/bar/install.js`. */
function readExports(list: string): Map<string, ModuleExport> {
  const lines = readFileSync(list, 'utf8').matchAll(/export \{([^}]+)\} from '([^']+)'/g)
  return new Map(
    [...lines].flatMap(([, names = '', path = '']) =>
      namesIn(names).map(([name, as]) => [as, { name, path: join(dirname(list), path) }] as const),
    ),
  )
}

/** `a, b as c, type D` -> a under its own name, b as c. */
const namesIn = (list: string): [name: string, as: string][] =>
  list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => {
      const [name = '', as = name] = each.split(' as ')
      return [name, as]
    })

/**
 * Replaces imports from an entry that only lists modules by imports of those modules in a build. The entry imports all of them,
 * so an output file that includes its imports would include each part that two other files use.
 */
export const deepImports = (): Plugin => ({
  name: 'parquetry-deep-imports',
  enforce: 'pre',
  apply: 'build',
  transform: {
    // Messages in packages contain text that looks like imports.
    filter: { id: { exclude: /node_modules/ }, code: new RegExp(`from '(${entries})'`) },
    async handler(code, id) {
      const lists = new Map<string, Map<string, ModuleExport>>()
      for (const [, , entry = ''] of code.matchAll(named)) {
        const found = lists.has(entry) ? null : await this.resolve(entry, id)
        if (found) lists.set(entry, readExports(resolveExportList(found.id)))
      }
      return code.replace(named, (whole, names: string, entry: string) => {
        const places = lists.get(entry)
        if (!places) return whole
        return namesIn(names)
          .map(([name, as]) => {
            const place = places.get(name)
            if (!place) throw new Error(`${entry} has no ${name}.`)
            return `import { ${place.name} as ${as} } from ${JSON.stringify(place.path)}`
          })
          .join('; ')
      })
    },
  },
})
