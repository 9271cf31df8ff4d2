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

/**
 * Packages that every start loads, and what these load. Others stay in `node_modules`: some of them find files next to their own.
 * Of pino, only its transports do, which are not used.
 */
const bundledPackages = [
  'kysely',
  'typebox',
  'saxes',
  'xmlchars',
  'fastify',
  '@fastify/error',
  '@fastify/forwarded',
  '@fastify/proxy-addr',
  'avvio',
  'fastq',
  'find-my-way',
  'ipaddr.js',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-querystring',
  'process-warning',
  'ret',
  'reusify',
  'rfdc',
  'safe-regex2',
  'secure-json-parse',
  'semver',
  'toad-cache',
  'pino',
  'pino-std-serializers',
  '@pinojs/redact',
  'atomic-sleep',
  'on-exit-leak-free',
  'quick-format-unescaped',
  'safe-stable-stringify',
  'sonic-boom',
]
const isBundled = (id: string): boolean =>
  id.startsWith('@parquetry/') || bundledPackages.some((name) => id === name || id.startsWith(`${name}/`))

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

const nodeImport = /^import\s*\{([^}]*)\}\s*from\s*'(node:[^']+)'/gm

/**
 * Takes modules of Node with `process.getBuiltinModule`. An `import` reads every export of the module, and some of them load others:
 * `node:http` the whole of undici, for its WebSocket.
 */
const nodeModules: Plugin = {
  name: 'node-modules',
  transform: {
    filter: { code: "'node:" },
    handler: (code) =>
      code.replaceAll(nodeImport, (_, names: string, module: string) => {
        const values = names.split(',').filter((name) => name.trim() !== '' && !/^\s*type\s/.test(name))
        return `const {${values.map((name) => name.replace(/\sas\s/, ': ')).join(',')}} = process.getBuiltinModule('${module}')`
      }),
  },
}

/** A server that is running may still load files of the previous build. */
const keptMs = 7 * 86_400_000

for (const [name, program] of Object.entries(programs)) {
  const bundle = await rolldown({
    cwd: root,
    input: { main: program },
    platform: 'node',
    external: (id) => /^[^./]/.test(id) && !isBundled(id),
    plugins: [sourceUrls, nodeModules],
  })
  const dir = join(folder, name)
  const { output } = await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js' })
  await bundle.close()
  const current = new Set(output.map(({ fileName }) => fileName))
  for (const file of globSync('*.js', { cwd: dir }))
    if (!current.has(file) && Date.now() - statSync(join(dir, file)).mtimeMs > keptMs) rmSync(join(dir, file))
}
