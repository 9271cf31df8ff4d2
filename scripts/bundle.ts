import { globSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

// Combines the source files of the server, and those of a runner, into a few files each: `node scripts/bundle.ts [FOLDER]`. Node
// spends most of a start on finding and linking files.

const root = fileURLToPath(new URL('../', import.meta.url))
const [folder = join(root, 'apps/cli/dist')] = process.argv.slice(2)
const programs = { server: 'apps/cli/src/main.ts', runner: 'apps/runner/src/main.ts' }
const outputOf = (name: string): string => join(folder, name, 'main.js')

/** Packages that consist of hundreds of files. Others stay in `node_modules`: some of them find files next to their own. */
const bundledPackages = /^(@parquetry\/|(kysely|typebox)(\/|$))/

/** Keeps the meaning of `import.meta` of each source file, so that files are found where they are. The runner is the bundled one. */
const sourceUrls: Plugin = {
  name: 'source-urls',
  transform: {
    filter: { code: 'import.meta' },
    handler: (code, id) =>
      code
        .replaceAll(
          /new URL\('[^']*\/runner\/src\/main\.ts', import\.meta\.url\)/g,
          `new URL(${JSON.stringify(pathToFileURL(outputOf('runner')).href)})`,
        )
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.main', 'false'),
  },
}

/** A server that is running may still load files of the previous build. */
const keptMs = 7 * 86_400_000

for (const [name, program] of Object.entries(programs)) {
  const bundle = await rolldown({
    cwd: root,
    input: { main: program },
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !bundledPackages.test(id),
    plugins: [sourceUrls],
  })
  const dir = join(folder, name)
  const { output } = await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js' })
  await bundle.close()
  const current = new Set(output.map(({ fileName }) => fileName))
  for (const file of globSync('*.js', { cwd: dir }))
    if (!current.has(file) && Date.now() - statSync(join(dir, file)).mtimeMs > keptMs) rmSync(join(dir, file))
}
